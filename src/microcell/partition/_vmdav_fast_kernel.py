"""Rounds of V-MDAV on indexed records: arrays in, arrays out, no checks."""

from typing import NamedTuple

import numpy as np

from microcell.kernels.box_tree import LANES
from microcell.kernels.compiled import njit
from microcell.kernels.free_records import FreeRecords, hide, nearest_records, tighten

VISITS_OF_VMDAV_ROUND = 50 * LANES  # what a round costs besides its queries


class IndexedRun(NamedTuple):
    """V-MDAV in progress, by an index.

    Attributes
    ----------
    records : FreeRecords
    rows, place : ndarray of shape (n_samples,)
        Where each record stands in the table, and where the table's are in `records`.
    order, labels, k, gamma
        As in `PlainRun`.
    stop_at : int
        The index is old when fewer records are free.
    """

    records: FreeRecords
    rows: np.ndarray
    place: np.ndarray
    order: np.ndarray
    labels: np.ndarray
    k: int
    gamma: float
    stop_at: int


class NearestFree(NamedTuple):
    """The free record nearest to each member of a cell.

    Attributes
    ----------
    distances, rows : ndarray of shape (2 * k - 1,)
        Squared distance and row of that record.
    """

    distances: np.ndarray
    rows: np.ndarray


@njit(cache=True, nogil=True)
def nearest_of_member(records, member, m, near, near_rows, nearest):
    """Note the free record nearest to a member of the cell, and its distance."""
    nearest_records(records, member, near[:1], near_rows[:1])
    nearest.distances[m], nearest.rows[m] = near[0], near_rows[0]


@njit(cache=True, nogil=True)
def extend_indexed_cell(run, members, nearest):
    """Let records join as `extend_cell` does; return the number of members.

    Parameters
    ----------
    members : ndarray of shape (2 * k - 1,)
        IN, OUT: rows of the cell.
    nearest : NearestFree
        Scratch.
    """
    records, k = run.records, run.k
    to_free, free_rows = nearest.distances, nearest.rows
    near, near_rows = np.empty(2), np.empty(2, dtype=np.int32)
    one = np.empty(1, dtype=np.int64)
    for m in range(k):
        nearest_of_member(records, members[m], m, near, near_rows, nearest)
    n_members = k
    while n_members < 2 * k - 1:
        best = 0
        for m in range(1, n_members):
            if to_free[m] < to_free[best] or (
                to_free[m] == to_free[best] and free_rows[m] < free_rows[best]
            ):
                best = m
        if to_free[best] == np.inf:
            break  # no record is free
        candidate = free_rows[best]
        nearest_records(records, candidate, near, near_rows)  # itself and another
        if not np.sqrt(to_free[best]) < run.gamma * np.sqrt(near[0]):
            break
        members[n_members], one[0] = candidate, candidate
        free_rows[n_members] = candidate
        n_members += 1
        hide(records, candidate)
        tighten(records, one)
        for m in range(n_members):
            if free_rows[m] == candidate:
                nearest_of_member(records, members[m], m, near, near_rows, nearest)
    return n_members


@njit(cache=True, nogil=True)
def indexed_vmdav_rounds(run, n_free, n_cells, turn, visits):
    """Close cells as `vmdav_rounds` does, until `visits` are spent or the index ages.

    Parameters
    ----------
    run : IndexedRun
        IN, OUT
    n_free, n_cells, turn, visits
        As in `vmdav_rounds`.

    Returns
    -------
    n_free, n_cells, turn : int
    """
    records, order, labels, k = run.records, run.order, run.labels, run.k
    near, near_rows = np.empty(k - 1), np.empty(k - 1, dtype=np.int32)
    members, cell = np.empty(2 * k - 1, np.int64), np.empty(k, np.int64)
    nearest = NearestFree(np.empty(2 * k - 1), np.empty(2 * k - 1, np.int64))
    visits += records.visits[0]
    while n_free >= max(k, run.stop_at) and records.visits[0] < visits:
        records.visits[0] += VISITS_OF_VMDAV_ROUND
        while labels[order[turn]] >= 0:
            turn += 1
        members[0] = run.place[order[turn]]
        hide(records, members[0])
        nearest_records(records, members[0], near, near_rows)
        for m in range(k - 1):
            members[m + 1] = near_rows[m]
            hide(records, near_rows[m])
        for m in range(k):
            cell[m] = members[m]
        tighten(records, cell)
        n_members = k
        if run.gamma > 0:
            n_members = extend_indexed_cell(run, members, nearest)
        for m in range(n_members):
            labels[run.rows[members[m]]] = n_cells
        n_free -= n_members
        n_cells += 1
    return n_free, n_cells, turn
