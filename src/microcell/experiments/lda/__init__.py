"""MDAV on cells stretched by LDA, and what models learn from them.

Rodríguez-Hoyos, Rebollo-Monedero, Estrada-Jiménez, Forné and Urquiza-Aguiar: Preserving
Empirical Data Utility in k-Anonymous Microaggregation via Linear Discriminant Analysis.

The paper plots, for each k, the best accuracy over alpha as seen on the test records;
since alpha = 1 is MDAV itself, its curve cannot lie below MDAV's, even on noise. That
protocol is run and labelled so, and beside it alpha chosen by cross-validation inside
the training part, which is what a user can do, and cells that follow the log Bayes
factor of classes with covariances of their own.
"""

from functools import partial

from microcell.embed import LinearDiscriminantRotation
from microcell.experiments._curves import curves, grouped, means_over_k
from microcell.experiments._experiment import PLANS, Experiment, Paper, Tuned
from microcell.experiments._grid import compare_models
from microcell.experiments._run import (
    lines_behind,
    run_experiment,
    write_summary,
    write_tables,
)
from microcell.experiments.lda._claims import claims
from microcell.experiments.lda._toy import draw_toy
from microcell.methods import ALPHAS
from microcell.partition import MDAV

__all__ = ["LDA", "reproduce"]

ROTATED = Tuned("MDAV with LDA", LinearDiscriminantRotation, "alpha", ALPHAS)
LDA = Experiment(
    name="lda",
    paper=Paper(
        "Preserving Empirical Data Utility in k-Anonymous Microaggregation via Linear "
        "Discriminant Analysis",
        "Rodríguez-Hoyos, Rebollo-Monedero, Estrada-Jiménez, Forné and Urquiza-Aguiar",
    ),
    plain={"MDAV": MDAV},
    tuned=ROTATED,
    beside=(
        Tuned(
            "MDAV with log Bayes factor",
            partial(LinearDiscriminantRotation, discriminant="bayes"),
            "alpha",
            ALPHAS,
        ),
    ),
    printed={"adult": {"MDAV": [(50, 81.8)], ROTATED.as_published: [(50, 83.9)]}},
    figures={
        "adult": ("figure_12",),
        "breast": ("figure_13",),
        "heart": ("figure_14",),
        "synthetic": ("figure_15",),
        "adult (all)": ("adult_all",),
    },
    plans=PLANS,
)


def summary(experiment, rows, readings, models, names):
    """Lines: mean accuracy over k on each data set, the price, readings, models."""
    means = [mean_over_k(experiment, rows, name) for name in names]
    behind = lines_behind(experiment, rows, readings, names, means)
    return [*behind, *model_lines(models)]


def mean_over_k(experiment, rows, name):
    """Mean accuracy over k of the three curves, and whether LDA is ahead."""
    means, ks = means_over_k(curves(experiment, rows, name, "accuracy"))
    plain, published, *honest = means.values()
    shown = f"MDAV {plain:.2f} %, LDA as in the paper {published:.2f} %"
    if honest:
        shown += f", LDA honest {honest[0]:.2f} %"
    verdict = "at least MDAV's" if published >= plain else "below MDAV's"
    return (
        f"{name}, mean accuracy over k = {', '.join(map(str, ks))}: {shown}; LDA as in "
        f"the paper is {verdict}"
    )


def model_lines(models):
    """Accuracy of each model on the original records."""
    lines = []
    for name, own in grouped(models, "data").items():
        shown = ", ".join(f"{r['model']} {100 * r['accuracy']:.1f}" for r in own)
        lines.append(f"{name}, models on the original (accuracy in %): {shown}")
    return lines


def reproduce(out, *, quick=False, progress=lambda done, total, step: None):
    """Write results, the price in homogeneity and the figures into `out` / "lda".

    Parameters
    ----------
    out, progress
        As in `run_experiment`.
    quick : bool, default=False
        Fewer repetitions and values of k, without all records of Adult.

    Returns
    -------
    lines : list of str
    """
    found = run_experiment(LDA, out, quick=quick, progress=progress)
    rows, readings, names, folder = found
    of_originals = [n for n in names if n != "adult (all)"]
    models = compare_models(of_originals, 2 if quick else 10)
    write_tables(folder, models=models)
    draw_toy(LDA.paper, folder)
    lines = summary(LDA, rows, readings, models, names)
    found = claims(LDA, rows, readings, models, names)
    return write_summary(LDA.paper, lines, folder, found)
