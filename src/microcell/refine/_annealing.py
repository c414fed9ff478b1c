"""Simulated annealing: moves at random, worse ones too while it is warm."""

from microcell.kernels.compiled import njit
from microcell.refine._cells import (
    distance_between,
    distance_to_cell,
    exchange,
    move,
    rotate,
)
from microcell.refine._draws import drawn_below, is_accepted
from microcell.refine._moves import (
    best_rotation,
    best_swap,
    dissolve,
    found,
    if_joined,
    if_left,
)
from microcell.refine._owners import keeps_units

RARE_FROM = 20  # for a larger k cells are dissolved and founded more seldom, as 1 / k


@njit(cache=True, nogil=True)
def anneal(cells, temperature, n_moves, state):
    """Try so many moves at a temperature; return what they changed the SSE by.

    A record and one near it are drawn, in cells A and B. The record moves from A to B
    if sizes allow it and the change is accepted; else, of 16 times, it changes places
    with a member of B 12 times, two are one of three records that go round, and one
    each dissolves A or founds a cell around the record.
    """
    X, near, labels, own = cells.X, cells.near, cells.labels, cells.own
    members, sizes, centres = cells.members, cells.sizes, cells.centres
    n_measured, units, k = cells.n_measured, cells.units, cells.k
    owners, room = cells.owners, members.shape[1] - 1
    n_samples, n_near = near.shape
    total = 0.0
    for _ in range(n_moves):
        record = drawn_below(state, n_samples)
        cell = labels[near[record, drawn_below(state, n_near)]]
        home = labels[record]
        if cell == home:
            continue
        size, home_size = sizes[cell], sizes[home]
        distance = distance_to_cell(X, record, centres, cell, n_measured)
        if (
            home_size > k
            and size < room
            and keeps_units(owners, labels, members, sizes, home, record, -1, k)
        ):
            change = if_joined(size, distance) + if_left(home_size, own[record])
            if is_accepted(change, temperature, state):
                move(cells, record, cell)
                total += change
                continue
        kind = drawn_below(state, 16)
        if kind < 12:
            other, change = best_swap(
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
            )
            change += distance - own[record]
            if is_accepted(change, temperature, state):
                exchange(cells, record, other)
                total += change
        elif kind < 14:
            member = members[cell, drawn_below(state, size)]
            third = labels[near[member, drawn_below(state, n_near)]]
            if third == home or third == cell:
                continue
            if not keeps_units(owners, labels, members, sizes, cell, member, record, k):
                continue
            last, change = best_rotation(
                X,
                record,
                member,
                third,
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
            )
            change += distance - own[member]
            change -= distance_between(X, record, member, n_measured, units) / size
            if is_accepted(change, temperature, state):
                rotate(cells, record, member, third, last)
                total += change
        elif k > RARE_FROM and drawn_below(state, k) >= RARE_FROM:
            continue  # what these two cost grows with k
        elif kind == 14:
            if home_size <= k + 1:
                total += dissolve(cells, home, temperature, state)
        elif home_size > k:
            total += found(cells, record, temperature, state)
    return total
