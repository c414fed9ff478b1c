"""Set: one value that stands for all values of a cell."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from microcell.base import BaseAggregator, Labels, Records


class WithCodes(BaseAggregator):
    """Base of parts that know which columns hold codes without an order."""

    bounded = True

    def __init__(self, nominal: Sequence[int] = ()) -> None:
        self.nominal = nominal

    def take_columns(self, columns: Sequence[int]) -> Self:
        """The same for some of the columns, by their new positions."""
        places = [place for place, j in enumerate(columns) if j in self.nominal]
        return type(self)(nominal=places)


class Set(WithCodes):
    """Release the middle of the distinct values of each cell, column by column.

    A table shows all of them, ``{a, b, c}``, which an array cannot hold; this is the
    number that loss and risk are measured with, and it depends on the set alone: the
    middle one of the distinct values (the lower of two), and of codes without an order
    the one that is most frequent in the whole column (the lowest of several).

    Parameters
    ----------
    nominal : sequence of int, default=()
        Columns that hold codes without an order.

    Examples
    --------
    >>> Set().aggregate([[1.0], [1.0], [1.0], [4.0], [9.0]], [0, 0, 0, 0, 0])[0]
    array([4.])
    """

    def _aggregate(self, X: Records, labels: Labels) -> Records:
        X_released = np.empty(X.shape)
        for j, column in enumerate(X.T):
            values, places, counts = np.unique(
                column, return_inverse=True, return_counts=True
            )
            cells, members = distinct_members(labels, places)
            sizes = np.bincount(cells)
            starts = np.cumsum(sizes) - sizes
            if j in self.nominal:
                order = np.lexsort((members, -counts[members], cells))
                chosen = members[order[starts]]
            else:
                chosen = members[starts + (sizes - 1) // 2]
            X_released[:, j] = values[chosen][labels]
        return X_released


def distinct_members(
    labels: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Each cell with each of its distinct values once, by cell and then value.

    Examples
    --------
    >>> distinct_members(np.array([0, 1, 0, 0]), np.array([2, 0, 1, 2]))
    (array([0, 0, 1]), array([1, 2, 0]))
    """
    n_values = int(places.max(initial=0)) + 1
    return np.divmod(np.unique(labels * n_values + places), n_values)
