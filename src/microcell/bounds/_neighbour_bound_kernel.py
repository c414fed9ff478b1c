"""Inner loops of the neighbours' bound: arrays in, arrays out, no checks."""

import numpy as np

from microcell.kernels.box_queries import nearest_in_tree
from microcell.kernels.box_tree import LANES
from microcell.kernels.compiled import njit
from microcell.kernels.records import record_distance


@njit(cache=True, nogil=True)
def nearest_by_power(tree, X, codes, asking, rows, distances, reach):
    """Fill the lists of the rows `asking`; see `power_neighbours`."""
    wanted = rows.shape[1]
    near, near_rows = np.empty(wanted + 1), np.empty(wanted + 1, dtype=np.int64)
    point = np.empty(X.shape[1] + 1)
    point[0] = 0.0
    for a in range(asking.shape[0]):
        row = asking[a]
        point[1:] = X[row]
        nearest_in_tree(tree, point, tree.place[row] // LANES, near, near_rows)
        reach[row] = near[0]
        left_out = 0  # the last of the heap, unless the record itself is in it
        for at in range(wanted + 1):
            if near_rows[at] == row:
                left_out = at
        listed = 0
        for at in range(wanted + 1):
            if at != left_out:
                other = near_rows[at]
                rows[row, listed] = other
                distances[row, listed] = record_distance(X[row], X[other], codes)
                listed += 1


@njit(cache=True, nogil=True)
def keep_least(value, least):
    """Put a value into an ascending list of the least ones, if it belongs there."""
    at = least.shape[0] - 1
    if not value < least[at]:
        return
    while at > 0 and least[at - 1] > value:
        least[at] = least[at - 1]
        at -= 1
    least[at] = value


@njit(cache=True, nogil=True)
def meet_halfway(rows, distances, q, k, own, moved):
    """Move each multiplier halfway to what its record pays for its last neighbour.

    That is between the (k - 1)-th and the k-th least of d_ij - q_j.

    Parameters
    ----------
    own : ndarray of shape (n_records,)
        IN: multipliers of these records; `q` holds those of all.
    moved : ndarray of shape (n_records,)
        OUT
    """
    n_least = min(k, rows.shape[1])
    least = np.empty(n_least)
    for i in range(rows.shape[0]):
        least[:] = np.inf
        for at in range(rows.shape[1]):
            keep_least(distances[i, at] - q[rows[i, at]], least)
        pays = 0.5 * (least[k - 2] + least[n_least - 1])
        moved[i] = 0.5 * (own[i] + pays)


@njit(cache=True, nogil=True)
def sums_of_least(rows, distances, q, k, sums, sizes):
    """Fill the sum of the k - 1 least d_ij - q_j, and of the sizes of all terms."""
    least = np.empty(k - 1)
    for i in range(rows.shape[0]):
        least[:] = np.inf
        size = 0.0
        for at in range(rows.shape[1]):
            price = q[rows[i, at]]
            keep_least(distances[i, at] - price, least)
            size += distances[i, at] + abs(price)
        total = 0.0
        for at in range(k - 1):
            total += least[at]
        sums[i], sizes[i] = total, size
