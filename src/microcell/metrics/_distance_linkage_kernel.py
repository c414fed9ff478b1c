"""Inner loops of linkage by distance: arrays in, arrays out, no checks.

Original records are sorted so that neighbours lie together, and cut into blocks with a
box each, blocks into groups with a box each, and so on. The distance to a box is
summed in the same order as that to a record, term by term not larger, so in floating
point too it never exceeds that of a record inside, and a box that is left out holds no
tie. Distances that rounding alone tells apart are the same.
"""

from typing import NamedTuple

import numpy as np

from microcell.kernels.compiled import njit

SAME_DISTANCE = 1e-9  # squared distances that differ by less, relatively, are the same
BOXED = 16  # records under a box of level 0
GROUP = 8  # boxes under a box of the next level


class Originals(NamedTuple):
    """Distinct original records and the boxes around them.

    Attributes
    ----------
    records : ndarray of shape (n_originals, n_features)
        Neighbours together.
    copies : ndarray of shape (n_originals,)
        How many records are equal to each.
    low, high : ndarray of shape (n_boxes, n_features)
        Corners of the boxes, level by level.
    level_start : ndarray of shape (n_levels + 1,)
        First box of each level, and the number of boxes.
    units : ndarray of shape (n_features,)
        What a mismatch counts in a column of codes; 0 where a column is measured.
    least : float
        Squared distances that differ by less than this are the same.
    """

    records: np.ndarray
    copies: np.ndarray
    low: np.ndarray
    high: np.ndarray
    level_start: np.ndarray
    units: np.ndarray
    least: float


@njit(cache=True, nogil=True)
def distance(a, b, units):
    """Squared distance; a column of codes adds its unit for a mismatch."""
    total = 0.0
    for j in range(a.shape[0]):
        if units[j] > 0.0:
            total += units[j] if a[j] != b[j] else 0.0
        else:
            difference = a[j] - b[j]
            total += difference * difference
    return total


@njit(cache=True, nogil=True)
def is_beyond(point, low, high, units, reach):
    """Whether every record inside a box is farther than `reach`."""
    total = 0.0
    for j in range(point.shape[0]):
        outside = max(low[j] - point[j], point[j] - high[j], 0.0)
        if units[j] > 0.0:
            total += units[j] if outside > 0.0 else 0.0
        else:
            total += outside * outside
        if total > reach:  # which more columns do not change
            return True
    return False


@njit(cache=True, nogil=True)
def own_distances(X, X_released, units):
    """Squared distance of each released record to its original."""
    own = np.empty(X.shape[0])
    for i in range(X.shape[0]):
        own[i] = distance(X[i], X_released[i], units)
    return own


@njit(cache=True, nogil=True)
def boxes_of(records):
    """Boxes of all levels: lower corners, upper corners, first box of each level."""
    n_features = records.shape[1]
    level_start, n_boxes = [0], (records.shape[0] + BOXED - 1) // BOXED
    total = n_boxes
    while n_boxes > GROUP:
        n_boxes = (n_boxes + GROUP - 1) // GROUP
        level_start.append(total)
        total += n_boxes
    low = np.full((total, n_features), np.inf)
    high = np.full((total, n_features), -np.inf)
    for i in range(records.shape[0]):
        for j in range(n_features):
            low[i // BOXED, j] = min(low[i // BOXED, j], records[i, j])
            high[i // BOXED, j] = max(high[i // BOXED, j], records[i, j])
    for level in range(1, len(level_start)):
        for child in range(level_start[level - 1], level_start[level]):
            box = level_start[level] + (child - level_start[level - 1]) // GROUP
            for j in range(n_features):
                low[box, j] = min(low[box, j], low[child, j])
                high[box, j] = max(high[box, j], high[child, j])
    return low, high, np.array([*level_start, total])


@njit(cache=True, nogil=True)
def take_in(value, weight, values, counts, least):
    """Count `weight` records at a distance; keep the distances that matter.

    `values` are distinct and ascending, infinite where unused; one of them matters
    while fewer records than places are nearer. Returns the largest distance that can
    still matter.
    """
    places = values.shape[0]
    at = 0
    while values[at] < value - (SAME_DISTANCE * value + least):
        at += 1
        if at == places:
            return values[places - 1] * (1 + SAME_DISTANCE) + least
    if values[at] == np.inf or values[at] > value + (SAME_DISTANCE * value + least):
        for i in range(places - 1, at, -1):
            values[i], counts[i] = values[i - 1], counts[i - 1]
        values[at], counts[at] = value, 0
    counts[at] += weight
    nearer = 0
    for i in range(places):
        if nearer >= places:
            values[i], counts[i] = np.inf, 0
        else:
            nearer += counts[i]
            if nearer >= places and counts[i] > 0:
                reach = values[i] * (1 + SAME_DISTANCE) + least
    return reach if nearer >= places else np.inf


@njit(cache=True, nogil=True)
def scan_box(originals, box, point, values, counts, reach):
    """Take in the records of a box of level 0; return the new reach."""
    records = originals.records
    for i in range(box * BOXED, min((box + 1) * BOXED, records.shape[0])):
        value = distance(records[i], point, originals.units)
        if value <= reach:
            reach = take_in(value, originals.copies[i], values, counts, originals.least)
    return reach


@njit(cache=True, nogil=True)
def search(originals, point, first_box, values, counts):
    """Fill `values` and `counts` for one released record."""
    low, high, level_start = originals.low, originals.high, originals.level_start
    reach = scan_box(originals, first_box, point, values, counts, np.inf)
    top = level_start.shape[0] - 2
    stack = np.empty((top + 1) * GROUP, dtype=np.int64)  # boxes still to look at
    level_of = np.empty((top + 1) * GROUP, dtype=np.int64)
    depth = 0
    for box in range(level_start[top], level_start[top + 1]):
        stack[depth], level_of[depth] = box, top
        depth += 1
    while depth > 0:
        depth -= 1
        box, level = stack[depth], level_of[depth]
        if is_beyond(point, low[box], high[box], originals.units, reach):
            continue
        if level == 0:
            if box != first_box:
                reach = scan_box(originals, box, point, values, counts, reach)
            continue
        first = level_start[level - 1] + (box - level_start[level]) * GROUP
        for child in range(first, min(first + GROUP, level_start[level])):
            stack[depth], level_of[depth] = child, level - 1
            depth += 1


@njit(cache=True, nogil=True)
def search_all(originals, queries, first_boxes, values, counts):
    """Distances at which the nearest originals lie, and how many lie there.

    Parameters
    ----------
    originals : Originals
    queries : ndarray of shape (n_queries, n_features)
        Distinct released records.
    first_boxes : ndarray of shape (n_queries,)
        Box of level 0 to look at first, for a good bound.
    values, counts : ndarray of shape (n_queries, places)
        OUT: distinct squared distances in ascending order, infinite where unused.
    """
    for q in range(queries.shape[0]):
        search(originals, queries[q], first_boxes[q], values[q], counts[q])
