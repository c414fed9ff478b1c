"""What rounds that close cells have in common: arrays in, arrays out, no checks."""

from typing import NamedTuple

import numpy as np

from microcell.kernels.codes import Codes, add_record, centre_of, distance_to_centre
from microcell.kernels.compiled import njit
from microcell.kernels.free_records import FreeRecords, hide, tighten
from microcell.kernels.outer_shell import (
    OuterShell,
    farthest_from_centre,
    top_is_large,
)
from microcell.kernels.records import remove


class PlainRun(NamedTuple):
    """Cells in the making, by scans.

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
        Cell of each record; -1 while it is free.
    k : int
    """

    free: np.ndarray
    rows: np.ndarray
    total: np.ndarray
    lost: np.ndarray
    codes: Codes
    labels: np.ndarray
    k: int


class IndexedRun(NamedTuple):
    """Cells in the making, by an index.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        The records; `records` holds them with a part in front, or as they are.
    records : FreeRecords
    shell : OuterShell
    batch : int
        How many entries the top of the shell takes in at a time.
    rows : ndarray of shape (n_samples,)
        Where each record stands in the table.
    total, lost, codes, labels, k
        As in `PlainRun`.
    stop_at : int
        The index is old when fewer records are free.
    sort_at : int
        The shell may be sorted again when fewer records are free.
    """

    X: np.ndarray
    records: FreeRecords
    shell: OuterShell
    batch: int
    rows: np.ndarray
    total: np.ndarray
    lost: np.ndarray
    codes: Codes
    labels: np.ndarray
    k: int
    stop_at: int
    sort_at: int


@njit(cache=True, nogil=True)
def farthest_free(run, n_free):
    """Position of the free record farthest from the centroid of the free ones."""
    free, codes = run.free, run.codes  # counted once, not for each record
    middle = centre_of(run.total, run.lost, n_free, codes)
    best, best_distance = 0, -1.0
    for i in range(n_free):
        distance = distance_to_centre(free[i], middle, codes)
        if distance > best_distance:
            best, best_distance = i, distance
    return best


@njit(cache=True, nogil=True)
def close_cell(run, n_free, cell, label):
    """Label the records at the positions `cell` and take them out of the free ones."""
    free, rows, labels = run.free, run.rows, run.labels
    total, lost, n_measured = run.total, run.lost, run.codes.n_measured
    for position in cell:
        labels[rows[position]] = label
        add_record(total, lost, free[position], -1.0, n_measured)
    return remove(free, rows, n_free, cell)


@njit(cache=True, nogil=True)
def farthest_indexed(run, n_free):
    """The free record farthest from the centroid of the free ones."""
    middle = centre_of(run.total, run.lost, n_free, run.codes)
    return farthest_from_centre(
        run.shell, run.X, run.records.free, middle, run.batch, run.codes
    )


@njit(cache=True, nogil=True)
def close_indexed_cell(run, cell, label):
    """Label the rows of `cell`, hide them and take them from the running sum.

    `cell` is scratch afterwards.
    """
    X, records, rows, labels = run.X, run.records, run.rows, run.labels
    total, lost, n_measured = run.total, run.lost, run.codes.n_measured
    cell.sort()
    for row in cell:
        labels[rows[row]] = label
        add_record(total, lost, X[row], -1.0, n_measured)
        hide(records, row)
    tighten(records, cell)


@njit(cache=True, nogil=True)
def shell_is_old(run, n_free):
    """Whether the shell should be sorted again before more cells are closed."""
    return n_free < run.sort_at and top_is_large(run.shell, run.batch, n_free)
