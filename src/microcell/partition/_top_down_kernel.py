"""Inner loops of top-down splits: arrays in, arrays out, no checks, no randomness."""

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.records import (
    centroid,
    make_heap,
    running_sum,
    sift_down,
    sort_heap,
    squared_distance,
)
from microcell.partition._farthest_pair_kernel import farthest_pair_at_once

FREE, LOWER, UPPER, JOINS_LOWER, JOINS_UPPER = 0, 1, 2, 3, 4  # sides of a record


@njit(cache=True, nogil=True)
def take_nearest(records, centre, k, sides, side):
    """Put `centre` and the `k` - 1 free records nearest to it on a side.

    Returns
    -------
    taken : ndarray of shape (k,)
        Their positions, the nearest first.
    middle : ndarray of shape (n_features,)
        Their centroid.
    """
    others, filled = k - 1, 0
    distances, taken = np.empty(k), np.empty(k, dtype=np.int64)
    for i in range(records.shape[0]):
        if others == 0 or i == centre or sides[i] != FREE:
            continue
        distance = squared_distance(records[i], records[centre])
        if filled < others:
            distances[filled], taken[filled] = distance, i
            filled += 1
            if filled == others:
                make_heap(distances[:others], taken[:others])
        elif distance < distances[0]:  # at equal distance the earlier record stays
            distances[0], taken[0] = distance, i
            sift_down(distances, taken, 0, others)
    sort_heap(distances[:others], taken[:others])
    for t in range(others, 0, -1):
        taken[t] = taken[t - 1]
    taken[0] = centre
    members = np.empty((k, records.shape[1]))
    for t in range(k):
        members[t] = records[taken[t]]
        sides[taken[t]] = side
    total, lost = running_sum(members)
    return taken, centroid(total, lost, k)


@njit(cache=True, nogil=True)
def split(records, rows, classes, first, second, k):
    """Reorder a part into the side of `first` and the side of `second`.

    A side lists its record of the pair, those nearest to it, the nearest first, and
    then those that joined, in their order. Returns the size of the first side.
    """
    sides = np.full(records.shape[0], FREE, dtype=np.int8)
    sides[second] = UPPER  # the first side must leave it
    in_lower, lower = take_nearest(records, first, k, sides, LOWER)
    in_upper, upper = take_nearest(records, second, k, sides, UPPER)
    for i in range(records.shape[0]):
        if sides[i] == FREE:
            to_lower = squared_distance(records[i], lower)
            to_upper = squared_distance(records[i], upper)
            sides[i] = JOINS_LOWER if to_lower <= to_upper else JOINS_UPPER
    joins_lower = np.flatnonzero(sides == JOINS_LOWER)
    joins_upper = np.flatnonzero(sides == JOINS_UPPER)
    order = np.concatenate((in_lower, joins_lower, in_upper, joins_upper))
    rows[:], classes[:], records[:] = rows[order], classes[order], records[order]
    return k + joins_lower.shape[0]


@njit(cache=True, nogil=True)
def label_equal_records(rows, k, labels, n_cells):
    """Cells of a part whose records are all equal, in one pass; return their number.

    Splits would take the second record and the `k` - 1 after the first `k` + 1 for a
    cell, and leave the rest for the next split.
    """
    window, next_row, n_left = rows[: 2 * k].copy(), 2 * k, rows.shape[0]
    count = n_left // k
    for cell in range(n_cells + count - 1, n_cells, -1):
        labels[window[1]] = cell
        for i in range(k + 1, 2 * k):
            labels[window[i]] = cell
        for i in range(1, k):
            window[i] = window[i + 1]
        n_left -= k
        for i in range(k, 2 * k):
            if next_row < rows.shape[0]:
                window[i] = rows[next_row]
                next_row += 1
    for i in range(min(n_left, 2 * k)):
        labels[window[i]] = n_cells
    return count


@njit(cache=True, nogil=True)
def split_parts(
    records, rows, classes, seen, stamp, stack, depth, labels, n_cells, k, large, visits
):
    """Split parts until none is left, one is `large`, or `visits` are spent.

    Parameters
    ----------
    records, rows, classes : ndarray of n_samples rows
        IN, OUT: the records, those of a part next to each other; which record of the
        table each is, and its equivalence class.
    stack : ndarray of shape (n, 2)
        IN, OUT: start and stop of the parts still to do, the next one last.
    labels : ndarray of shape (n_samples,)
        OUT: cell of each record that has one.

    Returns
    -------
    depth, n_cells, n_done, stamp : int
        Parts on the stack; cells so far; records put into cells by this call; the
        last number used for `seen`.
    """
    n_done = 0
    while depth > 0 and visits > 0:
        start, stop = stack[depth - 1]
        size = stop - start
        if size > large:
            break
        depth -= 1
        part_rows = rows[start:stop]
        if size < 2 * k:
            labels[part_rows] = n_cells
            n_cells += 1
            n_done += size
            continue
        part, part_classes = records[start:stop], classes[start:stop]
        stamp += 1
        first, second, best, work = farthest_pair_at_once(
            part, part_classes, seen, stamp
        )
        visits -= work
        if best == 0.0:
            n_cells += label_equal_records(part_rows, k, labels, n_cells)
            n_done += size
            continue
        n_lower = split(part, part_rows, part_classes, first, second, k)
        stack[depth, 0], stack[depth, 1] = start + n_lower, stop
        stack[depth + 1, 0], stack[depth + 1, 1] = start, start + n_lower
        depth += 2
    return depth, n_cells, n_done, stamp
