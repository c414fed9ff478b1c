"""What stands behind the claims, and what is differentially private beside them."""

import numpy as np

from microcell.experiments._curves import by_k, grouped, point
from microcell.experiments._tasks import as_list
from microcell.experiments.random._figures import curves
from microcell.experiments.random._run import DP, TABLE_TITLES

SUMMED_UP = (
    *("seconds", "loss", "literal_loss", "linkage", "centroid_linkage"),
    *("attack_error", "attack_error_without"),
)


@as_list
def means_table(rows):
    """Mean and half interval of every measure, a row for each table, setting and k."""
    for (name, label), own in grouped(rows, "data", "label").items():
        for k, at_k in by_k(own):
            found = {"data": name, "setting": label, "k": k}
            for measure in SUMMED_UP:
                mean, half = point([row[measure] for row in at_k])
                found |= {measure: mean, f"{measure}_half_interval": half}
            yield found


def private_lines(rows):
    """The same axes for the method that is differentially private, if it is there."""
    lines = []
    for name, title in TABLE_TITLES.items():
        losses, linked = (
            curves(rows, name, measure, "noise", 100) for measure in ("loss", "linkage")
        )
        for label in losses:
            if label.startswith("differentially private"):
                loss, linkage = (
                    np.mean([mean for _, mean, _ in found[label]])
                    for found in (losses, linked)
                )
                lines.append(
                    f"{title}, {label}: loss {loss:.1f} %, linkage {linkage:.2f} %, "
                    "means over k"
                )
    return lines or [f"No method {DP!r}: its curves are left out."]
