"""Median: the middle value of a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from microcell._slices import rows_of
from microcell._validation import check_choice, check_weights
from microcell.aggregate._median_kernel import middle_places
from microcell.base import BaseAggregator

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Median(BaseAggregator):
    """Release the median of each cell, column by column.

    Parameters
    ----------
    even : {"mean", "lower"}, default="mean"
        Which value a cell with an even number of records gets: the mean of its two
        middle values, or the lower of them, which is a value that occurs and so is
        right for the codes of ordered categories.
    weights : array-like of shape (n_samples,), optional
        How many people each record stands for. The median is then the lowest value at
        which the weight of the cell's records reaches half of the whole; where it
        is half exactly, the next value is the other of two middle ones.

    Examples
    --------
    >>> Median().aggregate([[1.0], [2.0], [9.0], [5.0]], [0, 0, 0, 0])[0]
    array([3.5])
    >>> Median(even="lower").aggregate([[1.0], [2.0], [9.0], [5.0]], [0, 0, 0, 0])[0]
    array([2.])
    >>> Median(weights=[1, 1, 9]).aggregate([[1.0], [2.0], [9.0]], [0, 0, 0])[0]
    array([9.])
    """

    bounded = True

    def __init__(self, even: str = "mean", *, weights: ArrayLike | None = None) -> None:
        self.even = even
        self.weights = weights

    def take_rows(self, rows: np.ndarray) -> Self:
        """The same for a part of the records."""
        return type(self)(self.even, weights=rows_of(self.weights, rows))

    def _aggregate(
        self, X: NDArray[np.float64], labels: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        check_choice("even", self.even, ("mean", "lower"))
        sizes = np.bincount(labels)
        starts = np.cumsum(sizes) - sizes
        lower, upper = starts + (sizes - 1) // 2, starts + sizes // 2
        if self.weights is not None:
            weights = check_weights(self.weights, X.shape[0])
        medians = np.empty((sizes.shape[0], X.shape[1]))
        for j, column in enumerate(X.T):
            order = np.lexsort((column, labels))
            values = column[order]
            if self.weights is not None:
                lower, upper = middle_places(weights[order], starts, sizes)
            medians[:, j] = values[lower]
            if self.even == "mean":
                medians[:, j] += (values[upper] - values[lower]) / 2
        return medians[labels]
