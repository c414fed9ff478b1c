"""Nearest and farthest free records by a search through a tree of boxes.

Both searches go depth first, the most promising box first, and drop a box when nothing
in it can be chosen. Bounds from the sides of a box use the operations of the distance
itself in the same order; rounding is monotone, so they hold exactly, and a box is still
opened on a tie if it has an earlier record. Bounds from the radius get a small slack.
"""

import numpy as np

from microcell.kernels.box_tree import LANES, NO_ROW, bit_of
from microcell.kernels.compiled import njit
from microcell.kernels.records import (
    add_mismatches,
    column_distances,
    sift_down,
    squared_distance,
)

STACK = 128  # at most 15 boxes wait on each level, and there are at most 8 levels
RADIUS_SLACK = 1e-12  # relative, far above what rounding adds to a bound
TINY_SQUARE = 1e-290  # absolute, for squares that underflow


@njit(cache=True, nogil=True)
def least_distances(tree, group, point, bounds):
    """Least squared distance from `point` to each of 16 boxes."""
    boxes, n_features = tree.boxes[group], point.shape[0]
    bounds[:] = 0.0
    for j in range(tree.n_measured):
        value = point[j]
        for i in range(bounds.shape[0]):
            below = boxes[j, i] - value
            above = value + boxes[n_features + j, i]
            gap = below if below > above else above
            gap = gap if gap > 0.0 else 0.0
            bounds[i] += gap * gap
    for j in range(tree.n_measured, n_features):
        coded, bit = j - tree.n_measured, bit_of(point[j])
        masks, unit = tree.masks[group, coded], tree.units[coded]
        for i in range(bounds.shape[0]):
            bounds[i] += unit if (masks[i] >> bit) & 1 == 0 else 0.0


@njit(cache=True, nogil=True)
def most_mismatches(boxes, point, n_measured, units, bounds):
    """Add its unit for each column of codes in which a box has another code."""
    n_features = point.shape[0]
    for j in range(n_measured, n_features):
        value, unit = point[j], units[j - n_measured]
        for i in range(bounds.shape[0]):
            low, high = boxes[j, i], -boxes[n_features + j, i]
            bounds[i] += 0.0 if low == value and high == value else unit


@njit(cache=True, nogil=True)
def most_distances(boxes, point, n_measured, bounds):
    """Squared distance to the farthest corner of each of 16 boxes, of measures."""
    n_features = point.shape[0]
    bounds[:] = 0.0
    for j in range(n_measured):
        value = point[j]
        for i in range(bounds.shape[0]):
            below = value - boxes[j, i]
            above = -boxes[n_features + j, i] - value
            gap = below if below > above else above
            bounds[i] += gap * gap


@njit(cache=True, nogil=True, error_model="numpy")
def limit_by_ball(boxes, n_features, radii, pivot, direction, reach, bounds, off_axis):
    """Lower `bounds` where the largest distance to a pivot allows.

    A record x within distance r of the pivot is within (r + reach)^2 - reach / r *
    |x - a|^2 of the point, where a is the antipode: at distance r from the pivot,
    opposite to the point. Empty boxes get minus infinity.

    Parameters
    ----------
    radii : int
        Which side of the boxes is minus r.
    direction, reach
        Unit vector and distance from the pivot to the point.
    """
    off_axis[:] = 0.0
    for j in range(pivot.shape[0]):
        middle, along = pivot[j], direction[j]
        for i in range(bounds.shape[0]):
            low = np.float64(boxes[j, i])
            high = -np.float64(boxes[n_features + j, i])
            antipode = boxes[radii, i] * along
            below, above = low - middle - antipode, antipode - (high - middle)
            gap = below if below > above else above
            gap = gap if gap > 0.0 else 0.0
            off_axis[i] += gap * gap
    for i in range(bounds.shape[0]):
        radius = -np.float64(boxes[radii, i])
        ball = (radius + reach) * (radius + reach) * (1 + RADIUS_SLACK) + TINY_SQUARE
        ball = ball - reach / radius * off_axis[i] if radius > 0 else ball
        bound = bounds[i] if bounds[i] < ball else ball
        bounds[i] = bound if radius >= 0 else -np.inf


@njit(cache=True, nogil=True)
def direction_from(pivot, point, direction):
    """Fill the unit vector from a pivot to a point; return their distance."""
    reach = 0.0
    for j in range(pivot.shape[0]):
        direction[j] = point[j] - pivot[j]
        reach += direction[j] * direction[j]
    reach = np.sqrt(reach)
    if reach > 0:
        for j in range(pivot.shape[0]):
            direction[j] /= reach
    return reach


@njit(cache=True, nogil=True)
def nearest_pivot(pivots, point):
    """The pivot nearest to a point; not the first one if there are more."""
    best, best_distance = 0, np.inf
    for i in range(1, pivots.shape[0]):
        distance = squared_distance(pivots[i], point)
        if distance < best_distance:
            best, best_distance = i, distance
    return best


