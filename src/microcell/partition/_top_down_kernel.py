"""Inner loops of top-down splits: arrays in, arrays out, no checks, no randomness."""

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.records import centroid, running_sum, sift_down, squared_distance
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
                for root in range(others // 2 - 1, -1, -1):
                    sift_down(distances, taken, root, others)
        elif distance < distances[0]:  # at equal distance the earlier record stays
            distances[0], taken[0] = distance, i
            sift_down(distances, taken, 0, others)
    for size in range(others - 1, 0, -1):  # the top of the heap is the farthest
        distances[0], distances[size] = distances[size], distances[0]
        taken[0], taken[size] = taken[size], taken[0]
        sift_down(distances, taken, 0, size)
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
def split(records, rows, classes, first, second, k, sides, spare, spare_ints):
    """Reorder a part into the side of `first` and the side of `second`.

    A side lists its record of the pair, those nearest to it, the nearest first, and
    then those that joined, in their order. Returns the size of the first side.
    """
    size, n_features = records.shape
    sides[:size] = FREE
    sides[second] = UPPER  # the first side must leave it
    in_lower, lower = take_nearest(records, first, k, sides, LOWER)
    in_upper, upper = take_nearest(records, second, k, sides, UPPER)
    n_lower = k
    for i in range(size):
        if sides[i] == FREE:
            to_lower = squared_distance(records[i], lower)
            to_upper = squared_distance(records[i], upper)
            joins_lower = to_lower <= to_upper
            sides[i] = JOINS_LOWER if joins_lower else JOINS_UPPER
            n_lower += joins_lower
    order = np.empty(size, dtype=np.int64)
    order[:k], order[n_lower : n_lower + k] = in_lower, in_upper
    next_lower, next_upper = k, n_lower + k
    for i in range(size):
        if sides[i] == JOINS_LOWER:
            order[next_lower] = i
            next_lower += 1
        elif sides[i] == JOINS_UPPER:
            order[next_upper] = i
            next_upper += 1
    for i in range(size):
        source = order[i]
        spare_ints[i, 0], spare_ints[i, 1] = rows[source], classes[source]
        for j in range(n_features):
            spare[i, j] = records[source, j]
    for i in range(size):
        rows[i], classes[i] = spare_ints[i, 0], spare_ints[i, 1]
        for j in range(n_features):
            records[i, j] = spare[i, j]
    return n_lower


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
    most = 0
    for place in range(depth):
        most = max(most, stack[place, 1] - stack[place, 0])
    most = min(most, large)
    sides = np.empty(most, dtype=np.int8)
    spare = np.empty((most, records.shape[1]))
    spare_ints = np.empty((most, 2), dtype=np.int64)
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
        n_lower = split(
            part, part_rows, part_classes, first, second, k, sides, spare, spare_ints
        )
        stack[depth, 0], stack[depth, 1] = start + n_lower, stop
        stack[depth + 1, 0], stack[depth + 1, 1] = start, start + n_lower
        depth += 2
    return depth, n_cells, n_done, stamp
