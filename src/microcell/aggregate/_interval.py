"""Interval: the range of a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microcell.base import BaseAggregator

if TYPE_CHECKING:
    from numpy.typing import NDArray


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

    def _aggregate(
        self, X: NDArray[np.float64], labels: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        order = np.argsort(labels, kind="stable")
        starts = np.searchsorted(labels[order], np.arange(labels.max(initial=-1) + 1))
        ends = np.empty((starts.shape[0], 2 * X.shape[1]))
        ends[:, 0::2] = np.minimum.reduceat(X[order], starts, axis=0)
        ends[:, 1::2] = np.maximum.reduceat(X[order], starts, axis=0)
        return ends[labels]