@njit(cache=True, nogil=True)
def leaf_distances(tree, leaf, point, distances):
    """Squared distances to the records of a leaf."""
    records, n_measured = tree.leaves[leaf], tree.n_measured
    column_distances(records[:n_measured], point[:n_measured], distances)
    add_mismatches(records, point, n_measured, tree.units, distances)


@njit(cache=True, nogil=True)
def nearest_in_tree(tree, point, own_leaf, near, near_rows):
    """Fill the heap `near`, `near_rows` with the free records nearest to `point`.

    Parameters
    ----------
    own_leaf : int
        The leaf to open first: where `point` is or was.
    near, near_rows : ndarray of shape (n_wanted,)
        OUT: a heap whose top is the last in the order (distance, row).

    Returns
    -------
    visits : int
        Number of leaves and nodes opened.
    """
    near[:] = np.inf
    near_rows[:] = NO_ROW
    nodes, levels = np.empty(STACK, dtype=np.int64), np.empty(STACK, dtype=np.int64)
    limits, bounds = np.empty(STACK), np.empty(LANES)
    nodes[0], levels[0], limits[0] = 0, tree.level_start.shape[0], 0.0
    nodes[1], levels[1], limits[1] = own_leaf, 0, 0.0
    depth, visits = 2, 0
    while depth > 0:
        depth -= 1
        node, level = nodes[depth], levels[depth] - 1
        if limits[depth] > near[0] or (level < 0 and node == own_leaf and visits > 0):
            continue
        visits += 1
        if level < 0:
            leaf_distances(tree, node, point, bounds)
            for i in range(LANES):
                if bounds[i] <= near[0]:
                    row = tree.rows[node * LANES + i]
                    if bounds[i] < near[0] or row < near_rows[0]:
                        near[0], near_rows[0] = bounds[i], row
                        sift_down(near, near_rows, 0, near.shape[0])
            continue
        group = tree.level_start[level] + node
        least_distances(tree, group, point, bounds)
        bottom = depth
        for i in range(LANES):
            bound, first_row = bounds[i], tree.first_rows[group, i]
            if first_row == NO_ROW:  # an empty box
                continue
            if bound < near[0] or (bound == near[0] and first_row < near_rows[0]):
                at = depth
                while at > bottom and limits[at - 1] < bound:
                    nodes[at], limits[at] = nodes[at - 1], limits[at - 1]
                    at -= 1
                nodes[at], limits[at] = node * LANES + i, bound
                levels[depth] = level
                depth += 1
    return visits


@njit(cache=True, nogil=True)
def farthest_in_tree(tree, point):
    """Row of the free record farthest from `point`, and the number of boxes opened."""
    n_features, n_measured, pivots = point.shape[0], tree.n_measured, tree.pivots
    near = nearest_pivot(pivots, point[:n_measured])
    direction, near_direction = np.empty(n_measured), np.empty(n_measured)
    reach = direction_from(pivots[0], point, direction)
    near_reach = direction_from(pivots[near], point, near_direction)
    nodes, levels = np.empty(STACK, dtype=np.int64), np.empty(STACK, dtype=np.int64)
    limits, bounds, off_axis = np.empty(STACK), np.empty(LANES), np.empty(LANES)
    best, best_row = -1.0, NO_ROW
    nodes[0], levels[0], limits[0] = 0, tree.level_start.shape[0], np.inf
    depth, visits = 1, 0
    while depth > 0:
        depth -= 1
        node, level = nodes[depth], levels[depth] - 1
        if limits[depth] < best:
            continue
        visits += 1
        if level < 0:
            leaf_distances(tree, node, point, bounds)
            for i in range(LANES):
                if bounds[i] >= best:
                    row = tree.rows[node * LANES + i]
                    if bounds[i] > best or row < best_row:
                        best, best_row = bounds[i], row
            continue
        group = tree.level_start[level] + node
        boxes = tree.boxes[group]
        most_distances(boxes, point, n_measured, bounds)
        side = 2 * n_features
        limit_by_ball(
            boxes, n_features, side, pivots[0], direction, reach, bounds, off_axis
        )
        if near > 0:
            side += near
            pivot = pivots[near]
            limit_by_ball(
                boxes,
                n_features,
                side,
                pivot,
                near_direction,
                near_reach,
                bounds,
                off_axis,
            )
        most_mismatches(boxes, point, n_measured, tree.units, bounds)
        bottom = depth
        for i in range(LANES):
            bound = bounds[i]
            if bound > best or (bound == best and tree.first_rows[group, i] < best_row):
                at = depth
                while at > bottom and limits[at - 1] > bound:
                    nodes[at], limits[at] = nodes[at - 1], limits[at - 1]
                    at -= 1
                nodes[at], limits[at] = node * LANES + i, bound
                levels[depth] = level
                depth += 1
    return best_row, visits
