"""Moves of a search: what they change the SSE by, and those of many records."""

import numpy as np

from microcell.kernels.compiled import njit
from microcell.refine._cells import (
    close_gap,
    distance_between,
    distance_to_cell,
    put,
    refresh,
    take,
)
from microcell.refine._draws import is_accepted
from microcell.refine._owners import is_known, keeps_units

MAX_MEMBERS_COMPARED = 24  # members of a cell that a record is compared with, about
CELLS_AROUND = 24  # cells that a large one is dissolved into or a new one taken from


@njit(cache=True, nogil=True)
def stride_of(size):
    """Of a large cell only every so-manieth member is compared, so that k costs less.

    Members change places in their cell all the time, so others are met next time.
    """
    return 1 + (size - 1) // MAX_MEMBERS_COMPARED


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
    X,
    record,
    home,
    cell,
    labels,
    members,
    sizes,
    centres,
    own,
    n_measured,
    units,
    k,
    owners,
):
    """The member of a cell that a record best changes places with.

    Returns
    -------
    best : int
    change : float
        Of the SSE, less that of the record: its distance to the new centre less that
        to the old one has to be added.
    """
    size, least, best = sizes[cell], np.inf, -1
    share = 1.0 / sizes[home] + 1.0 / size
    stride = stride_of(size)
    for m in range(record % stride, size, stride):
        other = members[cell, m]
        change = distance_to_cell(X, other, centres, home, n_measured) - own[other]
        change -= share * distance_between(X, record, other, n_measured, units)
        if (
            change < least
            and keeps_units(owners, labels, members, sizes, home, record, other, k)
            and keeps_units(owners, labels, members, sizes, cell, other, record, k)
        ):
            least, best = change, other
    return best, least


