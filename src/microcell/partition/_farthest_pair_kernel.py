"""The farthest pair of a set of records, exact, in memory O(n d).

A few sweeps (the record farthest from the last one) find a pair that is nearly always
among the farthest. Around the middle of that pair, two records of radii r and s are at
most r + s apart, so only records far out can be in a farther pair, and of those few
pairs have to be measured. Where many are left, as on a sphere, they are sorted into
boxes of 16 and pairs of boxes are dropped by their farthest corners. Equal records are
looked at once. At worst, all pairs are measured.

Ties go to the lowest pair of positions: the first record, then the second.
"""

from typing import Any

import numpy as np

from microcell.kernels.box_tree import LANES, sort_into_leaves
from microcell.kernels.compiled import njit
from microcell.kernels.records import squared_distance

SLACK = 1e-12  # relative, far above what rounding adds to a sum of two radii
TINY = 1e-290  # absolute, for squares that underflow
MAX_SWEEPS = 8
BOXES_FROM = 24  # candidate pairs for each candidate, before boxes pay


@njit(cache=True, nogil=True)
def farthest_from(records, point):
    """Position of the record farthest from `point`, and its squared distance."""
    best, best_distance = 0, -1.0
    for i in range(records.shape[0]):
        distance = squared_distance(records[i], point)
        if distance > best_distance:
            best, best_distance = i, distance
    return best, best_distance


@njit(cache=True, nogil=True)
def far_pair(records):
    """Positions (first, second) of a pair that is far apart, and its distance."""
    n_features = records.shape[1]
    middle = np.zeros(n_features)
    for i in range(records.shape[0]):
        for j in range(n_features):
            middle[j] += records[i, j] / records.shape[0]
    here, _ = farthest_from(records, middle)
    there, best = farthest_from(records, records[here])
    for _ in range(MAX_SWEEPS):
        beyond, distance = farthest_from(records, records[there])
        if distance <= best:
            break
        here, there, best = there, beyond, distance
    return min(here, there), max(here, there), best


@njit(cache=True, nogil=True)
def reach_of(best):
    """Two radii that add up to less cannot belong to a pair at distance `best`."""
    return np.sqrt(best) * (1 - SLACK) - TINY


@njit(cache=True, nogil=True)
def outer_records(records, classes, seen, stamp, first, second, best):
    """Records that may be in a farthest pair, the farthest out first.

    Parameters
    ----------
    classes : ndarray of shape (n,)
        Equivalence class of each record; of equal records the first one is kept.
    seen : ndarray of shape (n_classes,)
        SCRATCH: set to `stamp`, a number not used before, where a class was met.
    first, second, best
        What `far_pair` returned.

    Returns
    -------
    where : ndarray of shape (n_candidates,)
        Their positions.
    radii : ndarray of shape (n_candidates,)
        Their distances to the middle of the pair, descending.
    """
    size, n_features = records.shape
    middle, radius = np.empty(n_features), np.empty(size)
    for j in range(n_features):
        middle[j] = records[first, j] / 2 + records[second, j] / 2
    largest = 0.0
    for i in range(size):
        radius[i] = np.sqrt(squared_distance(records[i], middle))
        largest = max(largest, radius[i])
    reach = reach_of(best)
    where, count = np.empty(size, dtype=np.int64), 0
    for i in range(size):
        if radius[i] + largest >= reach and seen[classes[i]] != stamp:
            seen[classes[i]] = stamp
            where[count] = i
            count += 1
    radii = radius[where[:count]]
    order = np.argsort(-radii)
    return where[:count][order], radii[order]


@njit(cache=True, nogil=True)
def count_pairs(radii, reach):
    """How many pairs of descending radii add up to `reach` or more."""
    count, partner = 0, radii.shape[0]
    for i in range(radii.shape[0]):
        while partner > 0 and radii[i] + radii[partner - 1] < reach:
            partner -= 1
        count += partner
    return count // 2


@njit(cache=True, nogil=True)
def take_pair(a, b, distance, first, second, best):
    """The farther of a pair and the best one; on a tie the lower positions."""
    low, high = min(a, b), max(a, b)
    if distance > best or low < first or (low == first and high < second):
        return low, high, distance
    return first, second, best


@njit(cache=True, nogil=True)
def compare_by_radius(points, where, radii, begin, first, second, best, visits):
    """Measure pairs by descending radii from entry `begin` on, at most `visits`.

    Returns
    -------
    begin, first, second, best
        Where to go on, the number of entries if all is done; the best pair so far.
    """
    reach = reach_of(best)
    for i in range(begin, radii.shape[0]):
        if radii[i] + radii[0] < reach:
            break
        if visits < 0:
            return i, first, second, best
        for j in range(i):
            if radii[i] + radii[j] < reach:
                break
            visits -= 1
            distance = squared_distance(points[i], points[j])
            if distance >= best:
                first, second, best = take_pair(
                    where[i], where[j], distance, first, second, best
                )
                reach = reach_of(best)
    return radii.shape[0], first, second, best


