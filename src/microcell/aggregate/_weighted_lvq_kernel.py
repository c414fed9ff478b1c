"""Passes of weighted learning vector quantisation (wLVQ2)."""

import numpy as np

from microcell.kernels.compiled import njit


@njit(cache=True, nogil=True)
def two_nearest(prototypes, record, weights, distances):
    """The two prototypes nearest to a record, ties to the earlier.

    Parameters
    ----------
    prototypes : ndarray of shape (n_features, n_prototypes)
    weights : ndarray of shape (n_features,)
        Of the columns; distances are |W (x - m)|.
    distances : ndarray of shape (n_prototypes,)
        OUT: squared distances.
    """
    distances[:] = 0.0
    for j in range(record.shape[0]):
        value, square = record[j], weights[j] * weights[j]
        for i in range(distances.shape[0]):
            gap = prototypes[j, i] - value
            distances[i] += square * (gap * gap)
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

    If the nearest prototype m_i is of another class than the record x and the second
    nearest m_j of its own, and the record lies in the window between them, the first
    moves away, the second closer, and each weight falls with how much farther the
    right one is in its column: steps down the gradient of the cost
    |W (x - m_j)|^2 - |W (x - m_i)|^2.

    Parameters
    ----------
    prototypes : ndarray of shape (n_features, n_prototypes)
    rates : (float, float)
        Of the prototypes and of the weights.
    window : float
        Least ratio of the two distances.

    Returns
    -------
    n_moves : int
    """
    n_features, n_prototypes = prototypes.shape
    distances = np.empty(n_prototypes)
    rate, weight_rate = rates
    n_moves = 0
    for row in order:
        wrong, right = two_nearest(prototypes, X[row], weights, distances)
        if prototype_classes[wrong] == classes[row]:
            continue
        if prototype_classes[right] != classes[row]:
            continue
        if np.sqrt(distances[wrong]) <= window * np.sqrt(distances[right]):
            continue
        n_moves += 1
        for j in range(n_features):
            weight = weights[j]
            to_wrong = X[row, j] - prototypes[j, wrong]
            to_right = X[row, j] - prototypes[j, right]
            prototypes[j, wrong] -= rate * weight * weight * to_wrong
            prototypes[j, right] += rate * weight * weight * to_right
            farther = to_right * to_right - to_wrong * to_wrong
            weights[j] -= weight_rate * weight * farther
    return n_moves
