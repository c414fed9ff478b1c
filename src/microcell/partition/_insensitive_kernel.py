"""Inner loop of insensitive cells: arrays in, arrays out, no checks."""

import numpy as np

from microcell.kernels.compiled import njit


@njit(cache=True, nogil=True)
def insensitive_labels(orders, k):
    """Cell of each record: the k first free ones of each order in turn, O(n orders).

    Parameters
    ----------
    orders : int64 array of shape (n_orders, n_samples)
        Records in ascending distance from each reference point.
    k : int
        Records of a cell; the last has up to 2k - 1.
    """
    n_orders, n_samples = orders.shape
    labels = np.full(n_samples, -1, dtype=np.int64)
    place = np.zeros(n_orders, dtype=np.int64)
    n_free = n_samples
    cell = 0
    while n_free > 0:
        size = k if n_free >= 2 * k else n_free
        turn = cell % n_orders
        n_taken = 0
        while n_taken < size:
            record = orders[turn, place[turn]]
            place[turn] += 1
            if labels[record] < 0:
                labels[record] = cell
                n_taken += 1
        n_free -= size
        cell += 1
    return labels
