"""Inner loops of MDAV: arrays in, arrays out, no checks, no randomness."""

import numpy as np

from microcell.kernels.box_tree import LANES
from microcell.kernels.codes import centre_of, sum_of_records
from microcell.kernels.compiled import njit
from microcell.kernels.free_records import (
    farthest_from_point,
    farthest_record,
    hide,
    nearest_and_farthest_records,
    nearest_records,
    uses_tree,
)
from microcell.kernels.outer_shell import top_is_long
from microcell.kernels.records import farthest, nearest_and_farthest
from microcell.partition._rounds_kernel import (
    PlainRun,
    close_cell,
    close_indexed_cell,
    farthest_free,
    farthest_indexed,
    shell_is_old,
)

VISITS_OF_MDAV_ROUND = 100 * LANES  # what a round costs besides its queries
VISITS_FROM_CENTRE = 50 * LANES  # what a search in the tree for the centre may cost
WASTED = 128  # part of a slice of work that such searches may cost beyond that


@njit(cache=True, nogil=True)
def mdav_rounds(run, pairs_from, n_free, n_cells, visits):
    """Close cells until fewer than 2k records are free or `visits` are spent.

    Parameters
    ----------
    run : PlainRun
        IN, OUT
    pairs_from : int
        Two cells are closed in a round while so many records are free: 3k, or 2k.
    n_free, n_cells : int
        Free records and closed cells so far.
    visits : int
        How many records may be looked at; the round in progress is finished.

    Returns
    -------
    n_free, n_cells : int
    """
    while n_free >= 2 * run.k and visits > 0:
        visits -= 3 * n_free
        in_pairs = n_free >= pairs_from
        extreme = farthest_free(run, n_free)
        n_free, n_cells = close_around(run, extreme, -1, in_pairs, n_free, n_cells)
    return n_free, n_cells


@njit(cache=True, nogil=True)
def close_around(run, first, second, in_pairs, n_free, n_cells):
    """Close a cell of k around a free record, and around another one if `in_pairs`.

    The other one is that at the position `second`, or the farthest if that is -1.
    """
    free, k, codes = run.free, run.k, run.codes
    cell, distances = np.empty(k, dtype=np.int64), np.empty(k)
    centre = free[first].copy()
    opposite = nearest_and_farthest(free, n_free, first, cell, distances, codes)
    second = opposite if second < 0 else second
    before = np.searchsorted(cell, second)
    is_gone = before < k and cell[before] == second
    n_free = close_cell(run, n_free, cell, n_cells)
    if not in_pairs:
        return n_free, n_cells + 1
    if is_gone:  # it left: all are equally far
        second = farthest(free, n_free, centre, codes)
    else:
        second -= before
    nearest_and_farthest(free, n_free, second, cell, distances, codes)
    return close_cell(run, n_free, cell, n_cells + 1), n_cells + 2


@njit(cache=True, nogil=True)
def close_one_cell(run, n_free, label):
    """Close a cell of k around the free record farthest from the centroid."""
    return close_around(run, farthest_free(run, n_free), -1, False, n_free, label)[0]


@njit(cache=True, nogil=True)
def close_last_cell(X, rows, k, label, codes, labels):
    """Close one cell of k among k to 2k - 1 rows; return the rows that are left."""
    free = X[rows]
    total, lost = sum_of_records(free, codes)
    run = PlainRun(free, rows.copy(), total, lost, codes, labels, k)
    n_free = close_one_cell(run, rows.shape[0], label)
    return run.rows[:n_free]


@njit(cache=True, nogil=True)
def close_nearest(run, centre, near_rows, cell, label):
    """Close the cell of `centre` and `near_rows`."""
    for i in range(near_rows.shape[0]):
        cell[i] = near_rows[i]
    cell[-1] = centre
    close_indexed_cell(run, cell, label)


@njit(cache=True, nogil=True)
def indexed_mdav_rounds(run, pairs_from, n_free, n_cells, visits):
    """Close cells as `mdav_rounds` does, until `visits` are spent or the index ages.

    Parameters
    ----------
    run : IndexedRun
        IN, OUT
    pairs_from, n_free, n_cells, visits
        As in `mdav_rounds`.

    Returns
    -------
    n_free, n_cells : int
    """
    records, k = run.records, run.k
    near, near_rows = np.empty(k - 1), np.empty(k - 1, dtype=np.int32)
    cell = np.empty(k, dtype=np.int64)
    in_tree = uses_tree(records) and run.codes.units.shape[0] == 0
    least_free = max(2 * k, run.stop_at)
    beyond, most_beyond = 0, visits // WASTED
    visits += records.visits[0]
    while n_free >= least_free and records.visits[0] < visits:
        records.visits[0] += VISITS_OF_MDAV_ROUND
        in_pairs = n_free >= pairs_from
        if in_tree and beyond < most_beyond and top_is_long(run.shell, run.batch):
            before = records.visits[0]
            middle = centre_of(run.total, run.lost, n_free, run.codes)
            extreme = farthest_from_point(records, middle)
            spent = records.visits[0] - before - VISITS_FROM_CENTRE
            beyond = max(beyond + spent, 0)
        else:
            extreme = farthest_indexed(run, n_free)
        hide(records, extreme)
        opposite = nearest_and_farthest_records(records, extreme, near, near_rows)
        close_nearest(run, extreme, near_rows, cell, n_cells)
        n_free -= k
        n_cells += 1
        if in_pairs:
            if not records.free[opposite]:  # it left: all are equally far
                opposite = farthest_record(records, extreme)
            hide(records, opposite)
            nearest_records(records, opposite, near, near_rows)
            close_nearest(run, opposite, near_rows, cell, n_cells)
            n_free -= k
            n_cells += 1
        if shell_is_old(run, n_free):
            break
    return n_free, n_cells
