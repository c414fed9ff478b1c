"""Descent: every move that lowers the SSE, until none is left."""

from typing import NamedTuple

import numpy as np

from microcell.kernels.compiled import njit
from microcell.refine._cells import (
    Cells,
    distance_between,
    distance_to_cell,
    exchange,
    move,
    rotate,
)
from microcell.refine._moves import (
    best_rotation,
    best_swap,
    cells_around,
    dissolve,
    found,
    if_joined,
    if_left,
    is_large,
    stride_of,
)
from microcell.refine._owners import keeps_units

GAIN_OF_MOVE = 1e-10  # of what a record adds on average: less may be rounding


class Course(NamedTuple):
    """How far a descent is.

    Attributes
    ----------
    checked : ndarray of shape (n_samples,)
        When each record was last looked at in vain.
    changed : ndarray of shape (most_cells + 1,)
        When each cell last changed; what has not changed since a record was looked at
        is not looked at again.
    here : ndarray of shape (3,)
        Moves made so far, the next record, and records looked at since the last move.
    """

    checked: np.ndarray
    changed: np.ndarray
    here: np.ndarray


def new_course(cells: Cells) -> Course:
    """A descent that begins."""
    checked = np.full(cells.labels.shape[0], -1, dtype=np.int64)
    changed = np.zeros(cells.sizes.shape[0], dtype=np.int64)
    return Course(checked, changed, np.zeros(3, dtype=np.int64))


@njit(cache=True, nogil=True)
def descend(cells, course, n_looks, deep, least_gain, state):
    """Look at records in turn and make the moves that lower the SSE.

    Parameters
    ----------
    course : Course
        IN, OUT: how far the descent is.
    n_looks : int
        About how many moves to look at before returning.
    deep : bool
        Whether to look at rotations, dissolved and founded cells as well.
    least_gain : float
        What a move must lower the SSE by.

    Returns
    -------
    change : float
        Of the SSE.
    n_looks : int
        What is left of them; none is left unless the descent has arrived.
    """
    n_samples, total, here = cells.labels.shape[0], 0.0, course.here
    while n_looks > 0 and here[2] < n_samples:
        record = here[1]
        change, n_looked = improve(cells, record, course, deep, least_gain, state)
        n_looks -= n_looked
        total += change
        if change < 0.0:
            here[2] = 0
        else:
            course.checked[record] = here[0]
            here[1] = record + 1 if record + 1 < n_samples else 0
            here[2] += 1
    return total, n_looks


@njit(cache=True, nogil=True)
def improve(cells, record, course, deep, least_gain, state):
    """Make the first move found that lowers the SSE; count moves looked at."""
    X, near, labels, own = cells.X, cells.near, cells.labels, cells.own
    members, sizes, centres = cells.members, cells.sizes, cells.centres
    n_measured, units, k = cells.n_measured, cells.units, cells.k
    owners, room = cells.owners, members.shape[1] - 1
    changed, since = course.changed, course.checked[record]
    home, n_looked, news = labels[record], 1, False
    home_size = sizes[home]
    for n in range(near.shape[1]):
        cell = labels[near[record, n]]
        if cell == home or max(changed[home], changed[cell]) <= since:
            continue
        if is_repeated(labels, near, record, n):
            continue
        size, news = sizes[cell], True
        n_looked += 1 + size // stride_of(size)
        distance = distance_to_cell(X, record, centres, cell, n_measured)
        if (
            home_size > k
            and size < room
            and keeps_units(owners, labels, members, sizes, home, record, -1, k)
        ):
            change = if_joined(size, distance) + if_left(home_size, own[record])
            if change < -least_gain:
                move(cells, record, cell)
                mark(course, home, cell)
                return change, n_looked
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
        if change < -least_gain:
            exchange(cells, record, other)
            mark(course, home, cell)
            return change, n_looked
        if deep:
            change, n_more = improve_round(
                cells, record, cell, distance, course, least_gain
            )
            n_looked += n_more
            if change < 0.0:
                return change, n_looked
    if deep and news:
        n_looked += k * near.shape[1]
        is_first = members[home, 0] == record  # so that one of a cell dissolves it
        if home_size > k and cells.slots[record] % stride_of(home_size) == 0:
            if is_large(near, k):
                before = cells_around(cells, home)
            else:
                before = labels[near[record]]
            change = found(cells, record, -least_gain, state)
            if change < 0.0:
                mark(course, home, labels[record])
                for cell in before:
                    changed[cell] = course.here[0]
                return change, n_looked
        if is_first:
            moved = members[home, :home_size].copy()
            change = dissolve(cells, home, -least_gain, state)
            if change < 0.0:
                mark(course, home, labels[record])
                for other in moved:
                    changed[labels[other]] = course.here[0]
                return change, n_looked
    return 0.0, n_looked


@njit(cache=True, nogil=True)
def improve_round(cells, record, cell, distance, course, least_gain):
    """Rotations by which a record comes to a cell, and that cell alone gains already.

    Of the three changes of a rotation that gains, one is a gain and the sum with the
    next is: so each is found from one of its three records.
    """
    X, near, labels, own = cells.X, cells.near, cells.labels, cells.own
    members, sizes, centres = cells.members, cells.sizes, cells.centres
    n_measured, units = cells.n_measured, cells.units
    k, owners = cells.k, cells.owners
    home, size, n_looked = labels[record], sizes[cell], 0
    stride = stride_of(size)
    for m in range(record % stride, size, stride):
        member = members[cell, m]
        first = distance - own[member]
        first -= distance_between(X, record, member, n_measured, units) / size
        if first >= -least_gain:
            continue
        if not keeps_units(owners, labels, members, sizes, cell, member, record, k):
            continue
        for n in range(near.shape[1]):
            third = labels[near[member, n]]
            if third == home or third == cell:
                continue
            if is_repeated(labels, near, member, n):
                continue
            n_looked += sizes[third] // stride_of(sizes[third])
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
            change += first
            if change < -least_gain:
                rotate(cells, record, member, third, last)
                mark(course, home, cell)
                course.changed[third] = course.here[0]
                return change, n_looked
    return 0.0, n_looked


@njit(cache=True, nogil=True)
def is_repeated(labels, near, record, n):
    """Whether the cell of the n-th record near by is that of an earlier one."""
    cell = labels[near[record, n]]
    for before in range(n):
        if labels[near[record, before]] == cell:
            return True
    return False


@njit(cache=True, nogil=True)
def mark(course, first, second):
    """Note that two cells have changed."""
    course.here[0] += 1
    course.changed[first] = course.changed[second] = course.here[0]