@njit(cache=True, nogil=True)
def boxes_of_records(points, where, radii):
    """Sort records into boxes of 16, the box with the largest radius first.

    Returns
    -------
    points, where
        Reordered: box b holds entries 16 b to 16 b + 15, the last ones repeated.
    low, high : ndarray of shape (n_boxes, n_features)
    radius : ndarray of shape (n_boxes,)
        The largest of each box.
    """
    count, n_features = points.shape
    sorted_points, entries = points.copy(), np.arange(count)
    sort_into_leaves(sorted_points, entries, n_features)
    n_boxes = (count + LANES - 1) // LANES
    radius = np.zeros(n_boxes)
    for i in range(count):
        radius[i // LANES] = max(radius[i // LANES], radii[entries[i]])
    order = np.argsort(-radius)
    boxed = np.empty((n_boxes * LANES, n_features))
    rows = np.empty(n_boxes * LANES, dtype=np.int64)
    low, high = np.empty((n_boxes, n_features)), np.empty((n_boxes, n_features))
    for box in range(n_boxes):
        for lane in range(LANES):
            source = min(order[box] * LANES + lane, count - 1)
            place = box * LANES + lane
            rows[place] = where[entries[source]]
            for j in range(n_features):
                value = sorted_points[source, j]
                boxed[place, j] = value
                low[box, j] = value if lane == 0 else min(low[box, j], value)
                high[box, j] = value if lane == 0 else max(high[box, j], value)
    return boxed, rows, low, high, radius[order]


@njit(cache=True, nogil=True)
def most_apart(low_a, high_a, low_b, high_b):
    """Squared distance between the farthest corners of two boxes."""
    total = 0.0
    for j in range(low_a.shape[0]):
        gap = max(high_a[j] - low_b[j], high_b[j] - low_a[j])
        total += gap * gap
    return total


@njit(cache=True, nogil=True)
def compare_by_boxes(
    points, where, low, high, radius, begin, first, second, best, visits
):
    """The same as `compare_by_radius`, for records in boxes."""
    reach = reach_of(best)
    for a in range(begin, radius.shape[0]):
        if radius[a] + radius[0] < reach:
            break
        if visits < 0:
            return a, first, second, best
        for b in range(a + 1):
            if radius[a] + radius[b] < reach:
                break
            visits -= 1
            if most_apart(low[a], high[a], low[b], high[b]) < best:
                continue
            visits -= LANES * LANES
            for i in range(a * LANES, (a + 1) * LANES):
                for j in range(b * LANES, (b + 1) * LANES):
                    distance = squared_distance(points[i], points[j])
                    if distance >= best and where[i] != where[j]:
                        first, second, best = take_pair(
                            where[i], where[j], distance, first, second, best
                        )
            reach = reach_of(best)
    return radius.shape[0], first, second, best


@njit(cache=True, nogil=True)
def farthest_pair_at_once(records, classes, seen, stamp):
    """Positions of the farthest pair, its distance, and what it took.

    Records that are all equal give the first two and a distance of 0.
    """
    first, second, best = far_pair(records)
    if best == 0.0:
        return 0, 1, 0.0, records.shape[0]
    where, radii = outer_records(records, classes, seen, stamp, first, second, best)
    points = records[where]
    work = count_pairs(radii, reach_of(best))
    if work <= BOXES_FROM * radii.shape[0]:
        _, first, second, best = compare_by_radius(
            points, where, radii, 0, first, second, best, np.int64(2**62)
        )
    else:
        boxed, rows, low, high, radius = boxes_of_records(points, where, radii)
        work = (radii.shape[0] // LANES) ** 2
        _, first, second, best = compare_by_boxes(
            boxed, rows, low, high, radius, 0, first, second, best, np.int64(2**62)
        )
    return first, second, best, 4 * records.shape[0] + work


def farthest_pair(
    records: Any,
    classes: Any,
    seen: Any,
    stamp: Any,
    visits: Any,
    report: Any = lambda: None,
) -> Any:
    """The same for many records: `report` is called every `visits` distances."""
    first, second, best = far_pair(records)
    if best == 0.0:
        return 0, 1, 0.0
    where, radii = outer_records(records, classes, seen, stamp, first, second, best)
    entries = (records[where], where, radii)
    compare = compare_by_radius
    if count_pairs(radii, reach_of(best)) > BOXES_FROM * len(radii):
        entries, compare = boxes_of_records(*entries), compare_by_boxes
    begin = 0
    while begin < len(entries[-1]):
        begin, first, second, best = compare(
            *entries, begin, first, second, best, visits
        )
        report()
    return first, second, best
