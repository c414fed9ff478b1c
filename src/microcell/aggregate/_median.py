"""Median: the middle value of a cell."""

import numpy as np

from microcell._validation import check_choice
from microcell.base import BaseAggregator


class Median(BaseAggregator):
    """Release the median of each cell, column by column.

    Parameters
    ----------
    even : {"mean", "lower"}, default="mean"
        Which value a cell with an even number of records gets: the mean of its two
        middle values, or the lower of them, which is a value that occurs and so is
        right for the codes of ordered categories.

    Examples
    --------
    >>> Median().aggregate([[1.0], [2.0], [9.0], [5.0]], [0, 0, 0, 0])[0]
    array([3.5])
    >>> Median(even="lower").aggregate([[1.0], [2.0], [9.0], [5.0]], [0, 0, 0, 0])[0]
    array([2.])
    """

    bounded = True

    def __init__(self, even="mean"):
        self.even = even

    def _aggregate(self, X, labels):
        check_choice("even", self.even, ("mean", "lower"))
        sizes = np.bincount(labels)
        starts = np.cumsum(sizes) - sizes
        lower, upper = starts + (sizes - 1) // 2, starts + sizes // 2
        medians = np.empty((sizes.shape[0], X.shape[1]))
        for j, column in enumerate(X.T):
            values = column[np.lexsort((column, labels))]
            medians[:, j] = values[lower]
            if self.even == "mean":
                medians[:, j] += (values[upper] - values[lower]) / 2
        return medians[labels]
