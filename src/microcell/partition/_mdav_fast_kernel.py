"""Rounds of MDAV on indexed records: arrays in, arrays out, no checks."""

import numpy as np

from microcell.kernels.box_tree import LANES
from microcell.kernels.compiled import njit
from microcell.kernels.free_records import (
    farthest_record,
    hide,
    nearest_and_farthest_records,
    nearest_records,
    tighten,
)
from microcell.kernels.outer_shell import farthest_from_centre, top_is_large
from microcell.kernels.records import add_to_sum, centroid

VISITS_OF_A_ROUND = 100 * LANES  # what a round costs besides its queries


@njit(cache=True, nogil=True)
def close_indexed_cell(
    records, centre, near_rows, cell, rows, total, lost, labels, label
):
    """Label `centre` and `near_rows`, hide them and take them from the running sum."""
    for i in range(near_rows.shape[0]):
        cell[i] = near_rows[i]
    cell[-1] = centre
    cell.sort()
    for row in cell:
        labels[rows[row]] = label
        add_to_sum(total, lost, records.X[row], -1.0)
        hide(records, row)
    tighten(records, cell)


@njit(cache=True, nogil=True)
def indexed_mdav_rounds(
    records,
    shell,
    batch,
    rows,
    n_free,
    stop_at,
    sort_at,
    total,
    lost,
    labels,
    n_cells,
    k,
    pairs_from,
    visits,
):
    """Close cells as `mdav_rounds` does, until `visits` are spent or the index ages.

    Parameters
    ----------
    records : FreeRecords
        IN, OUT
    shell : OuterShell
        IN, OUT
    batch : int
        How many entries the top of the shell takes in at a time.
    rows : ndarray of shape (n_samples,)
        Where each record stands in the table.
    stop_at : int
        The index is old when fewer records are free.
    sort_at : int
        The shell may be sorted again when fewer records are free.
    total, lost, labels, n_cells, k, pairs_from, visits
        As in `mdav_rounds`.

    Returns
    -------
    n_free, n_cells : int
    """
    near, near_rows = np.empty(k - 1), np.empty(k - 1, dtype=np.int32)
    cell = np.empty(k, dtype=np.int64)
    least_free = max(2 * k, stop_at)
    visits += records.visits[0]
    while n_free >= least_free and records.visits[0] < visits:
        records.visits[0] += VISITS_OF_A_ROUND
        in_pairs = n_free >= pairs_from
        middle = centroid(total, lost, n_free)
        extreme = farthest_from_centre(shell, records.X, records.free, middle, batch)
        hide(records, extreme)
        opposite = nearest_and_farthest_records(records, extreme, near, near_rows)
        close_indexed_cell(
            records, extreme, near_rows, cell, rows, total, lost, labels, n_cells
        )
        n_free -= k
        n_cells += 1
        if in_pairs:
            if not records.free[opposite]:  # it left: all are equally far
                opposite = farthest_record(records, extreme)
            hide(records, opposite)
            nearest_records(records, opposite, near, near_rows)
            close_indexed_cell(
                records, opposite, near_rows, cell, rows, total, lost, labels, n_cells
            )
            n_free -= k
            n_cells += 1
        if n_free < sort_at and top_is_large(shell, batch, n_free):
            break
    return n_free, n_cells
