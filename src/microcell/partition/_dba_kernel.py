"""Rounds of DBA: arrays in, arrays out, no checks, no randomness.

Each free record keeps its k - 1 nearest, a few more for when one of them leaves, and
the SSE of its neighbourhood. Whose neighbourhood a record is in stands in a chain of
places, so that only what lost a record is looked at again. The least SSE is on top of
a tournament.
"""

from typing import NamedTuple

import numpy as np

from microcell.kernels.box_changes import hide_from_tree
from microcell.kernels.box_queries import nearest_in_tree
from microcell.kernels.box_tree import LANES, NO_ROW, BoxTree, shrink_boxes
from microcell.kernels.codes import Codes
from microcell.kernels.compiled import njit
from microcell.kernels.growing_sse import sse_of
from microcell.kernels.records import sort_heap

_NONE = -1  # ends a chain; a place without a record


class Neighbourhoods(NamedTuple):
    """DBA in progress.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
    codes : Codes
    tree : BoxTree
        The free records.
    members : ndarray of shape (n_samples, k - 1)
        The nearest free records of each; in no order.
    reserve : ndarray of shape (n_samples, n_reserve)
        The next nearest when they were last looked up; NO_ROW where there were none.
    used : ndarray of shape (n_samples,)
        How many of the reserve have been taken or have left.
    chain : ndarray of shape (n_samples,)
        First place in `members` that holds each record; places are numbered through.
    following, previous : ndarray of shape (n_samples * (k - 1),)
        The places around each in its chain.
    sse : ndarray of shape (n_samples,)
        SSE of each record and its members; infinite once it is in a cell.
    winners : ndarray
        A tournament of the SSEs; ties go to the earlier record.
    labels : ndarray of shape (n_samples,)
    """

    X: np.ndarray
    codes: Codes
    tree: BoxTree
    members: np.ndarray
    reserve: np.ndarray
    used: np.ndarray
    chain: np.ndarray
    following: np.ndarray
    previous: np.ndarray
    sse: np.ndarray
    winners: np.ndarray
    labels: np.ndarray


@njit(cache=True, nogil=True)
def link(run, place, row):
    """Let a place hold a record."""
    first = run.chain[row]
    run.following[place], run.previous[place] = first, _NONE
    if first != _NONE:
        run.previous[first] = place
    run.chain[row] = place


@njit(cache=True, nogil=True)
def unlink(run, place, row):
    """Let a place no longer hold a record."""
    before, after = run.previous[place], run.following[place]
    if before == _NONE:
        run.chain[row] = after
    else:
        run.following[before] = after
    if after != _NONE:
        run.previous[after] = before


@njit(cache=True, nogil=True)
def look_up(run, row, near, near_rows):
    """Find the nearest free records of a record anew; return the boxes opened."""
    n_members, n_reserve = run.members.shape[1], run.reserve.shape[1]
    for i in range(n_members):
        if run.members[row, i] != _NONE:
            unlink(run, row * n_members + i, run.members[row, i])
    leaf = run.tree.place[row] // LANES
    visits = nearest_in_tree(run.tree, run.X[row], leaf, near, near_rows)
    sort_heap(near, near_rows)
    # The record itself is among them unless all those are equal to it.
    taken = 0
    for i in range(near.shape[0]):
        if near_rows[i] == row or taken == n_members + n_reserve:
            continue
        if taken < n_members:
            run.members[row, taken] = near_rows[i]
            link(run, row * n_members + taken, near_rows[i])
        else:
            run.reserve[row, taken - n_members] = near_rows[i]
        taken += 1
    run.used[row] = 0
    return visits


@njit(cache=True, nogil=True)
def refill(run, row, near, near_rows):
    """Put the reserve into empty places; look up anew if it is used up.

    Returns
    -------
    visits : int
        Number of boxes opened.
    """
    n_members, n_reserve = run.members.shape[1], run.reserve.shape[1]
    for i in range(n_members):
        if run.members[row, i] != _NONE:
            continue
        at = run.used[row]
        while at < n_reserve:
            other = run.reserve[row, at]
            at += 1
            if other != NO_ROW and run.labels[other] < 0:
                run.members[row, i] = other
                link(run, row * n_members + i, other)
                break
        run.used[row] = at
        if run.members[row, i] == _NONE:
            return look_up(run, row, near, near_rows)
    return 0


@njit(cache=True, nogil=True)
def neighbourhood(run, row):
    """A record and its members, in the order of the table."""
    n_members = run.members.shape[1]
    rows = np.empty(n_members + 1, dtype=np.int64)
    for i in range(n_members):
        rows[i] = run.members[row, i]
    rows[n_members] = row
    rows.sort()
    return rows


@njit(cache=True, nogil=True)
def play(run, row):
    """Let the tournament know of a new SSE."""
    node = (run.winners.shape[0] // 2 + row) // 2
    while node > 0:
        left, right = run.winners[2 * node], run.winners[2 * node + 1]
        run.winners[node] = left if run.sse[left] <= run.sse[right] else right
        node //= 2


@njit(cache=True, nogil=True)
def look_up_all(run, start, visits):
    """Neighbourhoods of the records from `start` until `visits` boxes are opened.

    Returns
    -------
    row : int
        The first record that was not looked at.
    """
    n_near = run.members.shape[1] + run.reserve.shape[1] + 1
    near, near_rows = np.empty(n_near), np.empty(n_near, dtype=np.int32)
    for row in range(start, run.members.shape[0]):
        if visits <= 0:
            return row
        visits -= look_up(run, row, near, near_rows)
        run.sse[row] = sse_of(run.X, neighbourhood(run, row), run.codes)
        play(run, row)
    return run.members.shape[0]


@njit(cache=True, nogil=True)
def dba_rounds(run, n_free, n_cells, visits):
    """Close cells until fewer than k records are free or `visits` boxes are opened.

    Returns
    -------
    n_free, n_cells : int
    """
    n_members = run.members.shape[1]
    k = n_members + 1
    n_near = n_members + run.reserve.shape[1] + 1
    near, near_rows = np.empty(n_near), np.empty(n_near, dtype=np.int32)
    losers = np.empty(run.members.shape[0], dtype=np.int32)
    has_lost = np.zeros(run.members.shape[0], dtype=np.bool_)
    while n_free >= k and visits > 0:
        cell = neighbourhood(run, run.winners[1])
        for row in cell:
            run.labels[row] = n_cells
            hide_from_tree(run.tree, row)
            run.sse[row] = np.inf
            play(run, row)
            for i in range(n_members):
                unlink(run, row * n_members + i, run.members[row, i])
        n_losers = 0
        for row in cell:
            place = run.chain[row]
            while place != _NONE:
                owner = place // n_members
                run.members[owner, place % n_members] = _NONE
                if not has_lost[owner]:
                    has_lost[owner] = True
                    losers[n_losers] = owner
                    n_losers += 1
                place = run.following[place]
            run.chain[row] = _NONE
        for i in range(k):
            leaf = run.tree.place[cell[i]] // LANES
            shrink_boxes(run.tree, leaf)
        n_free -= k
        n_cells += 1
        visits -= n_losers + 1
        for i in range(n_losers):
            row = losers[i]
            has_lost[row] = False
            if n_free >= k:
                visits -= refill(run, row, near, near_rows)
                run.sse[row] = sse_of(run.X, neighbourhood(run, row), run.codes)
                play(run, row)
    return n_free, n_cells
