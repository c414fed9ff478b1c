"""Distances, running sums and the compacted set of records not yet in a cell.

The records that are still free sit in the first `n_free` rows of `free`, in the order
of the table, so a lower position is an earlier record and ties go to it by scanning
upwards with strict comparisons.

Squared distances add up column by column, and the running sum is compensated: both
are part of the definition of the algorithms, because every path, plain or fast, must
see the same numbers to break near-ties alike.
"""

import numpy as np

from microcell.kernels.compiled import njit

VISITS_PER_SLICE = 20_000_000  # a fraction of a second, so that Ctrl-C is noticed


@njit(cache=True, nogil=True)
def squared_distance(a, b):
    """Squared Euclidean distance, summed in column order."""
    total = 0.0
    for j in range(a.shape[0]):
        difference = a[j] - b[j]
        total += difference * difference
    return total


@njit(cache=True, nogil=True)
def record_distance(a, b, codes):
    """Squared distance of records with `codes`: a mismatch of two is their unit."""
    total, n_measured = 0.0, codes.n_measured
    for j in range(n_measured):
        difference = a[j] - b[j]
        total += difference * difference
    for j in range(n_measured, a.shape[0]):
        total += codes.units[j - n_measured] if a[j] != b[j] else 0.0
    return total


@njit(cache=True, nogil=True)
def column_distances(records, point, distances):
    """Squared distances to `point` of records that are columns of an array.

    The same sums as `squared_distance`, several records at a time.
    """
    n_features = point.shape[0]
    distances[:] = 0.0
    j = 0
    while j + 4 <= n_features:
        p, q, r, s = point[j], point[j + 1], point[j + 2], point[j + 3]
        for i in range(distances.shape[0]):
            a, b = records[j, i] - p, records[j + 1, i] - q
            c, d = records[j + 2, i] - r, records[j + 3, i] - s
            distances[i] = distances[i] + a * a + b * b + c * c + d * d
        j += 4
    while j < n_features:
        p = point[j]
        for i in range(distances.shape[0]):
            a = records[j, i] - p
            distances[i] += a * a
        j += 1


@njit(cache=True, nogil=True)
def add_mismatches(records, point, n_measured, units, distances):
    """Add its unit for each code of a record, a column of an array, that is another.

    A record that has left is NaN, and so are its distances.
    """
    for j in range(n_measured, point.shape[0]):
        p, unit = point[j], units[j - n_measured]
        for i in range(distances.shape[0]):
            code = records[j, i]
            distances[i] += (code - code) + (unit if code != p else unit * 0)


@njit(cache=True, nogil=True)
def add_to_sum(total, lost, record, sign):
    """Add `sign * record` to a running sum; `lost` keeps what rounding drops."""
    for j in range(total.shape[0]):
        value = sign * record[j]
        new = total[j] + value
        if abs(total[j]) >= abs(value):
            lost[j] += (total[j] - new) + value
        else:
            lost[j] += (value - new) + total[j]
        total[j] = new


@njit(cache=True, nogil=True)
def running_sum(X):
    """Compensated column sums of `X`, as the pair (total, lost)."""
    total, lost = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for i in range(X.shape[0]):
        add_to_sum(total, lost, X[i], 1.0)
    return total, lost


@njit(cache=True, nogil=True)
def centroid(total, lost, count):
    """Mean of the records behind a running sum."""
    return (total + lost) / count


@njit(cache=True, nogil=True)
def farthest(free, n_free, record, codes):
    """Position of the free record farthest from `record`."""
    best, best_distance = 0, -1.0
    for i in range(n_free):
        distance = record_distance(free[i], record, codes)
        if distance > best_distance:
            best, best_distance = i, distance
    return best


@njit(cache=True, nogil=True)
def sift_down(distances, positions, root, size):
    """Restore a heap whose top is the last in the order (distance, position)."""
    while True:
        child = 2 * root + 1
        if child >= size:
            return
        right = child + 1
        if right < size and (
            distances[right] > distances[child]
            or (
                distances[right] == distances[child]
                and positions[right] > positions[child]
            )
        ):
            child = right
        if distances[child] < distances[root] or (
            distances[child] == distances[root] and positions[child] <= positions[root]
        ):
            return
        distances[root], distances[child] = distances[child], distances[root]
        positions[root], positions[child] = positions[child], positions[root]
        root = child


