"""What the run says beside what the paper says."""

import numpy as np

from microcell.experiments._curves import curves
from microcell.experiments._homogeneity import price_lines


def summary(experiment, rows, names):
    """Lines: the paper's claims on Adult, mean accuracy over k, and the price."""
    lines = claims(experiment, rows)
    for name in names:
        found = curves(experiment, rows, name, "accuracy")
        shown = ", ".join(
            f"{label} {100 * np.mean([mean for _, mean, _ in points]):.2f}"
            for label, points in found.items()
            if points
        )
        lines.append(f"{name}, mean accuracy over k in %: {shown}")
    return lines + price_lines(experiment, rows, names)


def claims(experiment, rows):
    """The paper on Adult: above 80 % to k = 50 for all, to k = 1000 with SD."""
    lines = []
    for name in dict.fromkeys(row["data"] for row in rows):
        if name.startswith("adult"):
            found = curves(experiment, rows, name, "accuracy")
            lines += claims_on(experiment.tuned, name, found)
    return lines


def claims_on(tuned, name, found):
    """The claims on the sample or on all records."""
    lines = []
    for label, points in found.items():
        to_50 = [mean for k, mean, _ in points if k <= 50]
        if to_50:
            word = "holds" if min(to_50) > 0.8 else "does not hold"
            lines.append(
                f"{name}, accuracy above 80 % to k=50, {label}: {word} "
                f"(lowest {100 * min(to_50):.1f} %)"
            )
    for label in (tuned.as_published, tuned.as_honest):
        if not found[label]:
            continue
        lowest = min(mean for _, mean, _ in found[label])
        word = "holds" if lowest >= 0.8 else "does not hold"
        largest = max(k for k, _, _ in found[label])
        lines.append(
            f"{name}, accuracy at or above 80 % to k={largest}, {label}: {word} "
            f"(lowest {100 * lowest:.1f} %)"
        )
    return lines
