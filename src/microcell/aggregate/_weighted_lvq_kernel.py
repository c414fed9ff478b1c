"""Passes of weighted learning vector quantisation (wLVQ2)."""

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.records import column_distances


@njit(cache=True, nogil=True)
def two_nearest(prototypes, point, distances):
    """The two prototypes nearest to a point, ties to the earlier."""
    column_distances(prototypes, point, distances)
    first, second = -1, -1
    for i in range(distances.shape[0]):
        if first < 0 or distances[i] < distances[first]:
            first, second = i, first
        elif second < 0 or distances[i] < distances[second]:
            second = i
    return first, second


@njit(cache=True, nogil=True)
def learn(X, classes, order, prototypes, prototype_classes, weights, rates, window):
    """Show the records of `order`; prototypes and weights are changed.

    If the nearest prototype is of another class than the record and the second nearest
    of its own, and the record lies in the window between them, the first moves away,
    the second closer, and each weight falls with the record's value times the
    difference of the two: steps down the gradient of |Wx - m_j|^2 - |Wx - m_i|^2.

    Parameters
    ----------
    prototypes : ndarray of shape (n_features, n_prototypes)
        In the weighted space.
    rates : (float, float)
        Of the prototypes and of the weights.
    window : float
        Least ratio of the two distances.

    Returns
    -------
    n_moves : int
    """
    n_features, n_prototypes = prototypes.shape
    distances, point = np.empty(n_prototypes), np.empty(n_features)
    rate, weight_rate = rates
    n_moves = 0
    for row in order:
        for j in range(n_features):
            point[j] = weights[j] * X[row, j]
        wrong, right = two_nearest(prototypes, point, distances)
        if prototype_classes[wrong] == classes[row]:
            continue
        if prototype_classes[right] != classes[row]:
            continue
        if np.sqrt(distances[wrong]) <= window * np.sqrt(distances[right]):
            continue
        n_moves += 1
        for j in range(n_features):
            m_i, m_j = prototypes[j, wrong], prototypes[j, right]
            prototypes[j, wrong] = m_i - rate * (point[j] - m_i)
            prototypes[j, right] = m_j + rate * (point[j] - m_j)
            weights[j] -= weight_rate * X[row, j] * (m_i - m_j)
    return n_moves
