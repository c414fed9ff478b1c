"""Rounds of t-closeness first: arrays in, arrays out, no checks, no randomness."""

import numpy as np

from microcell.kernels.box_queries import nearest_in_tree
from microcell.kernels.box_tree import LANES
from microcell.kernels.compiled import njit
from microcell.kernels.records import record_distance
from microcell.partition import (
    close_cell,
    close_indexed_cell,
    farthest_free,
    farthest_indexed,
    shell_is_old,
)


@njit(cache=True, nogil=True)
def nearest_of_subsets(run, n_free, point, subset, extra, cell):
    """Fill `cell` with the free record of each subset that is nearest to `point`.

    If `extra` is a subset, the last place of `cell` is for its second nearest.
    """
    n_subsets = cell.shape[0] - (1 if extra >= 0 else 0)
    best, second = np.full(n_subsets, np.inf), np.inf
    for i in range(n_free):
        own = subset[run.rows[i]]
        distance = record_distance(run.free[i], point, run.codes)
        if distance < best[own]:
            if own == extra:
                second, cell[n_subsets] = best[own], cell[own]
            best[own], cell[own] = distance, i
        elif own == extra and distance < second:
            second, cell[n_subsets] = distance, i


@njit(cache=True, nogil=True)
def t_closeness_first_rounds(run, subset, extras, n_free, n_cells, visits):
    """Close cells of one record from each subset until none is free.

    Parameters
    ----------
    run : PlainRun
        IN, OUT
    subset : ndarray of shape (n_samples,)
        Subset of each row of the table.
    extras : ndarray of shape (n_subsets,)
        IN, OUT: records of each subset beyond one for each cell.
    n_free, n_cells, visits : int
        As in `mdav_rounds`.
    """
    n_subsets = extras.shape[0]
    while n_free > 0 and visits > 0:
        visits -= 2 * n_free
        extreme = farthest_free(run, n_free)
        point = run.free[extreme].copy()
        extra = np.argmax(extras)
        if extras[extra] == 0:
            extra = -1
        cell = np.zeros(n_subsets + (1 if extra >= 0 else 0), dtype=np.int64)
        nearest_of_subsets(run, n_free, point, subset, extra, cell)
        if extra >= 0:
            extras[extra] -= 1
        cell.sort()
        n_free = close_cell(run, n_free, cell, n_cells)
        n_cells += 1
    return n_free, n_cells


@njit(cache=True, nogil=True)
def indexed_t_closeness_first_rounds(run, step, extras, n_free, n_cells, visits):
    """The same by an index whose first column is the subset, at steps of `step`."""
    tree, n_subsets = run.records.tree, extras.shape[0]
    near, near_rows = np.empty(2), np.empty(2, dtype=np.int32)
    leaves = np.full(n_subsets, -1, dtype=np.int64)  # where to look first
    for row in range(run.X.shape[0]):
        own = np.int64(run.records.X[row, 0] / step)
        if leaves[own] < 0:
            leaves[own] = tree.place[row] // LANES
    while n_free > 0 and n_free >= run.stop_at and visits > 0:
        extreme = farthest_indexed(run, n_free)
        point = run.records.X[extreme].copy()
        extra = np.argmax(extras)
        if extras[extra] == 0:
            extra = -1
        cell = np.empty(n_subsets + (1 if extra >= 0 else 0), dtype=np.int64)
        for own in range(n_subsets):
            point[0] = own * step
            wanted = 2 if own == extra else 1
            opened = nearest_in_tree(
                tree, point, leaves[own], near[:wanted], near_rows[:wanted]
            )
            visits -= LANES * opened
            cell[own] = near_rows[0]
            leaves[own] = tree.place[near_rows[0]] // LANES
            if wanted == 2:
                cell[n_subsets] = near_rows[1]
        if extra >= 0:
            extras[extra] -= 1
        close_indexed_cell(run, cell, n_cells)
        n_free -= cell.shape[0]
        n_cells += 1
        if shell_is_old(run, n_free):
            break
    return n_free, n_cells
