"""Cells with too few units take some from cells near by: arrays in, arrays out."""

from typing import NamedTuple

import numpy as np

from microcell.kernels.codes import Codes
from microcell.kernels.compiled import njit
from microcell.kernels.records import record_distance

NOBODY = -1
MAX_COMPARED = 24  # members of a cell that a record is compared with
MAX_SPARE = 16  # members of a cell that might leave it
MAX_TRIED = 8  # records near a member that might come


class LinkedCells(NamedTuple):
    """Cells of any size, whose records can leave and come.

    Attributes
    ----------
    X, codes
        The records.
    unit : ndarray of shape (n_samples,)
        Unit of each record, 0 to n_units - 1.
    start, rows : ndarray
        Records of unit u are rows[start[u]] to rows[start[u + 1] - 1].
    labels : ndarray of shape (n_samples,)
    sizes, n_units : ndarray of shape (n_cells,)
        Records and different units of each cell.
    first : ndarray of shape (n_cells,)
        A record of each cell, or -1.
    after, before : ndarray of shape (n_samples,)
        The next one in the cell of each record, and the one before it, or -1.
    """

    X: np.ndarray
    codes: Codes
    unit: np.ndarray
    start: np.ndarray
    rows: np.ndarray
    labels: np.ndarray
    sizes: np.ndarray
    n_units: np.ndarray
    first: np.ndarray
    after: np.ndarray
    before: np.ndarray


def link_cells(X, codes, unit, labels):
    """The cells of `labels`, 0 to n_cells - 1, with units from 0 on."""
    n_cells, none = int(labels.max()) + 1, np.full(len(X), NOBODY)
    start = np.concatenate([[0], np.cumsum(np.bincount(unit))])
    cells = LinkedCells(
        X,
        codes,
        unit,
        start,
        np.argsort(unit, kind="stable"),
        none.copy(),
        np.zeros(n_cells, dtype=np.int64),
        np.zeros(n_cells, dtype=np.int64),
        np.full(n_cells, NOBODY),
        none.copy(),
        none.copy(),
    )
    put_all(cells, labels)
    return cells


@njit(cache=True, nogil=True)
def put_all(cells, labels):
    """Fill the cells, so that the earlier records come first."""
    for row in range(labels.shape[0] - 1, -1, -1):
        come(cells, row, labels[row])


@njit(cache=True, nogil=True)
def records_of(cells, cell, unit):
    """How many records of a unit a cell has, by its records or those of the cell."""
    first, end, count = cells.start[unit], cells.start[unit + 1], 0
    if end - first <= cells.sizes[cell]:
        for at in range(first, end):
            count += cells.labels[cells.rows[at]] == cell
    else:
        row = cells.first[cell]
        while row != NOBODY:
            count += cells.unit[row] == unit
            row = cells.after[row]
    return count


@njit(cache=True, nogil=True)
def come(cells, row, cell):
    """Let a record without a cell come to one."""
    cells.n_units[cell] += records_of(cells, cell, cells.unit[row]) == 0
    following = cells.first[cell]
    cells.after[row], cells.before[row] = following, NOBODY
    if following != NOBODY:
        cells.before[following] = row
    cells.first[cell], cells.labels[row] = row, cell
    cells.sizes[cell] += 1


@njit(cache=True, nogil=True)
def leave(cells, row):
    """Let a record leave its cell."""
    cell, ahead, following = cells.labels[row], cells.before[row], cells.after[row]
    if ahead == NOBODY:
        cells.first[cell] = following
    else:
        cells.after[ahead] = following
    if following != NOBODY:
        cells.before[following] = ahead
    cells.labels[row] = NOBODY
    cells.sizes[cell] -= 1
    cells.n_units[cell] -= records_of(cells, cell, cells.unit[row]) == 0


@njit(cache=True, nogil=True)
def some_members(cells, cell, members):
    """Fill `members` with records of a cell, all if there is room; how many."""
    stride = 1 + (cells.sizes[cell] - 1) // members.shape[0]
    row, place, count = cells.first[cell], 0, 0
    while row != NOBODY:
        if place % stride == 0:
            members[count] = row
            count += 1
        place += 1
        row = cells.after[row]
    return count


@njit(cache=True, nogil=True)
def mean_distance(cells, row, members):
    """Mean squared distance of a record to some others."""
    total = 0.0
    for member in members:
        total += record_distance(cells.X[row], cells.X[member], cells.codes)
    return total / members.shape[0]


