"""Inner loops of V-MDAV: arrays in, arrays out, no checks, no randomness."""

from typing import NamedTuple

import numpy as np

from microcell.kernels.codes import Codes
from microcell.kernels.compiled import njit
from microcell.kernels.records import nearest_and_farthest, record_distance, remove


class PlainRun(NamedTuple):
    """V-MDAV in progress, by scans.

    Attributes
    ----------
    free, rows
        As in the `PlainRun` of MDAV.
    order : ndarray of shape (n_samples,)
        Records by decreasing distance to the centroid of all.
    labels : ndarray of shape (n_samples,)
        Cell of each record; -1 while it is free.
    k : int
    gamma : float
    codes : Codes
        Which columns hold codes.
    """

    free: np.ndarray
    rows: np.ndarray
    order: np.ndarray
    labels: np.ndarray
    k: int
    gamma: float
    codes: Codes


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
def extend_cell(run, n_free, members, to_cell, label):
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
    free, rows, k, gamma = run.free, run.rows, run.k, run.gamma
    n_members, codes = k, run.codes
    one = np.empty(1, dtype=np.int64)
    distances_to_cell(free, n_free, members, n_members, to_cell, codes)
    while n_members < 2 * k - 1 and n_free > 0:
        candidate = np.argmin(to_cell[:n_free])  # the earlier of equally near ones
        inside = np.sqrt(to_cell[candidate])
        outside = distance_to_another(free, n_free, candidate, codes)
        outside = np.sqrt(outside)
        if not inside < gamma * outside:
            break
        members[n_members] = free[candidate]
        run.labels[rows[candidate]] = label
        one[0] = candidate
        for i in range(candidate + 1, n_free):
            to_cell[i - 1] = to_cell[i]
        n_free = remove(free, rows, n_free, one)
        for i in range(n_free):
            distance = record_distance(free[i], members[n_members], codes)
            to_cell[i] = min(to_cell[i], distance)
        n_members += 1
    return n_free


@njit(cache=True, nogil=True)
def vmdav_rounds(run, n_free, n_cells, turn, visits):
    """Close cells until fewer than k records are free or `visits` are spent.

    Parameters
    ----------
    run : PlainRun
        IN, OUT
    n_free, n_cells, visits
        As in `mdav_rounds`.
    turn : int
        Where in the order to look for the next free record.

    Returns
    -------
    n_free, n_cells, turn : int
    """
    free, rows, labels, k, gamma = run.free, run.rows, run.labels, run.k, run.gamma
    cell = np.empty(k, dtype=np.int64)
    distances = np.empty(k)
    members = np.empty((2 * k - 1, free.shape[1]))
    to_cell = np.empty(n_free if gamma > 0 else 0)
    while n_free >= k and visits > 0:
        visits -= n_free * (k + 2 if gamma > 0 else 1)
        while labels[run.order[turn]] >= 0:
            turn += 1
        extreme = np.searchsorted(rows[:n_free], run.order[turn])
        nearest_and_farthest(free, n_free, extreme, cell, distances, run.codes)
        for m in range(k):
            members[m] = free[cell[m]]
            labels[rows[cell[m]]] = n_cells
        n_free = remove(free, rows, n_free, cell)
        if gamma > 0:
            n_free = extend_cell(run, n_free, members, to_cell, n_cells)
        n_cells += 1
    return n_free, n_cells, turn
