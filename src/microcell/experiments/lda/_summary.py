"""What the run says beside what the paper says."""

from microcell.experiments._curves import curves, means_over_k
from microcell.experiments._data import RECORDS_SAID
from microcell.experiments._frontier import frontier_lines
from microcell.experiments._homogeneity import price_lines
from microcell.experiments._readings import reading_lines
from microcell.experiments._tasks import as_list


def summary(experiment, rows, readings, models, names):
    """Lines: mean accuracy over k on each data set, the price, readings, models."""
    return [
        RECORDS_SAID,
        *(mean_over_k(experiment, rows, name) for name in names),
        *price_lines(experiment, rows, names),
        *frontier_lines(experiment, rows, names),
        *reading_lines(experiment, readings),
        *model_lines(models),
    ]


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


@as_list
def model_lines(models):
    """The model with the highest accuracy on the original records."""
    for name in dict.fromkeys(row["data"] for row in models):
        found = {r["model"]: r["accuracy"] for r in models if r["data"] == name}
        shown = ", ".join(f"{model} {100 * a:.1f}" for model, a in found.items())
        yield f"{name}, models on the original (accuracy in %): {shown}"
