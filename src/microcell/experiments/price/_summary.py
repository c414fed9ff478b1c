"""What the run says beside what the paper says."""

from microcell.experiments._curves import curves, means_over_k, shown_interval
from microcell.experiments._data import RECORDS_SAID
from microcell.experiments._frontier import frontier_lines
from microcell.experiments._homogeneity import price_lines
from microcell.experiments._readings import reading_lines


def summary(experiment, rows, readings, names):
    """Lines: the paper's claims on Adult, mean accuracy over k, price and readings."""
    lines = [*claims(experiment, rows), *at_1000(experiment, readings), RECORDS_SAID]
    for name in names:
        means, ks = means_over_k(curves(experiment, rows, name, "accuracy"))
        shown = ", ".join(f"{label} {mean:.2f}" for label, mean in means.items())
        over = f"over k = {', '.join(map(str, ks))}"
        lines.append(f"{name}, mean accuracy {over} in %: {shown}")
    return [
        *lines,
        *price_lines(experiment, rows, names),
        *frontier_lines(experiment, rows, names),
        *reading_lines(experiment, readings),
    ]


def at_1000(experiment, readings):
    """Whether "not below 80 % at k = 1000" holds, by every reading."""
    tuned = experiment.tuned
    found = [r for r in readings if r["k"] == 1000]
    if not found:
        return []
    holds = [r for r in found if r[tuned.method] >= 80]
    shown = ", ".join(f"{r['learner']} with {r['coding']}" for r in holds) or "none"
    return [
        f"adult, accuracy at or above 80 % at k=1000, {tuned.as_published}: holds by "
        f"{len(holds)} of {len(found)} readings ({shown})"
    ]


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
        _, lowest, half = min(found[label], key=lambda point: point[1])
        word = "holds" if lowest >= 0.8 else "does not hold"
        if abs(lowest - 0.8) <= half:
            word = "cannot be told, 80 % lies within the interval"
        largest = max(k for k, _, _ in found[label])
        shown = f"{100 * lowest:.1f}{shown_interval(100 * half)}"
        lines.append(
            f"{name}, accuracy at or above 80 % to k={largest}, {label}: {word} "
            f"(lowest {shown} %)"
        )
    return lines
