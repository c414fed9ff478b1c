"""Mode: the most frequent value of a cell."""

from typing import Any

import numpy as np

from microcell.aggregate._weighted import Weighted
from microcell.base import Labels, Records


class Mode(Weighted):
    """Release the most frequent value of each cell, column by column.

    Ties go to the value that is more frequent in the whole column, then to the one
    that was seen first.

    Parameters
    ----------
    weights : array-like of shape (n_samples,), optional
        How many people each record stands for; people are counted then, not records.

    Examples
    --------
    >>> Mode().aggregate([[7.0], [5.0], [5.0], [5.0]], [0, 0, 1, 1])[:2]
    array([[5.],
           [5.]])
    """

    bounded = True

    def _aggregate(self, X: Records, labels: Labels) -> Records:
        weights = self._checked(X.shape[0])
        return np.column_stack(
            [mode_of_cells(column, labels, weights)[labels] for column in X.T]
        )


def mode_of_cells(
    column: np.ndarray, labels: np.ndarray, weights: Any = None
) -> np.ndarray:
    """Most frequent value of each cell, shape (n_cells,)."""
    values, first, codes = np.unique(column, return_index=True, return_inverse=True)
    counts = np.bincount(codes, weights=weights)
    rank = np.empty_like(first)  # 0 is the most frequent value, then the first seen
    rank[np.lexsort((first, -counts))] = np.arange(values.shape[0])
    pairs, which = np.unique(
        labels * values.shape[0] + rank[codes], return_inverse=True
    )
    pair_counts = np.bincount(which, weights=weights)
    cells, ranks = np.divmod(pairs, values.shape[0])
    order = np.lexsort((ranks, -pair_counts, cells))
    best = order[np.searchsorted(cells[order], np.arange(labels.max() + 1))]
    return values[np.argsort(rank)][ranks[best]]
