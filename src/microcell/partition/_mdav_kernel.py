"""Inner loops of MDAV: arrays in, arrays out, no checks, no randomness."""

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.records import (
    add_to_sum,
    centroid,
    farthest,
    nearest_and_farthest,
    remove,
)


@njit(cache=True, nogil=True)
def close_cell(free, rows, n_free, cell, total, lost, labels, label):
    """Label the records at the positions `cell` and take them out of the free ones."""
    for position in cell:
        labels[rows[position]] = label
        add_to_sum(total, lost, free[position], -1.0)
    return remove(free, rows, n_free, cell)


@njit(cache=True, nogil=True)
def mdav_rounds(
    free, rows, n_free, total, lost, labels, n_cells, k, pairs_from, visits
):
    """Close cells until fewer than 2k records are free or `visits` are spent.

    Parameters
    ----------
    free : ndarray of shape (n_samples, n_features)
        IN, OUT: the free records, in the first `n_free` rows, in table order.
    rows : ndarray of shape (n_samples,)
        IN, OUT: where each free record stands in the table.
    total, lost : ndarray of shape (n_features,)
        IN, OUT: running sum of the free records.
    labels : ndarray of shape (n_samples,)
        OUT: cell of each record that has one.
    pairs_from : int
        Two cells are closed in a round while so many records are free: 3k, or 2k.
    visits : int
        How many records may be looked at; the round in progress is finished.

    Returns
    -------
    n_free, n_cells : int
    """
    cell = np.empty(k, dtype=np.int64)
    distances = np.empty(k)
    while n_free >= 2 * k and visits > 0:
        visits -= 3 * n_free
        in_pairs = n_free >= pairs_from
        extreme = farthest(free, n_free, centroid(total, lost, n_free))
        centre = free[extreme].copy()
        opposite = nearest_and_farthest(free, n_free, extreme, cell, distances)
        before = np.searchsorted(cell, opposite)
        n_free = close_cell(free, rows, n_free, cell, total, lost, labels, n_cells)
        n_cells += 1
        if in_pairs:
            if before < k and cell[before] == opposite:  # it left: all are equally far
                opposite = farthest(free, n_free, centre)
            else:
                opposite -= before
            nearest_and_farthest(free, n_free, opposite, cell, distances)
            n_free = close_cell(free, rows, n_free, cell, total, lost, labels, n_cells)
            n_cells += 1
    return n_free, n_cells
