"""What the run says beside what the paper says."""

import numpy as np

from microcell.experiments._curves import curves
from microcell.experiments._homogeneity import price_lines

PUBLISHED = {"MDAV": 81.8, "MDAV with LDA": 83.9}  # Adult, 10 % sample, k = 50


def summary(experiment, rows, models, names):
    """Lines: Adult at k = 50, mean over k on each data set, the price, the models."""
    return [
        *at_k_50(experiment, rows),
        *(mean_over_k(experiment, rows, name) for name in names),
        *price_lines(experiment, rows, names),
        *model_lines(models),
    ]


def at_k_50(experiment, rows):
    """Our accuracy with its interval beside the paper's."""
    lines = []
    for label, points in curves(experiment, rows, "adult", "accuracy").items():
        at_50 = [(mean, half) for k, mean, half in points if k == 50]
        if not at_50:
            continue
        mean, half = at_50[0]
        theirs = PUBLISHED["MDAV" if label == "MDAV" else "MDAV with LDA"]
        lines.append(
            f"Adult, k=50, {label}: {100 * mean:.1f} +- {100 * half:.1f} % "
            f"(paper {theirs} %)"
        )
    return lines


def mean_over_k(experiment, rows, name):
    """Mean accuracy over all k of the three curves, and whether LDA is ahead."""
    found = curves(experiment, rows, name, "accuracy")
    plain, published, honest = found.values()
    means = [
        100 * np.mean([mean for _, mean, _ in points]) for points in (plain, published)
    ]
    shown = f"MDAV {means[0]:.2f} %, LDA as in the paper {means[1]:.2f} %"
    if honest:
        shown += f", LDA honest {100 * np.mean([m for _, m, _ in honest]):.2f} %"
    verdict = "at least MDAV's" if means[1] >= means[0] else "below MDAV's"
    return f"{name}, mean accuracy over k: {shown}; LDA as in the paper is {verdict}"


def model_lines(models):
    """The model with the highest accuracy on the original records."""
    lines = []
    for name in dict.fromkeys(row["data"] for row in models):
        found = {r["model"]: r["accuracy"] for r in models if r["data"] == name}
        shown = ", ".join(f"{model} {100 * a:.1f}" for model, a in found.items())
        lines.append(f"{name}, models on the original (accuracy in %): {shown}")
    return lines
