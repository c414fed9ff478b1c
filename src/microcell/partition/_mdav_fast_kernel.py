"""Rounds of MDAV on indexed records: arrays in, arrays out, no checks."""

from typing import NamedTuple

import numpy as np

from microcell.kernels.box_tree import LANES
from microcell.kernels.codes import Codes, add_record, centre_of
from microcell.kernels.compiled import njit
from microcell.kernels.free_records import (
    FreeRecords,
    farthest_from_point,
    farthest_record,
    hide,
    nearest_and_farthest_records,
    nearest_records,
    tighten,
    uses_tree,
)
from microcell.kernels.outer_shell import (
    OuterShell,
    farthest_from_centre,
    top_is_large,
    top_is_long,
)

VISITS_OF_MDAV_ROUND = 100 * LANES  # what a round costs besides its queries
VISITS_FROM_CENTRE = 50 * LANES  # what a search in the tree for the centre may cost
WASTED = 128  # part of a slice of work that such searches may cost beyond that


class IndexedRun(NamedTuple):
    """MDAV in progress, by an index.

    Attributes
    ----------
    records : FreeRecords
    shell : OuterShell
    batch : int
        How many entries the top of the shell takes in at a time.
    rows : ndarray of shape (n_samples,)
        Where each record stands in the table.
    total, lost, codes, labels, k, pairs_from
        As in `PlainRun`.
    stop_at : int
        The index is old when fewer records are free.
    sort_at : int
        The shell may be sorted again when fewer records are free.
    """

    records: FreeRecords
    shell: OuterShell
    batch: int
    rows: np.ndarray
    total: np.ndarray
    lost: np.ndarray
    codes: Codes
    labels: np.ndarray
    k: int
    pairs_from: int
    stop_at: int
    sort_at: int


@njit(cache=True, nogil=True)
def close_indexed_cell(run, centre, near_rows, cell, label):
    """Label `centre` and `near_rows`, hide them and take them from the running sum."""
    for i in range(near_rows.shape[0]):
        cell[i] = near_rows[i]
    cell[-1] = centre
    cell.sort()
    for row in cell:
        run.labels[run.rows[row]] = label
        record, n_measured = run.records.X[row], run.codes.n_measured
        add_record(run.total, run.lost, record, -1.0, n_measured)
        hide(run.records, row)
    tighten(run.records, cell)


@njit(cache=True, nogil=True)
def indexed_mdav_rounds(run, n_free, n_cells, visits):
    """Close cells as `mdav_rounds` does, until `visits` are spent or the index ages.

    Parameters
    ----------
    run : IndexedRun
        IN, OUT
    n_free, n_cells, visits
        As in `mdav_rounds`.

    Returns
    -------
    n_free, n_cells : int
    """
    records, shell, k = run.records, run.shell, run.k
    near, near_rows = np.empty(k - 1), np.empty(k - 1, dtype=np.int32)
    cell = np.empty(k, dtype=np.int64)
    in_tree = uses_tree(records) and run.codes.units.shape[0] == 0
    least_free = max(2 * k, run.stop_at)
    beyond, most_beyond = 0, visits // WASTED
    visits += records.visits[0]
    while n_free >= least_free and records.visits[0] < visits:
        records.visits[0] += VISITS_OF_MDAV_ROUND
        in_pairs = n_free >= run.pairs_from
        middle = centre_of(run.total, run.lost, n_free, run.codes)
        if in_tree and beyond < most_beyond and top_is_long(shell, run.batch):
            before = records.visits[0]
            extreme = farthest_from_point(records, middle)
            spent = records.visits[0] - before - VISITS_FROM_CENTRE
            beyond = max(beyond + spent, 0)
        else:
            extreme = farthest_from_centre(
                shell, records.X, records.free, middle, run.batch, run.codes
            )
        hide(records, extreme)
        opposite = nearest_and_farthest_records(records, extreme, near, near_rows)
        close_indexed_cell(run, extreme, near_rows, cell, n_cells)
        n_free -= k
        n_cells += 1
        if in_pairs:
            if not records.free[opposite]:  # it left: all are equally far
                opposite = farthest_record(records, extreme)
            hide(records, opposite)
            nearest_records(records, opposite, near, near_rows)
            close_indexed_cell(run, opposite, near_rows, cell, n_cells)
            n_free -= k
            n_cells += 1
        if n_free < run.sort_at and top_is_large(shell, run.batch, n_free):
            break
    return n_free, n_cells
