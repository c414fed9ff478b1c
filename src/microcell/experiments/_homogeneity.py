"""How alike the records of a cell are in the confidential attribute: the price.

Cells that follow the confidential attribute help a model, and an intruder too.
"""

import numpy as np

from microcell.experiments._curves import curve


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


def price_lines(experiment, rows, names):
    """Accuracy beside the share of records in cells of a single class, at k = 50."""
    lines = []
    for name in names:
        for method, honest in (("MDAV", False), (experiment.tuned.method, True)):
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
