"""What the run says beside what the paper says."""

from microcell.experiments._curves import curves, means_over_k
from microcell.experiments._data import RECORDS_SAID
from microcell.experiments._frontier import frontier_lines
from microcell.experiments._homogeneity import price_lines
from microcell.experiments._predictors import predictor_lines
from microcell.experiments._readings import reading_lines


def summary(experiment, rows, readings, names):
    """Lines: mean accuracy over k, what predicts it, price and readings."""
    lines = [RECORDS_SAID]
    for name in names:
        means, ks = means_over_k(curves(experiment, rows, name, "accuracy"))
        shown = ", ".join(f"{label} {mean:.2f}" for label, mean in means.items())
        over = f"over k = {', '.join(map(str, ks))}"
        lines.append(f"{name}, mean accuracy {over} in %: {shown}")
    return [
        *lines,
        *predictor_lines(rows, [n for n in names if not n.endswith("(all)")]),
        *price_lines(experiment, rows, names),
        *frontier_lines(experiment, rows, names),
        *reading_lines(experiment, readings),
    ]