@njit(cache=True, nogil=True)
def make_heap(distances, positions):
    """Order entries as a heap: the farthest, then the latest, on top."""
    for root in range(distances.shape[0] // 2 - 1, -1, -1):
        sift_down(distances, positions, root, distances.shape[0])


@njit(cache=True, nogil=True)
def sort_heap(heap, positions):
    """Put a heap whose top is the last into ascending order."""
    for last in range(heap.shape[0] - 1, 0, -1):
        heap[0], heap[last] = heap[last], heap[0]
        positions[0], positions[last] = positions[last], positions[0]
        sift_down(heap, positions, 0, last)


@njit(cache=True, nogil=True)
def nearest_and_farthest(free, n_free, centre, cell, distances, codes):
    """Fill `cell` with `centre` and the free records nearest to it.

    Parameters
    ----------
    centre : int
        Position of the record in the middle; it is always taken.
    cell, distances : ndarray of shape (k,)
        OUT: positions in ascending order; scratch.

    Returns
    -------
    position : int
        The free record farthest from the centre.
    """
    others = cell.shape[0] - 1
    best = keep_nearest(free, n_free, centre, cell[:others], distances[:others], codes)
    cell[others] = centre
    cell.sort()
    return best


@njit(cache=True, nogil=True)
def keep_nearest(free, n_free, centre, near, distances, codes):
    """Fill a heap with the free records nearest to another; return the farthest."""
    point, others, filled = free[centre].copy(), near.shape[0], 0
    best, best_distance = 0, -1.0
    for i in range(n_free):
        distance = record_distance(free[i], point, codes)
        if distance > best_distance:
            best, best_distance = i, distance
        if i == centre or others == 0:
            continue
        if filled < others:
            distances[filled], near[filled] = distance, i
            filled += 1
            if filled == others:
                make_heap(distances, near)
        elif distance < distances[0]:  # at equal distance the earlier record stays
            distances[0], near[0] = distance, i
            sift_down(distances, near, 0, others)
    return best


@njit(cache=True, nogil=True)
def remove(free, rows, n_free, cell):
    """Close the gaps at the ascending positions `cell`; return the new count."""
    end = cell[0]
    for c in range(cell.shape[0]):
        stop = cell[c + 1] if c + 1 < cell.shape[0] else n_free
        for i in range(cell[c] + 1, stop):
            rows[end] = rows[i]
            for j in range(free.shape[1]):
                free[end, j] = free[i, j]
            end += 1
    return end


@njit(cache=True, nogil=True)
def sums_of_cells(X, labels, n_cells):
    """Compensated sums of the labelled records of each cell, as (total, lost)."""
    total = np.zeros((n_cells, X.shape[1]))
    lost = np.zeros_like(total)
    for i in range(X.shape[0]):
        if labels[i] >= 0:
            add_to_sum(total[labels[i]], lost[labels[i]], X[i], 1.0)
    return total, lost


@njit(cache=True, nogil=True)
def cell_middles(X, labels, sizes):
    """Mean of the labelled records of each cell."""
    total, lost = sums_of_cells(X, labels, sizes.shape[0])
    for cell in range(sizes.shape[0]):
        total[cell] = centroid(total[cell], lost[cell], sizes[cell])
    return total


@njit(cache=True, nogil=True)
def join_nearest_cell(X, rows, labels, n_cells):
    """Label each of `rows` with the cell of the nearest centroid.

    Centroids are those of the records that have a label already; they do not move.
    """
    sizes = np.zeros(n_cells, dtype=np.int64)
    for i in range(X.shape[0]):
        if labels[i] >= 0:
            sizes[labels[i]] += 1
    middles = cell_middles(X, labels, sizes)
    nearest = np.empty(rows.shape[0], dtype=np.int64)
    for r in range(rows.shape[0]):
        best_distance = np.inf
        for c in range(n_cells):
            distance = squared_distance(X[rows[r]], middles[c])
            if distance < best_distance:
                nearest[r], best_distance = c, distance
    labels[rows] = nearest
