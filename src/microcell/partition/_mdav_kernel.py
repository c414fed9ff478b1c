"""Inner loops of MDAV: arrays in, arrays out, no checks, no randomness."""

from typing import NamedTuple

import numpy as np

from microcell.kernels.codes import (
    Codes,
    add_record,
    centre_of,
    distance_to_centre,
    sum_of_records,
)
from microcell.kernels.compiled import njit
from microcell.kernels.records import farthest, nearest_and_farthest, remove


class PlainRun(NamedTuple):
    """MDAV in progress, by scans.

    Attributes
    ----------
    free : ndarray of shape (n_samples, n_features)
        The free records, in the first rows, in table order.
    rows : ndarray of shape (n_samples,)
        Where each free record stands in the table.
    total, lost : ndarray
        Running sum of the free records.
    codes : Codes
        Which columns hold codes.
    labels : ndarray of shape (n_samples,)
        Cell of each record that has one.
    k : int
    pairs_from : int
        Two cells are closed in a round while so many records are free: 3k, or 2k.
    """

    free: np.ndarray
    rows: np.ndarray
    total: np.ndarray
    lost: np.ndarray
    codes: Codes
    labels: np.ndarray
    k: int
    pairs_from: int


@njit(cache=True, nogil=True)
def close_cell(run, n_free, cell, label):
    """Label the records at the positions `cell` and take them out of the free ones."""
    for position in cell:
        run.labels[run.rows[position]] = label
        record, n_measured = run.free[position], run.codes.n_measured
        add_record(run.total, run.lost, record, -1.0, n_measured)
    return remove(run.free, run.rows, n_free, cell)


@njit(cache=True, nogil=True)
def farthest_from(free, n_free, centre, codes):
    """Position of the free record farthest from a centre."""
    best, best_distance = 0, -1.0
    for i in range(n_free):
        distance = distance_to_centre(free[i], centre, codes)
        if distance > best_distance:
            best, best_distance = i, distance
    return best


@njit(cache=True, nogil=True)
def mdav_rounds(run, n_free, n_cells, visits):
    """Close cells until fewer than 2k records are free or `visits` are spent.

    Parameters
    ----------
    run : PlainRun
        IN, OUT
    n_free, n_cells : int
        Free records and closed cells so far.
    visits : int
        How many records may be looked at; the round in progress is finished.

    Returns
    -------
    n_free, n_cells : int
    """
    free, k, codes = run.free, run.k, run.codes
    cell = np.empty(k, dtype=np.int64)
    distances = np.empty(k)
    while n_free >= 2 * k and visits > 0:
        visits -= 3 * n_free
        in_pairs = n_free >= run.pairs_from
        middle = centre_of(run.total, run.lost, n_free, codes)
        extreme = farthest_from(free, n_free, middle, codes)
        centre = free[extreme].copy()
        opposite = nearest_and_farthest(free, n_free, extreme, cell, distances, codes)
        before = np.searchsorted(cell, opposite)
        n_free = close_cell(run, n_free, cell, n_cells)
        n_cells += 1
        if in_pairs:
            if before < k and cell[before] == opposite:  # it left: all are equally far
                opposite = farthest(free, n_free, centre, codes)
            else:
                opposite -= before
            nearest_and_farthest(free, n_free, opposite, cell, distances, codes)
            n_free = close_cell(run, n_free, cell, n_cells)
            n_cells += 1
    return n_free, n_cells


@njit(cache=True, nogil=True)
def close_one_cell(run, n_free, label):
    """Close a cell of k around the free record farthest from the centroid."""
    codes = run.codes
    cell, distances = np.empty(run.k, dtype=np.int64), np.empty(run.k)
    middle = centre_of(run.total, run.lost, n_free, codes)
    extreme = farthest_from(run.free, n_free, middle, codes)
    nearest_and_farthest(run.free, n_free, extreme, cell, distances, codes)
    return close_cell(run, n_free, cell, label)


@njit(cache=True, nogil=True)
def close_last_cell(X, rows, k, label, codes, labels):
    """Close one cell of k among k to 2k - 1 rows; return the rows that are left."""
    free = X[rows]
    total, lost = sum_of_records(free, codes)
    run = PlainRun(free, rows.copy(), total, lost, codes, labels, k, 2 * k)
    n_free = close_one_cell(run, rows.shape[0], label)
    return run.rows[:n_free]
