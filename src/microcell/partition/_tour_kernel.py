"""Orders of the records: a curve through nested halves, and a tour made short.

Arrays in, arrays out, no checks. A tour is an array of rows, read as a circle, and the
place of each row in it.
"""

from typing import NamedTuple

import numpy as np

from microcell.kernels.box_changes import hide_from_tree
from microcell.kernels.box_queries import nearest_in_tree
from microcell.kernels.box_tree import (
    LANES,
    SAMPLE,
    divide,
    shrink_boxes,
    widest_column,
)
from microcell.kernels.compiled import njit
from microcell.kernels.records import squared_distance

MAX_SEGMENT_RECORDS = 3  # records that move together
MAX_KICKED_RECORDS = 30  # records of a run that is swapped with the next
TURNS_AFTER_KICK = 10_000
MIN_GAIN = 1e-9  # relative to what leaves: rounding makes no tour shorter
_LEAF = 4


@njit(cache=True, nogil=True)
def curve_order(X):
    """Rows along a curve that fills each half of the widest column before the other.

    The half nearer to the last record comes first, and so on down to a few records,
    of which the nearest comes next.
    """
    n_samples, n_features = X.shape
    records, rows = X.copy(), np.arange(n_samples)
    stack = np.empty((128, 2), dtype=np.int64)
    stack[0, 0], stack[0, 1] = 0, n_samples
    order, depth, n_done = np.empty(n_samples, dtype=np.int64), 1, 0
    last = records[0].copy()
    for j in range(n_features):
        last[j] = records[:, j].min()
    while depth > 0:
        depth -= 1
        low, high = stack[depth, 0], stack[depth, 1]
        size = high - low
        part, part_rows = records[low:high], rows[low:high]
        column = -1
        if size > _LEAF:
            column = widest_column(part, 1 + size // SAMPLE, n_features)
            if column < 0:
                column = widest_column(part, 1, n_features)
        if column < 0:
            if size > _LEAF:  # all are equal
                part_rows.sort()
            for done in range(size):
                best, best_distance = done, np.inf
                if size <= _LEAF:
                    for i in range(done, size):
                        distance = squared_distance(part[i], last)
                        if distance < best_distance or (
                            distance == best_distance and part_rows[i] < part_rows[best]
                        ):
                            best, best_distance = i, distance
                order[n_done] = part_rows[best]
                n_done += 1
                for j in range(n_features):
                    last[j] = part[best, j]
                    part[best, j] = part[done, j]
                part_rows[best] = part_rows[done]
            continue
        half = size // 2
        divide(part, part_rows, half, column)
        border = part[half, column]
        first = 1 if last[column] < border else 0  # the top of the stack is next
        stack[depth + first, 0], stack[depth + first, 1] = low, low + half
        stack[depth + 1 - first, 0] = low + half
        stack[depth + 1 - first, 1] = high
        depth += 2
    return order


@njit(cache=True, nogil=True)
def nearest_next(tree, X, order, done, visits):
    """Go on from the record at `done` to the nearest that is left, and so on.

    Parameters
    ----------
    tree : BoxTree
        IN, OUT: the records that are left.
    order : ndarray of shape (n_samples,)
        IN, OUT: filled up to `done`, which is included.
    visits : int
        Boxes to open before a pause.

    Returns
    -------
    done : int
        The place to go on from; the number of records at the end.
    """
    near, near_rows = np.empty(1), np.empty(1, dtype=np.int32)
    while done < order.shape[0] and visits > 0:
        row = order[done]
        leaf = tree.place[row] // LANES
        hide_from_tree(tree, row)
        shrink_boxes(tree, leaf)
        done += 1
        if done < order.shape[0]:
            visits -= nearest_in_tree(tree, X[row], leaf, near, near_rows)
            order[done] = near_rows[0]
    return done


class TourInProgress(NamedTuple):
    """A tour that is made shorter.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
    lists : ndarray of shape (n_samples, n_near)
        Rows near each row, the nearest first.
    tour, place : ndarray of shape (n_samples,)
        Rows along the tour, and the place of each row.
    queue, waits : ndarray of shape (n_samples,)
        Rows to look at, in a circle, and whether a row is among them.
    waiting : ndarray of shape (2,)
        Where the queue begins, and how many wait.
    flips : ndarray of shape (n_flips, 2)
        What was reversed, first place and length, so that it can be undone.
    n_flips : ndarray of shape (1,)
    touched, gain : ndarray of shape (6,) and (1,)
        Rows at the ends of edges that changed last, and how much shorter it is.
    bend : int
        The length of an edge is the distance to the power of a half (0), of one (1) or
        of one and a half (2).
    most : int
        Records that an exchange may move.
    state : uint64 ndarray of shape (1,)
        Of the numbers that say where to kick.
    """

    X: np.ndarray
    lists: np.ndarray
    tour: np.ndarray
    place: np.ndarray
    queue: np.ndarray
    waits: np.ndarray
    waiting: np.ndarray
    flips: np.ndarray
    n_flips: np.ndarray
    touched: np.ndarray
    gain: np.ndarray
    bend: int
    most: int
    state: np.ndarray


@njit(cache=True, nogil=True)
def gap(X, bend, a, b):
    """Length of the edge between two records."""
    distance = np.sqrt(squared_distance(X[a], X[b]))
    if bend == 1:
        return distance
    root = np.sqrt(distance)
    return root if bend == 0 else distance * root


@njit(cache=True, nogil=True)
def beside(tour, place, row, step):
    """The row one step onwards, or back, along the tour."""
    at = place[row] + step
    n = tour.shape[0]
    if at == n:
        at = 0
    return tour[at] if at >= 0 else tour[n - 1]


@njit(cache=True, nogil=True)
def steps_between(place, a, b, step):
    """Steps from row `a` to row `b` in a direction."""
    between = (place[b] - place[a]) * step
    return between if between >= 0 else between + place.shape[0]


@njit(cache=True, nogil=True)
def flip(tour, place, low, length):
    """Reverse so many rows from a place on."""
    n = tour.shape[0]
    p, q = low, low + length - 1
    if q >= n:
        q -= n
    for _ in range(length // 2):
        a, b = tour[p], tour[q]
        tour[p], tour[q] = b, a
        place[b], place[a] = p, q
        p = p + 1 if p + 1 < n else 0
        q = q - 1 if q > 0 else n - 1


@njit(cache=True, nogil=True)
def turn_round(run, a, b):
    """Reverse the tour from row `a` onwards to `b`, or all the rest if that is less."""
    n, place = run.tour.shape[0], run.place
    low, length = place[a], steps_between(place, a, b, 1) + 1
    if 2 * length > n:
        low, length = place[b] + 1, n - length
        low = low if low < n else 0
    flip(run.tour, place, low, length)
    at = run.n_flips[0]
    run.flips[at, 0], run.flips[at, 1] = low, length
    run.n_flips[0] += 1


@njit(cache=True, nogil=True)
def exchange(run, a, b, c, d):
    """Let c follow a, and d follow b, where b followed a, and d followed c."""
    if beside(run.tour, run.place, a, 1) == b:
        turn_round(run, b, c)
    else:
        turn_round(run, c, b)


@njit(cache=True, nogil=True)
def moved(place, a, b, step):
    """Rows that are moved when the tour from `a` to `b` is reversed."""
    length = steps_between(place, a, b, step) + 1
    return min(length, place.shape[0] - length)


@njit(cache=True, nogil=True)
def touch(run, a, b, c, d, e, f, gain):
    """Remember what changed."""
    touched = run.touched
    touched[0], touched[1], touched[2] = a, b, c
    touched[3], touched[4], touched[5] = d, e, f
    run.gain[0] = gain


@njit(cache=True, nogil=True)
def try_exchange(run, a, step):
    """Exchange two edges, one of them at `a`, if that makes the tour shorter."""
    X, bend, tour, place = run.X, run.bend, run.tour, run.place
    b = beside(tour, place, a, step)
    edge = gap(X, bend, a, b)
    for near in run.lists[a]:
        c = np.int64(near)
        gain = edge - gap(X, bend, a, c)
        if gain <= 0.0:
            return False
        d = beside(tour, place, c, step)
        if c == b or d == a:
            continue
        other = gap(X, bend, c, d)
        gain += other - gap(X, bend, b, d)
        if gain > MIN_GAIN * (edge + other) and moved(place, b, c, step) <= run.most:
            exchange(run, a, b, c, d)
            touch(run, a, b, c, d, a, b, gain)
            return True
    return False


@njit(cache=True, nogil=True)
def try_to_move(run, a, step):
    """Move `a`, or a few records from it on, to between two others.

    The tour is b [a .. e] f, and c d elsewhere; then it is b f, and c a .. e d, or d e
    .. a c.
    """
    X, bend, tour, place = run.X, run.bend, run.tour, run.place
    b = beside(tour, place, a, -step)
    edge = gap(X, bend, a, b)
    e = a
    for length in range(1, MAX_SEGMENT_RECORDS + 1):
        if length > 1:
            e = beside(tour, place, e, step)
        f = beside(tour, place, e, step)
        left = edge + gap(X, bend, e, f)
        freed = left - gap(X, bend, b, f)
        for near in run.lists[a]:
            c = np.int64(near)
            to_c = gap(X, bend, a, c)
            if to_c >= freed or to_c >= edge:
                break
            if steps_between(place, a, c, step) < length:
                continue
            for side in (step, -step):
                d = beside(tour, place, c, side)
                if steps_between(place, a, d, step) < length:
                    continue
                other = gap(X, bend, c, d)
                gain = freed + other - to_c - gap(X, bend, e, d)
                if gain <= MIN_GAIN * (left + other):
                    continue
                far, end = (c, d) if side == step else (d, c)
                if moved(place, a, far, step) > run.most:
                    continue
                exchange(run, b, a, far, end)
                exchange(run, b, far, f, e)
                if side == step:
                    exchange(run, far, e, a, end)
                touch(run, a, b, c, d, e, f, gain)
                return True
    return False


@njit(cache=True, nogil=True)
def enqueue(run, row):
    """Let a row be looked at later."""
    if not run.waits[row]:
        run.waits[row] = True
        run.queue[(run.waiting[0] + run.waiting[1]) % run.queue.shape[0]] = row
        run.waiting[1] += 1


@njit(cache=True, nogil=True)
def improve(run, a):
    """Whether an exchange or a move at a row, in either direction, was found."""
    for step in (1, -1):
        if try_exchange(run, a, step):
            return True
    for step in (1, -1):
        if try_to_move(run, a, step):
            return True
    return False


@njit(cache=True, nogil=True)
def shorten(run, turns, keep_flips):
    """Make a tour shorter by exchanges and moves, until none helps or turns are over.

    Parameters
    ----------
    turns : int
        Rows to look at.
    keep_flips : bool
        Whether all of it may have to be undone: it ends when no more can be noted.

    Returns
    -------
    gain : float
        How much shorter it is.
    """
    n, total = run.tour.shape[0], 0.0
    while run.waiting[1] > 0 and turns > 0:
        if not keep_flips:
            run.n_flips[0] = 0
        elif run.n_flips[0] + 3 > run.flips.shape[0]:
            break
        turns -= 1
        a = run.queue[run.waiting[0]]
        run.waiting[0] = (run.waiting[0] + 1) % n
        run.waiting[1] -= 1
        run.waits[a] = False
        if improve(run, a):
            total += run.gain[0]
            for row in run.touched:
                enqueue(run, row)
    return total


@njit(cache=True, nogil=True)
def below(run, bound):
    """The next whole number from 0 to less than a bound (xorshift)."""
    state = run.state[0]
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    run.state[0] = state
    return np.int64((state >> np.uint64(11)) % np.uint64(bound))


@njit(cache=True, nogil=True)
def kick(run, n_kicks):
    """Swap two short runs that follow each other, repair, and keep what is shorter."""
    X, bend, tour, n = run.X, run.bend, run.tour, run.tour.shape[0]
    longest = min(MAX_KICKED_RECORDS, (n - 2) // 2)
    ends = np.empty(6, dtype=np.int64)
    for _ in range(n_kicks):
        at, first, second = below(run, n), below(run, longest), below(run, longest)
        after, last = at + 2 + first, at + 3 + first + second
        ends[0], ends[1] = tour[at], tour[(at + 1) % n]
        ends[2], ends[3] = tour[(after - 1) % n], tour[after % n]
        ends[4], ends[5] = tour[(last - 1) % n], tour[last % n]
        longer = gap(X, bend, ends[0], ends[3]) + gap(X, bend, ends[4], ends[1])
        longer += gap(X, bend, ends[2], ends[5]) - gap(X, bend, ends[0], ends[1])
        longer -= gap(X, bend, ends[2], ends[3]) + gap(X, bend, ends[4], ends[5])
        run.n_flips[0] = 0
        a, b, c, d = ends[1], ends[2], ends[3], ends[4]
        exchange(run, ends[0], a, d, ends[5])  # d .. c b .. a
        exchange(run, ends[0], d, c, b)  # c .. d b .. a
        exchange(run, d, b, a, ends[5])  # c .. d a .. b
        for row in ends:
            enqueue(run, row)
        shorter = shorten(run, TURNS_AFTER_KICK, True)
        while run.waiting[1] > 0:
            run.waits[run.queue[run.waiting[0]]] = False
            run.waiting[0] = (run.waiting[0] + 1) % n
            run.waiting[1] -= 1
        if shorter <= longer * (1.0 + MIN_GAIN):
            for i in range(run.n_flips[0] - 1, -1, -1):
                flip(tour, run.place, run.flips[i, 0], run.flips[i, 1])
