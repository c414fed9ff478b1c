"""Mode: the most frequent value of a cell."""

import numpy as np

from microcell.base import BaseAggregator


class Mode(BaseAggregator):
    """Release the most frequent value of each cell, column by column.

    Ties go to the value that is more frequent in the whole column, then to the one
    that was seen first.

    Examples
    --------
    >>> Mode().aggregate([[7.0], [5.0], [5.0], [5.0]], [0, 0, 1, 1])[:2]
    array([[5.],
           [5.]])
    """

    bounded = True

    def _aggregate(self, X, labels):
        return np.column_stack(
            [mode_of_cells(column, labels)[labels] for column in X.T]
        )


def mode_of_cells(column, labels):
    """Most frequent value of each cell, shape (n_cells,)."""
    values, first, codes, counts = np.unique(
        column, return_index=True, return_inverse=True, return_counts=True
    )
    rank = np.empty_like(first)  # 0 is the most frequent value, then the first seen
    rank[np.lexsort((first, -counts))] = np.arange(values.shape[0])
    pairs, pair_counts = np.unique(
        labels * values.shape[0] + rank[codes], return_counts=True
    )
    cells, ranks = np.divmod(pairs, values.shape[0])
    order = np.lexsort((ranks, -pair_counts, cells))
    best = order[np.searchsorted(cells[order], np.arange(labels.max() + 1))]
    return values[np.argsort(rank)][ranks[best]]
