"""Midpoint: the middle of a cell's range."""

from microcell.aggregate._interval import cell_ends
from microcell.base import BaseAggregator, Labels, Records


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

    def _aggregate(self, X: Records, labels: Labels) -> Records:
        low, high = cell_ends(X, labels)
        return low + (high / 2 - low / 2)  # in halves a range cannot overflow
