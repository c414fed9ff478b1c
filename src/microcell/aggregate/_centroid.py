"""Centroid: the mean of a cell."""

import numpy as np

from microcell.base import BaseAggregator


class Centroid(BaseAggregator):
    """Release the mean of each cell, so that the means of columns are kept.

    Examples
    --------
    >>> Centroid().aggregate([[1.0], [3.0], [7.0], [9.0]], [0, 0, 1, 1])
    array([[2.],
           [2.],
           [8.],
           [8.]])
    """

    def _aggregate(self, X, labels):
        return cell_means(X, labels)[labels]


def cell_means(X, labels):
    """Mean of each cell, shape (n_cells, n_features).

    The second pass adds the mean of what rounding left, so a cell of equal values
    has exactly that value as its mean.
    """
    sizes = np.bincount(labels)
    means = np.empty((sizes.shape[0], X.shape[1]))
    for j, column in enumerate(X.T):
        mean = np.bincount(labels, weights=column) / sizes
        rest = np.bincount(labels, weights=column - mean[labels]) / sizes
        means[:, j] = mean + rest
    return means
