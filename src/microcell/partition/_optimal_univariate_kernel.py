"""Inner loops of the optimal partition along an order: no checks, no randomness.

The cost of a run of records is built up one record at a time: with mean m of c values,
a further value y adds (y - m)^2 c / (c + 1). All terms are positive, so nothing
cancels, however large or clustered the values are; differences of prefix sums, the
usual way, lose all digits on values near 1e9 that differ by 1.
"""

import numpy as np

from microcell.kernels.compiled import njit


@njit(cache=True, nogil=True)
def best_cuts(Y, k, start, stop, cost, size):
    """Least cost of cutting the first j records into cells, for j in start..stop.

    Parameters
    ----------
    Y : ndarray of shape (n_samples, n_columns)
        The records in their order.
    cost : ndarray of shape (n_samples + 1,)
        IN, OUT: least cost of the first j records; infinite where there is none.
    size : ndarray of shape (n_samples + 1,)
        OUT: size of the last cell in that partition; the smallest one on ties.
    """
    n_columns = Y.shape[1]
    steps = np.arange(1, 2 * k + 1)
    share, weight = 1.0 / steps, (steps - 1) / steps
    mean = np.empty(n_columns)
    for j in range(start, stop):
        mean[:] = 0.0
        run, best, best_size = 0.0, np.inf, 0
        for m in range(1, min(2 * k - 1, j) + 1):
            for c in range(n_columns):
                difference = Y[j - m, c] - mean[c]
                run += difference * difference * weight[m - 1]
                mean[c] += difference * share[m - 1]
            if m >= k and cost[j - m] + run < best:
                best, best_size = cost[j - m] + run, m
        cost[j], size[j] = best, best_size


@njit(cache=True, nogil=True)
def label_cells(size, order, labels):
    """Number the cells along the order; return how many there are."""
    n_cells, j = 0, order.shape[0]
    while j > 0:
        n_cells += 1
        j -= size[j]
    cell, j = n_cells, order.shape[0]
    while j > 0:
        cell -= 1
        for i in range(j - size[j], j):
            labels[order[i]] = cell
        j -= size[j]
    return n_cells