@njit(cache=True, nogil=True)
def spread_of(cells, members):
    """Mean squared distance of some records to their centre."""
    total = 0.0
    for member in members:
        total += mean_distance(cells, member, members)
    return 0.5 * total / members.shape[0]


@njit(cache=True, nogil=True)
def spare_members(cells, cell, spare):
    """Fill `spare` with records of a cell that has others of the unit; how many."""
    row, count = cells.first[cell], 0
    while row != NOBODY and count < spare.shape[0]:
        if records_of(cells, cell, cells.unit[row]) > 1:
            spare[count] = row
            count += 1
        row = cells.after[row]
    return count


@njit(cache=True, nogil=True)
def best_change(cells, cell, k, near, near_of, seen, turn):
    """The record of a new unit that comes to a cell at least cost, and who leaves it.

    It comes from a cell that can spare it, or in exchange for a record of a unit that
    is in the cell more than once. No other cell has fewer units after it, if it has no
    more than k. What the SSE changes by is estimated where cells are large.

    Returns
    -------
    comes, leaves : int
        Nobody, -1, comes if there is none, and nobody leaves if it need not.
    """
    spare = np.empty(MAX_SPARE, dtype=np.int64)
    own, others = np.empty(MAX_COMPARED, np.int64), np.empty(MAX_COMPARED, np.int64)
    n_spare = spare_members(cells, cell, spare)
    own = own[: some_members(cells, cell, own)]
    spread, size = spread_of(cells, own), cells.sizes[cell]
    from_own = np.empty(n_spare)
    for i in range(n_spare):
        from_own[i] = mean_distance(cells, spare[i], own)
    least, comes, leaves = np.inf, NOBODY, NOBODY
    member = cells.first[cell]
    while member != NOBODY:
        at, n_tried = near_of[member], 0
        for n in range(near.shape[1] if at >= 0 else 0):
            if n_tried == MAX_TRIED:
                break
            row = near[at, n]
            home, unit = cells.labels[row], cells.unit[row]
            if home == cell or seen[row] == turn:
                continue
            seen[row] = turn
            if records_of(cells, cell, unit) > 0:
                continue
            n_tried += 1
            there = others[: some_members(cells, home, others)]
            home_size = cells.sizes[home]
            is_needed = cells.n_units[home] <= k and records_of(cells, home, unit) == 1
            to_own = mean_distance(cells, row, own)
            to_home = mean_distance(cells, row, there)
            if not is_needed and home_size > k:
                change = size / (size + 1) * max(to_own - spread, 0.0)
                gain = max(to_home - spread_of(cells, there), 0.0)
                change -= home_size / (home_size - 1) * gain
                if change < least or (change == least and row < comes):
                    least, comes, leaves = change, row, NOBODY
            for i in range(n_spare):
                other = spare[i]
                if is_needed and records_of(cells, home, cells.unit[other]) > 0:
                    continue
                gap = record_distance(cells.X[row], cells.X[other], cells.codes)
                change = to_own - from_own[i] - to_home - gap / size - gap / home_size
                if change > least:  # what is still to be added is not below zero
                    continue
                change += mean_distance(cells, other, there)
                if change < least or (change == least and row < comes):
                    least, comes, leaves = change, row, other
        member = cells.after[member]
    return comes, leaves


@njit(cache=True, nogil=True)
def repair_cells(cells, poor, k, near, near_of, seen, visits):
    """Let each cell of `poor` have k units, as far as records near by allow it.

    Parameters
    ----------
    cells : LinkedCells
        IN, OUT
    poor : ndarray of int
        Cells that have fewer.
    near : ndarray of shape (n_rows, n_near)
        Records near some records, nearest first.
    near_of : ndarray of shape (n_samples,)
        Which of these rows is that of each record, or -1.
    seen : ndarray of shape (n_samples,)
        SCRATCH
    visits : int
        About how many records may be looked at.

    Returns
    -------
    n_done : int
        How many of `poor` were looked at.
    """
    for place in range(poor.shape[0]):
        cell = poor[place]
        if visits <= 0:
            return place
        while cells.n_units[cell] < k:
            turn = seen[-1] + 1
            seen[-1] = turn
            comes, leaves = best_change(cells, cell, k, near, near_of, seen, turn)
            visits -= 50 * k * near.shape[1]
            if comes == NOBODY:
                break
            home = cells.labels[comes]
            leave(cells, comes)
            if leaves != NOBODY:
                leave(cells, leaves)
                come(cells, leaves, home)
            come(cells, comes, cell)
    return poor.shape[0]
