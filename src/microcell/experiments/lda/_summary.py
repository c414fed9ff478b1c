"""What the run says beside what the paper says."""

import numpy as np

from microcell.experiments._curves import curves, means_over_k, shown_interval
from microcell.experiments._data import RECORDS_SAID
from microcell.experiments._frontier import frontier_lines
from microcell.experiments._homogeneity import price_lines
from microcell.experiments._readings import reading_lines

THEIR_GAIN = 2.1  # points on Adult at k = 50, 81.8 to 83.9 %


def summary(experiment, rows, readings, models, names):
    """Lines: Adult at k = 50, mean over k on each data set, the price, the models."""
    return [
        *at_k_50(experiment, rows),
        *their_gain(readings),
        RECORDS_SAID,
        *(mean_over_k(experiment, rows, name) for name in names),
        *price_lines(experiment, rows, names),
        *frontier_lines(experiment, rows, names),
        *reading_lines(experiment, readings),
        *model_lines(models),
    ]


def at_k_50(experiment, rows):
    """Our accuracy with its interval beside the paper's."""
    lines = []
    printed = experiment.printed["adult"]
    for label, points in curves(experiment, rows, "adult", "accuracy").items():
        for k, mean, half in points:
            if k == 50:
                ((_, theirs),) = printed.get(label, [(50, None)])
                beside = f" (paper {theirs} %)" if theirs else ""
                shown = f"{100 * mean:.1f}{shown_interval(100 * half)} %"
                lines.append(f"Adult, k=50, {label}: {shown}{beside}")
    return lines


def their_gain(readings):
    """The paper's gain at k = 50 beside ours by every reading."""
    lines = []
    for masked, words in ((False, "best on test"), (True, "test records masked too")):
        found = [r for r in readings if r["k"] == 50 and r["masks_test"] == masked]
        if not found:
            continue
        gains = [row["gain"] for row in found]
        levels = [row["MDAV"] for row in found]
        reach = max(row["gain"] + np.nan_to_num(row["gain +-"]) for row in found)
        verdict = "is not reached" if reach < THEIR_GAIN else "lies within"
        lines.append(
            f"Adult, k=50, gain of LDA, {words}: {min(gains):+.1f} to "
            f"{max(gains):+.1f} points over {len(found)} readings, from a level of "
            f"{min(levels):.1f} to {max(levels):.1f} %; the paper's +{THEIR_GAIN} "
            f"{verdict} (intervals reach {reach:+.1f})"
        )
    return lines


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
    """The model with the highest accuracy on the original records."""
    lines = []
    for name in dict.fromkeys(row["data"] for row in models):
        found = {r["model"]: r["accuracy"] for r in models if r["data"] == name}
        shown = ", ".join(f"{model} {100 * a:.1f}" for model, a in found.items())
        lines.append(f"{name}, models on the original (accuracy in %): {shown}")
    return lines
