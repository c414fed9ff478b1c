"""Median: the middle value of a cell."""

import numpy as np
from numpy.typing import ArrayLike

from microcell._validation import check_choice
from microcell.aggregate._median_kernel import middle_places
from microcell.aggregate._weighted import Weighted
from microcell.base import Labels, Records


class Median(Weighted):
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
        super().__init__(weights)
        self.even = even

    def _aggregate(self, X: Records, labels: Labels) -> Records:
        check_choice("even", self.even, ("mean", "lower"))
        sizes = np.bincount(labels)
        starts = np.cumsum(sizes) - sizes
        lower, upper = starts + (sizes - 1) // 2, starts + sizes // 2
        weights = self._checked(X.shape[0])
        medians = np.empty((sizes.shape[0], X.shape[1]))
        for j, column in enumerate(X.T):
            order = np.lexsort((column, labels))
            values = column[order]
            if weights is not None:
                lower, upper = middle_places(weights[order], starts, sizes)
            medians[:, j] = values[lower]
            if self.even == "mean":
                medians[:, j] += (values[upper] - values[lower]) / 2
        return medians[labels]
