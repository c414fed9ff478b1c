"""Inner loop of maximum distance: arrays in, arrays out, no checks."""

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.records import farthest, nearest_and_farthest, remove
from microcell.partition._farthest_pair_kernel import farthest_pair_at_once


@njit(cache=True, nogil=True)
def maximum_distance_rounds(
    free, rows, n_free, classes, seen, n_cells, k, codes, labels, visits
):
    """Close cells until fewer than 2k records are free or `visits` are spent.

    Parameters
    ----------
    free, rows : ndarray
        IN, OUT: the free records and where they stand in the table, as in MDAV.
    classes : ndarray of shape (n_samples,)
        Equal records have the same class.
    seen : ndarray of shape (n_classes,)
        SCRATCH: less than `n_cells`.

    Returns
    -------
    n_free, n_cells : int
    """
    cell, distances = np.empty(k, dtype=np.int64), np.empty(k)
    while n_free >= 2 * k and visits > 0:
        first, second, _, work = farthest_pair_at_once(
            free[:n_free], classes[rows[:n_free]], seen, n_cells
        )
        visits -= work + 2 * n_free
        centre = free[first].copy()
        nearest_and_farthest(free, n_free, first, cell, distances, codes)
        before = np.searchsorted(cell, second)
        is_gone = before < k and cell[before] == second
        labels[rows[cell]] = n_cells
        n_free = remove(free, rows, n_free, cell)
        if is_gone:  # it left: all are equally far
            second = farthest(free, n_free, centre, codes)
        else:
            second -= before
        nearest_and_farthest(free, n_free, second, cell, distances, codes)
        labels[rows[cell]] = n_cells + 1
        n_free = remove(free, rows, n_free, cell)
        n_cells += 2
    return n_free, n_cells
