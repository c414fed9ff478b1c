"""Rounds of p-sensitive first: arrays in, arrays out, no checks, no randomness."""

import numpy as np

from microcell.compose._k_anonymity_first_kernel import (
    indexed_in_order,
    nearest_in_order,
)
from microcell.kernels.compiled import njit
from microcell.kernels.free_records import hide
from microcell.kernels.records import record_distance
from microcell.partition import (
    close_cell,
    close_indexed_cell,
    farthest_free,
    farthest_indexed,
    shell_is_old,
)

GROWTH = 4  # how many times more records are looked at when values are missing
MAX_INDEXED_SHARE = (
    1 / 256
)  # of the records, to look for by an index; more are scanned for


@njit(cache=True, nogil=True)
def choose_members(run, code, p, near, cell):
    """Fill `cell` from `near`, the nearest first; how many there were.

    A record whose value is there is skipped once all places are needed for others.
    """
    k, n_taken, n_values = cell.shape[0], 0, 0
    for i in range(near.shape[0]):
        if n_taken == k:
            break
        own, is_new = code[run.rows[near[i]]], True
        for j in range(n_taken):
            is_new &= code[run.rows[cell[j]]] != own
        if is_new or k - n_taken > p - n_values:
            cell[n_taken] = near[i]
            n_taken += 1
            n_values += 1 if is_new else 0
    return n_taken


@njit(cache=True, nogil=True)
def scan_for_values(run, code, point, cell, n_taken):
    """Fill the other places of `cell` with the nearest free record of a new value."""
    for place in range(n_taken, cell.shape[0]):
        best = np.inf
        for row in range(run.X.shape[0]):
            if not run.records.free[row]:
                continue
            own, is_new = code[run.rows[row]], True
            for j in range(place):
                is_new &= code[run.rows[cell[j]]] != own
            if is_new:
                distance = record_distance(run.X[row], point, run.codes)
                if distance < best:
                    best, cell[place] = distance, row


@njit(cache=True, nogil=True)
def take_values(run, code, cell, left):
    """Take the values of a cell from those that are `left`."""
    for position in cell:
        left[code[run.rows[position]]] -= 1


@njit(cache=True, nogil=True)
def p_sensitive_first_rounds(run, code, left, p, n_free, n_cells, visits):
    """Close cells until fewer than 2k records are free or `visits` are spent.

    Parameters
    ----------
    run : PlainRun
        IN, OUT
    code : ndarray of shape (n_samples,)
        Value of each row of the table, 0 to n_values - 1.
    left : ndarray of shape (n_values,)
        IN, OUT: free records of each value.
    p : int
        Values of each cell; all that are left, if these are fewer.
    n_free, n_cells, visits : int
        As in `mdav_rounds`.
    """
    k = run.k
    cell = np.empty(k, dtype=np.int64)
    while n_free >= 2 * k and visits > 0:
        extreme = farthest_free(run, n_free)
        wanted, n_near, enough = min(p, np.count_nonzero(left)), k, False
        while not enough:
            visits -= 2 * n_free
            near, distances = np.empty(n_near, dtype=np.int64), np.empty(n_near)
            nearest_in_order(run, n_free, extreme, distances, near)
            enough = choose_members(run, code, wanted, near, cell) == k
            n_near = min(n_free, GROWTH * n_near)
        take_values(run, code, cell, left)
        cell.sort()
        n_free = close_cell(run, n_free, cell, n_cells)
        n_cells += 1
    return n_free, n_cells


@njit(cache=True, nogil=True)
def indexed_p_sensitive_first_rounds(run, code, left, p, n_free, n_cells, visits):
    """The same by an index."""
    k, least_free = run.k, max(2 * run.k, run.stop_at)
    cell = np.empty(k, dtype=np.int64)
    most_near = max(GROWTH * k, MAX_INDEXED_SHARE * n_free)
    visits += run.records.visits[0]
    while n_free >= least_free and run.records.visits[0] < visits:
        extreme = farthest_indexed(run, n_free)
        hide(run.records, extreme)
        wanted, n_near, n_taken = min(p, np.count_nonzero(left)), k, 0
        while n_taken < k:
            near = indexed_in_order(run, extreme, n_near)
            n_taken = choose_members(run, code, wanted, near, cell)
            n_near *= GROWTH
            if n_taken < k and n_near > most_near:  # all places are for new values
                scan_for_values(run, code, run.X[extreme], cell, n_taken)
                visits -= (k - n_taken) * run.X.shape[0]
                n_taken = k
        take_values(run, code, cell, left)
        close_indexed_cell(run, cell, n_cells)
        n_free -= k
        n_cells += 1
        run.records.visits[0] += k
        if shell_is_old(run, n_free):
            break
    return n_free, n_cells
