"""Inner loops of V-MDAV: arrays in, arrays out, no checks, no randomness."""

from typing import NamedTuple

import numpy as np

from microcell.kernels.box_tree import LANES
from microcell.kernels.compiled import njit
from microcell.kernels.free_records import hide, nearest_records
from microcell.kernels.records import nearest_and_farthest, record_distance
from microcell.partition._rounds_kernel import close_cell, close_indexed_cell

VISITS_OF_VMDAV_ROUND = 50 * LANES  # what a round costs besides its queries


@njit(cache=True, nogil=True)
def distances_to_cell(free, n_free, members, n_members, to_cell, codes):
    """Fill `to_cell` with each free record's least distance to a member."""
    for i in range(n_free):
        least = np.inf
        for m in range(n_members):
            least = min(least, record_distance(free[i], members[m], codes))
        to_cell[i] = least


@njit(cache=True, nogil=True)
def distance_to_another(free, n_free, position, codes):
    """Least squared distance from a free record to another free record."""
    least = np.inf
    for i in range(n_free):
        if i != position:
            distance = record_distance(free[i], free[position], codes)
            least = min(least, distance)
    return least


@njit(cache=True, nogil=True)
def extend_cell(run, n_free, gamma, members, to_cell, label):
    """Let records join that are nearer to the cell than `gamma` times to another one.

    Parameters
    ----------
    run : PlainRun
        IN, OUT
    members : ndarray of shape (2 * k - 1, n_features)
        IN, OUT: records of the cell, k of them at first.
    to_cell : ndarray of shape (n_samples,)
        Scratch: least squared distance of each free record to the cell.

    Returns
    -------
    n_free : int
    """
    free, k, codes, n_members = run.free, run.k, run.codes, run.k
    one = np.empty(1, dtype=np.int64)
    distances_to_cell(free, n_free, members, n_members, to_cell, codes)
    while n_members < 2 * k - 1 and n_free > 0:
        candidate = np.argmin(to_cell[:n_free])  # the earlier of equally near ones
        inside = np.sqrt(to_cell[candidate])
        outside = distance_to_another(free, n_free, candidate, codes)
        outside = np.sqrt(outside)
        if not inside < gamma * outside:
            break
        members[n_members], one[0] = free[candidate], candidate
        for i in range(candidate + 1, n_free):
            to_cell[i - 1] = to_cell[i]
        n_free = close_cell(run, n_free, one, label)
        for i in range(n_free):
            distance = record_distance(free[i], members[n_members], codes)
            to_cell[i] = min(to_cell[i], distance)
        n_members += 1
    return n_free


@njit(cache=True, nogil=True)
def vmdav_rounds(run, order, gamma, turn, n_free, n_cells, visits):
    """Close cells until fewer than k records are free or `visits` are spent.

    Parameters
    ----------
    run : PlainRun
        IN, OUT
    order : ndarray of shape (n_samples,)
        Records by decreasing distance to the centroid of all.
    gamma : float
    turn : ndarray of shape (1,)
        IN, OUT: where in the order to look for the next free record.
    n_free, n_cells, visits
        As in `mdav_rounds`.

    Returns
    -------
    n_free, n_cells : int
    """
    free, k = run.free, run.k
    cell = np.empty(k, dtype=np.int64)
    distances = np.empty(k)
    members = np.empty((2 * k - 1, free.shape[1]))
    to_cell = np.empty(n_free if gamma > 0 else 0)
    while n_free >= k and visits > 0:
        visits -= n_free * (k + 2 if gamma > 0 else 1)
        extreme = np.searchsorted(run.rows[:n_free], next_in_turn(run, order, turn))
        nearest_and_farthest(free, n_free, extreme, cell, distances, run.codes)
        for m in range(k):
            members[m] = free[cell[m]]
        n_free = close_cell(run, n_free, cell, n_cells)
        if gamma > 0:
            n_free = extend_cell(run, n_free, gamma, members, to_cell, n_cells)
        n_cells += 1
    return n_free, n_cells


@njit(cache=True, nogil=True)
def next_in_turn(run, order, turn):
    """The first record of the order that is free."""
    labels, at = run.labels, turn[0]
    while labels[order[at]] >= 0:
        at += 1
    turn[0] = at
    return order[at]


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
def extend_indexed_cell(run, gamma, members, nearest, label):
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
        if not np.sqrt(to_free[best]) < gamma * np.sqrt(near[0]):
            break
        members[n_members], one[0] = candidate, candidate
        free_rows[n_members] = candidate
        n_members += 1
        close_indexed_cell(run, one, label)
        for m in range(n_members):
            if free_rows[m] == candidate:
                nearest_of_member(records, members[m], m, near, near_rows, nearest)
    return n_members


@njit(cache=True, nogil=True)
def indexed_vmdav_rounds(run, order, gamma, turn, n_free, n_cells, visits):
    """Close cells as `vmdav_rounds` does, until `visits` are spent or the index ages.

    Parameters
    ----------
    run : IndexedRun
        IN, OUT
    order, gamma, turn, n_free, n_cells, visits
        As in `vmdav_rounds`.

    Returns
    -------
    n_free, n_cells : int
    """
    records, k = run.records, run.k
    near, near_rows = np.empty(k - 1), np.empty(k - 1, dtype=np.int32)
    members = np.empty(2 * k - 1, np.int64)
    nearest = NearestFree(np.empty(2 * k - 1), np.empty(2 * k - 1, np.int64))
    visits += records.visits[0]
    while n_free >= max(k, run.stop_at) and records.visits[0] < visits:
        records.visits[0] += VISITS_OF_VMDAV_ROUND
        extreme = np.searchsorted(run.rows, next_in_turn(run, order, turn))
        hide(records, extreme)
        nearest_records(records, extreme, near, near_rows)
        members[0] = extreme
        for m in range(k - 1):
            members[m + 1] = near_rows[m]
        close_indexed_cell(run, members[:k].copy(), n_cells)
        n_members = k
        if gamma > 0:
            n_members = extend_indexed_cell(run, gamma, members, nearest, n_cells)
        n_free -= n_members
        n_cells += 1
    return n_free, n_cells
