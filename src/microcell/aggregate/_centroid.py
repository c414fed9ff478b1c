"""Centroid: the mean of a cell."""

import numpy as np

from microcell.aggregate._weighted import Weighted
from microcell.base import Labels, Records


class Centroid(Weighted):
    """Release the mean of each cell, so that the means of columns are kept.

    Parameters
    ----------
    weights : array-like of shape (n_samples,), optional
        How many people each record stands for. The mean is weighted by it, so that
        weighted totals of columns are kept.

    Examples
    --------
    >>> Centroid().aggregate([[1.0], [3.0], [7.0], [9.0]], [0, 0, 1, 1])
    array([[2.],
           [2.],
           [8.],
           [8.]])
    >>> Centroid(weights=[3, 1]).aggregate([[1.0], [3.0]], [0, 0])[0]
    array([1.5])
    """

    def _aggregate(self, X: Records, labels: Labels) -> Records:
        return cell_means(X, labels, self._checked(X.shape[0]))[labels]


def cell_means(
    X: np.ndarray, labels: np.ndarray, weights: np.ndarray | None = None
) -> np.ndarray:
    """Mean of each cell, shape (n_cells, n_features).

    The second pass adds the mean of what rounding left, so a cell of equal values
    has exactly that value as its mean.
    """
    sizes = np.bincount(labels, weights=weights)
    share = 1.0 if weights is None else weights
    means = np.empty((sizes.shape[0], X.shape[1]))
    for j, column in enumerate(X.T):
        mean = np.bincount(labels, weights=share * column) / sizes
        rest = np.bincount(labels, weights=share * (column - mean[labels])) / sizes
        means[:, j] = mean + rest
    return means
