"""Midpoint: the middle of a cell's range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microcell.aggregate._interval import Interval
from microcell.base import BaseAggregator

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Midpoint(BaseAggregator):
    """Release halfway between the lowest and the highest value, column by column.

    It is no value of a record unless a record stands there; of a cell whose lowest
    value is known, it gives the highest away.

    Examples
    --------
    >>> Midpoint().aggregate([[1.0], [2.0], [9.0]], [0, 0, 0])[0]
    array([5.])
    """

    bounded = True

    def _aggregate(
        self, X: NDArray[np.float64], labels: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        ends = Interval().aggregate(X, labels)
        low, high = ends[:, 0::2], ends[:, 1::2]
        return low + (high / 2 - low / 2)  # in halves a range cannot overflow
