"""What anonymity costs a model, for MDAV, V-MDAV, Mondrian and MDAV-SD.

Rodríguez-Hoyos, Estrada-Jiménez, Rebollo-Monedero, Forné, Parra-Arnau and
Urquiza-Aguiar: Assessing the Price in Data Utility of k-Anonymous Microaggregation.

The paper picks lambda on the test records ("maximum utility trace"); that protocol is
run and labelled so, and beside it lambda chosen by cross-validation inside the
training part, and two ways to shape cells that are not the paper's: by the posterior
of the confidential attribute, and by LDA. No paper shows how homogeneous cells become
when the confidential attribute shapes them: it is measured and printed beside the
accuracy.
"""

from functools import partial

from microcell.embed import LinearDiscriminantRotation, StatisticalDependence
from microcell.experiments._curves import curves, means_over_k
from microcell.experiments._experiment import PLANS, Experiment, Paper, Tuned
from microcell.experiments._predictors import predictor_lines, predictors_table
from microcell.experiments._run import (
    lines_behind,
    run_experiment,
    write_summary,
    write_tables,
)
from microcell.experiments.price._claims import claims
from microcell.methods import ALPHAS, LAMBDAS
from microcell.partition import MDAV, VMDAV, Mondrian

__all__ = ["PRICE", "reproduce"]

GAMMA = 0.9  # as in the paper
PRICE = Experiment(
    name="price",
    paper=Paper(
        "Assessing the Price in Data Utility of k-Anonymous Microaggregation",
        "Rodríguez-Hoyos, Estrada-Jiménez, Rebollo-Monedero, Forné, Parra-Arnau and "
        "Urquiza-Aguiar",
    ),
    plain={"MDAV": MDAV, "V-MDAV": partial(VMDAV, gamma=GAMMA), "Mondrian": Mondrian},
    tuned=Tuned(
        "MDAV with SD", StatisticalDependence, "lambda_", LAMBDAS, weighs_target=True
    ),
    beside=(
        Tuned(
            "MDAV with SD, posterior",
            partial(StatisticalDependence, target="posterior"),
            "lambda_",
            LAMBDAS,
            weighs_target=True,
        ),
        Tuned("MDAV with LDA", LinearDiscriminantRotation, "alpha", ALPHAS),
    ),
    figures={
        "adult": ("figure_6", "figure_7"),
        "breast": ("figure_8", "figure_9"),
        "heart": ("figure_10", "figure_11"),
        "synthetic": ("figure_12", "figure_13"),
        "adult (all)": ("adult_all_utility", "adult_all_distortion"),
    },
    plans=PLANS,
    measures_all=True,
)


def summary(experiment, rows, readings, names):
    """Lines: mean accuracy over k, what predicts it, price and readings."""
    means = []
    for name in names:
        found, ks = means_over_k(curves(experiment, rows, name, "accuracy"))
        shown = ", ".join(f"{label} {mean:.2f}" for label, mean in found.items())
        over = f"over k = {', '.join(map(str, ks))}"
        means.append(f"{name}, mean accuracy {over} in %: {shown}")
    predicted = predictor_lines(rows, [n for n in names if not n.endswith("(all)")])
    return lines_behind(experiment, rows, readings, names, [*means, *predicted])


def reproduce(out, *, quick=False, progress=lambda done, total, step: None):
    """Write results and figures into `out` / "price"; see `microcell.experiments.lda`.

    Returns
    -------
    lines : list of str
    """
    found = run_experiment(PRICE, out, quick=quick, progress=progress)
    rows, readings, names, folder = found
    write_tables(folder, predictors=predictors_table(rows, names))
    return write_summary(
        PRICE.paper,
        summary(PRICE, rows, readings, names),
        folder,
        claims(PRICE, rows, readings, names),
    )
