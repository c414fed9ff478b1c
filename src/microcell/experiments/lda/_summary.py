"""What the run says beside what the paper says."""

import numpy as np

from microcell.experiments._curves import curve
from microcell.experiments.lda._figures import curves

PUBLISHED = {"MDAV": 81.8, "MDAV with LDA": 83.9}  # Adult, 10 % sample, k = 50


def summary(rows, models, names):
    """Lines: Adult at k = 50, mean over k on each data set, the price, the models."""
    return [
        *at_k_50(rows),
        *(mean_over_k(rows, name) for name in names),
        *price_lines(rows, names),
        *model_lines(models),
    ]


def at_k_50(rows):
    """Our accuracy with its interval beside the paper's."""
    lines = []
    for label, points in curves(rows, "adult", "accuracy").items():
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


def mean_over_k(rows, name):
    """Mean accuracy over all k of the three curves, and whether LDA is ahead."""
    plain, published, honest = curves(rows, name, "accuracy").values()
    means = [
        100 * np.mean([mean for _, mean, _ in points]) for points in (plain, published)
    ]
    shown = f"MDAV {means[0]:.2f} %, LDA as in the paper {means[1]:.2f} %"
    if honest:
        shown += f", LDA honest {100 * np.mean([m for _, m, _ in honest]):.2f} %"
    verdict = "at least MDAV's" if means[1] >= means[0] else "below MDAV's"
    return f"{name}, mean accuracy over k: {shown}; LDA as in the paper is {verdict}"


def homogeneity_table(rows):
    """Mean homogeneity of cells for each data set, k, method and choice."""
    table = {}
    for row in rows:
        key = (row["data"], row["k"], row["method"], row["parameter"], row["honest"])
        table.setdefault(key, []).append(row)
    columns = (
        "accuracy",
        "largest_share",
        "homogeneous",
        "p_sensitivity",
        "t_distance",
    )
    names = ("data", "k", "method", "parameter", "honest")
    return [
        dict(zip(names, key, strict=True))
        | {c: float(np.mean([row[c] for row in found])) for c in columns}
        for key, found in table.items()
    ]


def price_lines(rows, names, methods=(("MDAV", False), ("MDAV with LDA", True))):
    """Accuracy beside the share of records in cells of a single class, at k = 50."""
    lines = []
    for name in names:
        for method, honest in methods:
            parts = {
                measure: [
                    mean
                    for k, mean, _ in curve(rows, name, method, measure, honest=honest)
                    if k == 50
                ]
                for measure in (
                    "accuracy",
                    "largest_share",
                    "homogeneous",
                    "t_distance",
                )
            }
            if parts["accuracy"]:
                lines.append(
                    f"{name}, k=50, {method}{' (honest)' if honest else ''}: accuracy "
                    f"{100 * parts['accuracy'][0]:.1f} %, largest class in a cell "
                    f"{100 * parts['largest_share'][0]:.1f} %, records in cells of one "
                    f"class {100 * parts['homogeneous'][0]:.1f} %, distance from the "
                    f"table's classes {parts['t_distance'][0]:.3f}"
                )
    return lines


def model_lines(models):
    """The model with the highest accuracy on the original records."""
    lines = []
    for name in dict.fromkeys(row["data"] for row in models):
        found = {r["model"]: r["accuracy"] for r in models if r["data"] == name}
        shown = ", ".join(f"{model} {100 * a:.1f}" for model, a in found.items())
        lines.append(f"{name}, models on the original (accuracy in %): {shown}")
    return lines
