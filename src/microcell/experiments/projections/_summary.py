"""What the run says: how close each column comes to the paper's."""

import numpy as np
from scipy.stats import spearmanr

from microcell.experiments._curves import grouped
from microcell.experiments._tasks import as_list
from microcell.experiments.projections._paper import TABLE_COLUMNS
from microcell.experiments.projections._readings import PROJECTIONS


@as_list
def closeness(rows):
    """Rank correlation and mean absolute difference, per reading, file and column.

    Returns
    -------
    table : list of dict
        A reading that replaces one method has the rows of that method only; the
        default on the same rows stands beside it.
    """
    rows = rows + [
        row | {"reading": f"default, {method} only"}
        for reading, (method, _) in PROJECTIONS.items()
        if any(row["reading"] == reading for row in rows)
        for row in rows
        if (row["reading"], row["method"]) == ("default", method)
    ]
    for (reading, data), chosen in grouped(rows, "reading", "data").items():
        for column in TABLE_COLUMNS:
            pairs = [(r[column], r[f"paper {column}"]) for r in chosen if column in r]
            if not pairs:
                continue
            ours, theirs = np.array(pairs).T
            yield {
                "reading": reading,
                "data": data,
                "column": column,
                "rows": len(pairs),
                "rank correlation": float(spearmanr(ours, theirs).statistic),
                "mean absolute difference": float(np.abs(ours - theirs).mean()),
            }


def lines_of(table):
    """One line for each column of the default reading, then the other readings."""
    return [
        f"{row['data']:<7} {row['column']:<6} {row['reading']:<26} rank correlation "
        f"{row['rank correlation']:+.2f}, mean absolute difference "
        f"{row['mean absolute difference']:.2f} ({row['rows']} rows)"
        for row in table
    ]
