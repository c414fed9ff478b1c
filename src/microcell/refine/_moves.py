"""Moves of a search: what they change the SSE by, and those of many records."""

import numpy as np

from microcell.kernels.compiled import njit
from microcell.refine._cells import (
    close_gap,
    distance_between,
    distance_to_cell,
    put,
    settle,
    take,
)
from microcell.refine._draws import is_accepted


@njit(cache=True, nogil=True)
def if_joined(size, distance):
    """What a record at a distance from its centre adds to the SSE of a cell."""
    return size / (size + 1) * distance


@njit(cache=True, nogil=True)
def if_left(size, distance):
    """What the SSE of a cell changes by if a record at this distance leaves it."""
    return -size / (size - 1) * distance


@njit(cache=True, nogil=True)
def best_swap(
    X, record, home_size, home, members, size, cell, centres, own, n_measured, units
):
    """The member of a cell that a record best changes places with.

    Returns
    -------
    best : int
    change : float
        Of the SSE, less that of the record: its distance to the new centre less that
        to the old one has to be added.
    """
    share = 1.0 / home_size + 1.0 / size
    least, best = np.inf, -1
    for m in range(size):
        other = members[cell, m]
        change = distance_to_cell(X, other, centres, home, n_measured) - own[other]
        change -= share * distance_between(X, record, other, n_measured, units)
        if change < least:
            least, best = change, other
    return best, least


@njit(cache=True, nogil=True)
def best_rotation(
    X, record, member, cell, home, members, sizes, centres, own, n_measured, units, k
):
    """The record of a third cell that closes a rotation best.

    The record takes the place of `member`, which goes to `cell`, and one of that cell
    takes the place of the record. If the record's cell can spare it and `cell` has
    room, nobody needs to go back, which is said by -1.

    Returns
    -------
    best : int
    change : float
        Of the SSE of the record's cell and the third one.
    """
    home_size, size = sizes[home], sizes[cell]
    distance = distance_to_cell(X, member, centres, cell, n_measured)
    least, best = np.inf, -1
    if home_size > k and size < 2 * k - 1:
        least = if_left(home_size, own[record]) + if_joined(size, distance)
    for m in range(size):
        other = members[cell, m]
        change = distance - own[other] - own[record]
        change -= distance_between(X, member, other, n_measured, units) / size
        change -= distance_between(X, other, record, n_measured, units) / home_size
        if change < least:
            change += distance_to_cell(X, other, centres, home, n_measured)
            if change < least:
                least, best = change, other
    return best, least


@njit(cache=True, nogil=True)
def dissolve(cells, cell, temperature, state):
    """Give each member of a cell to the one near it that it adds least to.

    The move is made, and taken back unless it is accepted.
    """
    X, labels, sizes, centres = cells.X, cells.labels, cells.sizes, cells.centres
    size, room = sizes[cell], 2 * cells.k - 1
    records, taken_by = cells.members[cell, :size].copy(), np.empty(size, np.int64)
    change = 0.0
    for m in range(size):
        change -= cells.own[records[m]]
    n_moved = 0
    for m in range(size):
        record, least, target = records[m], np.inf, -1
        for n in range(cells.near.shape[1]):
            other = labels[cells.near[record, n]]
            if other == cell or other == target or sizes[other] >= room:
                continue
            distance = distance_to_cell(X, record, centres, other, cells.n_measured)
            added = if_joined(sizes[other], distance)
            if added < least:
                least, target = added, other
        change += least
        if target < 0 or change >= 30.0 * temperature:
            change = np.inf
            break
        taken_by[m] = target
        take(cells, record)
        put(cells, record, target)
        settle(cells, target)
        n_moved += 1
    if is_accepted(change, temperature, state):
        close_gap(cells, cell)
        return change
    for m in range(n_moved - 1, -1, -1):
        take(cells, records[m])
        put(cells, records[m], cell)
        settle(cells, taken_by[m])
    settle(cells, cell)
    return 0.0


@njit(cache=True, nogil=True)
def found(cells, record, temperature, state):
    """Make a cell of a record and those nearest to it that their cells can spare.

    The move is made, and taken back unless it is accepted.
    """
    k, new, sizes = cells.k, cells.n_cells[0], cells.sizes
    records, homes = np.empty(k, np.int64), np.empty(k, np.int64)
    n_taken, change = 0, 0.0
    for n in range(-1, cells.near.shape[1]):
        if n_taken == k:
            break
        candidate = record if n < 0 else cells.near[record, n]
        home = cells.labels[candidate]
        if home == new or sizes[home] <= k:
            continue
        change += if_left(sizes[home], cells.own[candidate])
        take(cells, candidate)
        put(cells, candidate, new)
        settle(cells, home)
        records[n_taken], homes[n_taken] = candidate, home
        n_taken += 1
    if n_taken == k:
        settle(cells, new)
        for m in range(k):
            change += cells.own[records[m]]
        if is_accepted(change, temperature, state):
            cells.n_cells[0] += 1
            return change
    for m in range(n_taken - 1, -1, -1):
        take(cells, records[m])
        put(cells, records[m], homes[m])
        settle(cells, homes[m])
    return 0.0
