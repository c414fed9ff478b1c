"""What stands behind the claims, and what is differentially private beside them."""

import numpy as np

from microcell.experiments.random._figures import curves
from microcell.experiments.random._run import DP, TABLE_TITLES

SUMMED_UP = (
    "seconds",
    "loss",
    "literal_loss",
    "linkage",
    "centroid_linkage",
    "attack_error",
    "attack_error_without",
)


def means_table(rows):
    """Mean and half interval of every measure, a row for each table, setting and k."""
    found = {}
    for name in TABLE_TITLES:
        for kind in ("cells", "noise"):
            for measure in SUMMED_UP:
                for label, points in curves(rows, name, measure, kind).items():
                    for k, mean, half in points:
                        row = found.setdefault((name, label, k), {})
                        row[measure], row[f"{measure}_half_interval"] = mean, half
    keys = ("data", "setting", "k")
    return [dict(zip(keys, key, strict=True)) | row for key, row in found.items()]


def private_lines(rows):
    """The same axes for the method that is differentially private, if it is there."""
    lines = []
    for name, title in TABLE_TITLES.items():
        found = curves(rows, name, "loss", "noise", 100)
        for label in found:
            if label.startswith("differentially private"):
                linked = curves(rows, name, "linkage", "noise", 100)[label]
                loss = np.mean([mean for _, mean, _ in found[label]])
                linkage = np.mean([mean for _, mean, _ in linked])
                lines.append(
                    f"{title}, {label}: loss {loss:.1f} %, linkage {linkage:.2f} %, "
                    "means over k"
                )
    return lines or [f"No method {DP!r}: its curves are left out."]
