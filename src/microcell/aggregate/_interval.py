"""Interval: the range of a cell."""

import numpy as np

from microcell.base import BaseAggregator, Labels, Records


class Interval(BaseAggregator):
    """Release the lowest and the highest value of each cell, column by column.

    Both ends are values of real records. For each column of X two columns are
    released, low and high, next to each other.

    Examples
    --------
    >>> Interval().aggregate([[1.0], [3.0], [7.0], [9.0]], [0, 0, 1, 1])
    array([[1., 3.],
           [1., 3.],
           [7., 9.],
           [7., 9.]])
    """

    values_per_column = 2
    bounded = True

    def _aggregate(self, X: Records, labels: Labels) -> Records:
        return np.stack(cell_ends(X, labels), axis=2).reshape(len(X), 2 * X.shape[1])


def cell_ends(X: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest value of the cell of each record, in each column."""
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(labels.max(initial=-1) + 1))
    low, high = (
        end.reduceat(X[order], starts, axis=0) for end in (np.minimum, np.maximum)
    )
    return low[labels], high[labels]