@njit(cache=True, nogil=True)
def best_rotation(
    X,
    record,
    member,
    cell,
    home,
    labels,
    members,
    sizes,
    centres,
    own,
    n_measured,
    units,
    k,
    owners,
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
    if (
        home_size > k
        and size < members.shape[1] - 1
        and keeps_units(owners, labels, members, sizes, home, record, -1, k)
    ):
        least = if_left(home_size, own[record]) + if_joined(size, distance)
    stride = stride_of(size)
    for m in range(record % stride, size, stride):
        other = members[cell, m]
        change = distance - own[other] - own[record]
        change -= distance_between(X, member, other, n_measured, units) / size
        change -= distance_between(X, other, record, n_measured, units) / home_size
        if change < least:
            change += distance_to_cell(X, other, centres, home, n_measured)
            if (
                change < least
                and keeps_units(owners, labels, members, sizes, home, record, other, k)
                and keeps_units(owners, labels, members, sizes, cell, other, member, k)
            ):
                least, best = change, other
    return best, least


@njit(cache=True, nogil=True)
def is_large(near, k):
    """Whether cells are so large that the records near one say little of other cells.

    Most of those near a record are then in its own cell.
    """
    return near.shape[1] < 2 * k


@njit(cache=True, nogil=True)
def cells_around(cells, cell):
    """Cells of the records near the members of a cell: itself, and `CELLS_AROUND`."""
    near, labels, members = cells.near, cells.labels, cells.members
    around, n_around = np.empty(CELLS_AROUND + 1, np.int64), 1
    around[0] = cell
    for m in range(cells.sizes[cell]):
        for n in range(near.shape[1] - 1, -1, -1):
            other, is_new = labels[near[members[cell, m], n]], True
            for before in range(n_around):
                is_new &= around[before] != other
            if is_new:
                around[n_around] = other
                n_around += 1
                if n_around == around.shape[0]:
                    return around
    return around[:n_around]


@njit(cache=True, nogil=True)
def records_around(cells, record):
    """Other records of the cells around that can spare some, nearest first."""
    X, members, sizes, units = cells.X, cells.members, cells.sizes, cells.units
    around, n_spare = cells_around(cells, cells.labels[record]), 0
    records, n_records = np.empty(members.shape[1] * around.shape[0], np.int64), 0
    for cell in around:
        n_spare += sizes[cell] - cells.k
        if sizes[cell] > cells.k:
            for m in range(sizes[cell]):
                if members[cell, m] != record:
                    records[n_records] = members[cell, m]
                    n_records += 1
    if n_spare < cells.k:
        return records[:0]
    records = np.sort(records[:n_records])
    distances = np.empty(n_records)
    for n in range(n_records):
        distances[n] = distance_between(X, record, records[n], cells.n_measured, units)
    return records[np.argsort(distances, kind="mergesort")]


@njit(cache=True, nogil=True)
def best_room(cells, record, cell, around):
    """The cell that a record of a dissolved one adds least to, and how much.

    It is one of those `around`, or, if none is given, of the records near it.
    """
    X, labels, sizes, centres = cells.X, cells.labels, cells.sizes, cells.centres
    least, target, room = np.inf, -1, cells.members.shape[1] - 1
    is_given = around.shape[0] > 0
    for n in range(around.shape[0] if is_given else cells.near.shape[1]):
        other = around[n] if is_given else labels[cells.near[record, n]]
        if other == cell or other == target or sizes[other] >= room:
            continue
        distance = distance_to_cell(X, record, centres, other, cells.n_measured)
        added = if_joined(sizes[other], distance)
        if added < least:
            least, target = added, other
    return target, least


@njit(cache=True, nogil=True)
def dissolve(cells, cell, temperature, state):
    """Give each member of a cell to the one near it that it adds least to.

    The move is made, and taken back unless it is accepted.
    """
    size, around = cells.sizes[cell], np.empty(0, np.int64)
    if is_large(cells.near, cells.k):
        around = cells_around(cells, cell)
    records, taken_by = cells.members[cell, :size].copy(), np.empty(size, np.int64)
    change = 0.0
    for m in range(size):
        change -= cells.own[records[m]]
    n_moved = 0
    for m in range(size):
        record = records[m]
        target, least = best_room(cells, record, cell, around)
        change += least
        if target < 0 or change >= 30.0 * temperature:
            change = np.inf
            break
        taken_by[m] = target
        take(cells, record)
        put(cells, record, target)
        refresh(cells, target)
        n_moved += 1
    if is_accepted(change, temperature, state):
        close_gap(cells, cell)
        return change
    for m in range(n_moved - 1, -1, -1):
        take(cells, records[m])
        put(cells, records[m], cell)
        refresh(cells, taken_by[m])
    refresh(cells, cell)
    return 0.0


@njit(cache=True, nogil=True)
def found(cells, record, temperature, state):
    """Make a cell of a record and those nearest to it that their cells can spare.

    The move is made, and taken back unless it is accepted.
    """
    k, new, sizes, labels = cells.k, cells.n_cells[0], cells.sizes, cells.labels
    members, owners = cells.members, cells.owners
    if new + 1 == sizes.shape[0]:
        return 0.0  # there are as many as there can be
    if is_large(cells.near, k):
        others = records_around(cells, record)
    else:
        others = cells.near[record].astype(np.int64)
    records, homes = np.empty(k, np.int64), np.empty(k, np.int64)
    touched, n_touched = np.empty(k, np.int64), 0
    n_taken, change = 0, 0.0
    for n in range(-1, others.shape[0]):
        if n_taken == k:
            break
        candidate = record if n < 0 else others[n]
        home = labels[candidate]
        if home == new or sizes[home] <= k:
            continue
        if is_known(owners, labels, members, sizes, new, candidate):
            continue
        if not keeps_units(owners, labels, members, sizes, home, candidate, -1, k):
            continue
        is_touched = False
        for before in range(n_touched):
            is_touched |= touched[before] == home
        if not is_touched:
            change -= sse_of_cell(cells, home)
            touched[n_touched] = home
            n_touched += 1
        take(cells, candidate)
        put(cells, candidate, new)
        records[n_taken], homes[n_taken] = candidate, home
        n_taken += 1
    if n_taken == k:
        refresh(cells, new)
        change += sse_of_cell(cells, new)
        for home in touched[:n_touched]:
            refresh(cells, home)
            change += sse_of_cell(cells, home)
        if is_accepted(change, temperature, state):
            cells.n_cells[0] += 1
            return change
    for m in range(n_taken - 1, -1, -1):
        take(cells, records[m])
        put(cells, records[m], homes[m])
    for home in touched[:n_touched]:
        refresh(cells, home)
    return 0.0


@njit(cache=True, nogil=True)
def sse_of_cell(cells, cell):
    """Sum of squared errors of one cell."""
    total = 0.0
    for m in range(cells.sizes[cell]):
        total += cells.own[cells.members[cell, m]]
    return total
