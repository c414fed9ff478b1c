"""Rounds of p-sensitive first: arrays in, arrays out, no checks, no randomness."""

import numpy as np

from microcell.compose._k_anonymity_first_kernel import nearest_in_order
from microcell.kernels.codes import centre_of
from microcell.kernels.compiled import njit
from microcell.kernels.records import record_distance
from microcell.partition._mdav_kernel import close_cell, farthest_from


@njit(cache=True, nogil=True)
def nearest_of_values(run, n_free, point, code, best, place):
    """Nearest free record of each value to `point`, and how far it is."""
    best[:] = np.inf
    for i in range(n_free):
        own = code[run.rows[i]]
        distance = record_distance(run.free[i], point, run.codes)
        if distance < best[own]:
            best[own], place[own] = distance, i


@njit(cache=True, nogil=True)
def choose_members(run, code, p, near, best, place, cell):
    """Fill `cell` from `near`, the nearest first, and the nearest of other values."""
    k, n_taken, n_values = cell.shape[0], 0, 0
    taken = np.zeros(k, dtype=np.bool_)
    for i in range(k):
        own = code[run.rows[near[i]]]
        is_new = True
        for j in range(n_taken):
            is_new &= code[run.rows[cell[j]]] != own
        if is_new or k - n_taken > p - n_values:
            cell[n_taken] = near[i]
            taken[i] = True
            n_taken += 1
            n_values += 1 if is_new else 0
            best[own] = np.inf  # it is there
    while n_taken < k:
        nearest = 0
        for value in range(1, best.shape[0]):
            is_earlier = best[value] == best[nearest] and place[value] < place[nearest]
            if best[value] < best[nearest] or is_earlier:
                nearest = value
        if best[nearest] == np.inf:
            break
        cell[n_taken] = place[nearest]
        best[nearest] = np.inf
        n_taken += 1
    for i in range(k):  # there are no more values: take the nearest after all
        if n_taken < k and not taken[i]:
            cell[n_taken] = near[i]
            n_taken += 1


@njit(cache=True, nogil=True)
def p_sensitive_first_rounds(run, code, n_values, p, n_free, n_cells, visits):
    """Close cells until fewer than 2k records are free or `visits` are spent.

    Parameters
    ----------
    run : PlainRun
        IN, OUT
    code : ndarray of shape (n_samples,)
        Value of each row of the table, 0 to n_values - 1.
    n_values, p : int
        Values of the table, and of each cell at least.
    n_free, n_cells, visits : int
        As in `mdav_rounds`.
    """
    k = run.k
    cell, near = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    distances, best = np.empty(k), np.empty(n_values)
    place = np.zeros(n_values, dtype=np.int64)
    while n_free >= 2 * k and visits > 0:
        visits -= 3 * n_free
        middle = centre_of(run.total, run.lost, n_free, run.codes)
        extreme = farthest_from(run.free, n_free, middle, run.codes)
        point = run.free[extreme].copy()
        nearest_in_order(run, n_free, extreme, distances, near)
        nearest_of_values(run, n_free, point, code, best, place)
        choose_members(run, code, p, near, best, place, cell)
        cell.sort()
        n_free = close_cell(run, n_free, cell, n_cells)
        n_cells += 1
    return n_free, n_cells
