"""How alike the records of a cell are in the confidential attribute: the price.

Cells that follow the confidential attribute help a model, and an intruder too.
"""

import numpy as np

from microcell.experiments._curves import chosen_rows, grouped
from microcell.experiments._tasks import as_list

SHOWN_K = 50
DISCLOSED = ("largest_share", "homogeneous", "p_sensitivity", "t_distance")


def mean_table(rows, names, measures):
    """Means of measures over the rows that agree in the columns of these names."""
    return [
        dict(zip(names, key, strict=True))
        | {m: float(np.mean([row[m] for row in own])) for m in measures}
        for key, own in grouped(rows, *names).items()
    ]


def homogeneity_table(rows):
    """Mean homogeneity of cells for each data set, k, method and choice."""
    names = ("data", "k", "method", "parameter", "honest")
    return mean_table(rows, names, ("accuracy", *DISCLOSED))


@as_list
def price_lines(experiment, rows, names):
    """Accuracy beside the share of records in cells of a single class, at k = 50."""
    at_k = [row for row in rows if row["k"] == SHOWN_K]
    for name in names:
        for method, honest in (("MDAV", False), (experiment.tuned.method, True)):
            for found in homogeneity_table(
                chosen_rows(at_k, name, method, honest=honest)
            ):
                yield (
                    f"{name}, k={SHOWN_K}, {method}{' (honest)' if honest else ''}: "
                    f"accuracy {100 * found['accuracy']:.1f} %, largest class in a "
                    f"cell {100 * found['largest_share']:.1f} %, records in cells of "
                    f"one class {100 * found['homogeneous']:.1f} %, distance from the "
                    f"table's classes {found['t_distance']:.3f}"
                )
