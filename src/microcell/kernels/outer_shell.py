"""The free record farthest from a centre that moves a little at a time.

Records are sorted by their distance to a reference centre. The outermost ones are also
kept apart, as the top, sorted again around a more recent centre. By the triangle
inequality a record cannot be farther from the present centre than its distance to
another centre plus the distance between the two, so a look at the first few of the top
is enough. When the top runs low it takes in more records; when many looks are needed
it is sorted again around the present centre.

Equal records are one entry, which stands for the earliest free one.
"""

from typing import NamedTuple

import numpy as np

from microcell.kernels.codes import (
    distance_of_centres,
    distance_to_centre,
    distances_to_centre,
)
from microcell.kernels.compiled import njit
from microcell.kernels.distinct import distinct_records
from microcell.kernels.records import make_heap, sift_down

BATCH = 1024  # entries that the top takes in, at least
PATIENCE = 16  # looks per entry of the top before it is sorted again
MIN_DISTINCT_SHARE = 0.9
MAX_EQUAL_APART = 64  # equal records of a table that is mostly distinct
DISTANCE_SLACK = 1e-9  # relative, far above what rounding adds to a distance
TINY_DISTANCE = 1e-140  # absolute, for squares that underflow
START, STOP, NEXT, LOOKS = range(4)


class OuterShell(NamedTuple):
    """Entries by decreasing distance to a centre, and the top of them.

    Attributes
    ----------
    rows, radius : ndarray of shape (n_entries,)
        Earliest record of each entry, and its distance to `centre`.
    centre : ndarray
    next_equal : int32 ndarray of shape (n_samples,)
        The next record equal to each one, or -1; empty if most records are distinct.
    top, top_rows, top_radius, top_centre
        The same for the top; its entries are those from START to STOP.
    order : int32 ndarray of shape (n_entries,)
        Scratch.
    state : ndarray of shape (4,)
        START and STOP of the top, the NEXT entry to take in, LOOKS since it was sorted.
    """

    rows: np.ndarray
    radius: np.ndarray
    centre: np.ndarray
    next_equal: np.ndarray
    top: np.ndarray
    top_rows: np.ndarray
    top_radius: np.ndarray
    top_centre: np.ndarray
    order: np.ndarray
    state: np.ndarray


def chain_equal_records(X):
    """First record of each distinct one, and the next equal record of each.

    The chains are left out (an empty array) if most records are distinct and none is
    frequent.
    """
    classes, first = distinct_records(X)
    is_frequent = np.bincount(classes, minlength=1).max() > MAX_EQUAL_APART
    if len(first) > MIN_DISTINCT_SHARE * len(X) and not is_frequent:
        return np.arange(len(X), dtype=np.int32), np.empty(0, dtype=np.int32)
    order = np.argsort(classes, kind="stable")
    same = classes[order[1:]] == classes[order[:-1]]
    next_equal = np.full(len(X), -1, dtype=np.int32)
    next_equal[order[:-1][same]] = order[1:][same]
    return first.astype(np.int32), next_equal


def make_outer_shell(X, first, next_equal, centre, codes):
    """Sort entries, given by their first records, around `centre`."""
    points = X[first]
    radius = distances_to_centre(points, centre, codes)
    order = np.argsort(-radius)
    return OuterShell(
        first[order],
        np.sqrt(radius[order]),
        centre,
        next_equal,
        np.empty_like(points),
        np.empty(len(first), dtype=np.int32),
        np.empty(len(first)),
        centre.copy(),
        np.empty(len(first), dtype=np.int32),
        np.zeros(4, dtype=np.int64),
    )


@njit(cache=True, nogil=True)
def earliest_free(row, free, next_equal):
    """The first free record among those equal to `row` from there on, or -1."""
    while row >= 0 and not free[row]:
        row = next_equal[row] if next_equal.shape[0] > 0 else -1
    return row


@njit(cache=True, nogil=True)
def sort_top(shell, X, free, point, batch, codes):
    """Sort the top around `point`, with `batch` more entries, without empty ones."""
    state, n_features = shell.state, X.shape[1]
    count = 0
    for i in range(state[START], state[STOP]):
        row = earliest_free(shell.top_rows[i], free, shell.next_equal)
        if row >= 0:
            shell.top_rows[count] = row
            count += 1
    while batch > 0 and state[NEXT] < shell.rows.shape[0]:
        row = earliest_free(shell.rows[state[NEXT]], free, shell.next_equal)
        state[NEXT] += 1
        if row >= 0:
            shell.top_rows[count] = row
            count += 1
            batch -= 1
    distances = np.empty(count)
    for i in range(count):
        row = shell.top_rows[i]
        distances[i] = distance_to_centre(X[row], point, codes)
    make_heap(distances, shell.top_rows)
    for i in range(count):  # the top of the heap comes first, what is left is a heap
        size = count - i
        shell.order[i], shell.top_radius[i] = shell.top_rows[0], np.sqrt(distances[0])
        shell.top_rows[0], distances[0] = shell.top_rows[size - 1], distances[size - 1]
        sift_down(distances, shell.top_rows, 0, size - 1)
    for i in range(count):
        row = shell.order[i]
        shell.top_rows[i] = row
        for j in range(n_features):
            shell.top[i, j] = X[row, j]
    for j in range(point.shape[0]):
        shell.top_centre[j] = point[j]
    state[START], state[STOP], state[LOOKS] = 0, count, 0


@njit(cache=True, nogil=True)
def farthest_of_top(shell, free, point, codes):
    """Row of the entry of the top that is farthest from `point`, and its distance."""
    state = shell.state
    moved = np.sqrt(distance_of_centres(point, shell.top_centre, codes))
    best, best_row, reach = -1.0, -1, -1.0
    i = state[START]
    while i < state[STOP] and not shell.top_radius[i] + moved < reach:
        distance = distance_to_centre(shell.top[i], point, codes)
        if distance >= best:
            row = earliest_free(shell.top_rows[i], free, shell.next_equal)
            shell.top_rows[i] = row
            if row < 0:
                if i == state[START]:
                    state[START] += 1
            elif distance > best or row < best_row:
                best, best_row = distance, row
                reach = np.sqrt(best) * (1 - DISTANCE_SLACK) - TINY_DISTANCE
        i += 1
    state[LOOKS] += i - state[START]
    return best_row, reach


@njit(cache=True, nogil=True)
def farthest_from_centre(shell, X, free, point, batch, codes):
    """The free record farthest from `point`; the earlier one on a tie."""
    state = shell.state
    if state[LOOKS] > PATIENCE * (state[STOP] - state[START]):
        sort_top(shell, X, free, point, 0, codes)
    moved = np.sqrt(distance_of_centres(point, shell.centre, codes))
    while True:
        row, reach = farthest_of_top(shell, free, point, codes)
        in_doubt = state[NEXT] < shell.rows.shape[0]
        if not in_doubt or shell.radius[state[NEXT]] + moved < reach:
            return row
        n_more = max(batch, state[STOP] - state[START])
        sort_top(shell, X, free, point, n_more, codes)


@njit(cache=True, nogil=True)
def top_is_long(shell, batch):
    """Whether the centre moves so fast that a tree finds its farthest record sooner."""
    return shell.state[STOP] - shell.state[START] > 4 * batch


@njit(cache=True, nogil=True)
def top_is_large(shell, batch, n_free):
    """Whether the centre has moved so far that all should be sorted again."""
    return shell.state[STOP] - shell.state[START] > max(16 * batch, n_free // 8)
