"""Nearest and farthest free records by a search through a tree of boxes.

Both searches go depth first, the most promising box first, and drop a box when nothing
in it can be chosen. A box is still opened on a tie if it has an earlier record.
"""

import numpy as np

from microcell.kernels.box_bounds import (
    direction_from,
    leaf_distances,
    least_distances,
    limit_by_ball,
    limit_by_outpost,
    most_distances,
    most_mismatches,
)
from microcell.kernels.box_tree import LANES, NO_ROW, least
from microcell.kernels.compiled import njit
from microcell.kernels.outpost_learning import learn_group
from microcell.kernels.outposts import count_search, nearest_outpost
from microcell.kernels.records import sift_down

STACK = 128  # at most 15 boxes wait on each level, and there are at most 8 levels


@njit(cache=True, nogil=True)
def nearest_in_tree(tree, point, own_leaf, near, near_rows, most_visits=NO_ROW):
    """Fill the heap `near`, `near_rows` with the free records nearest to `point`.

    If so many boxes are opened, and the heap is full, what was found so far is enough:
    near ones, but not always the nearest.

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
    is_chained = tree.next_equal.shape[0] > 0
    while depth > 0 and (visits < most_visits or near[0] == np.inf):
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
                    while row >= 0 and (
                        bounds[i] < near[0]
                        or (bounds[i] == near[0] and row < near_rows[0])
                    ):
                        near[0], near_rows[0] = bounds[i], row
                        sift_down(near, near_rows, 0, near.shape[0])
                        row = tree.next_equal[row] if is_chained else -1
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
    n_features, n_measured, outposts = point.shape[0], tree.n_measured, tree.outposts
    radius_of_all = -np.float64(least(tree.boxes[tree.level_start[-1], 2 * n_features]))
    outpost = nearest_outpost(outposts, point[:n_measured], radius_of_all)
    direction, from_outpost = np.empty(n_measured), np.empty(n_measured)
    reach, outpost_reach = direction_from(tree.centre, point, direction), 0.0
    if outpost >= 0:
        begin = outposts.points[outpost]
        outpost_reach = direction_from(begin, point, from_outpost)
    nodes, levels = np.empty(STACK, dtype=np.int64), np.empty(STACK, dtype=np.int64)
    limits, bounds, scratch = np.empty(STACK), np.empty(LANES), np.empty(LANES)
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
        if outpost >= 0:
            radius = outposts.radius[outpost]
            if radius[group, 0] == np.inf:
                learn_group(tree, outpost, node, level, scratch)
            limit_by_outpost(
                boxes,
                n_features,
                outposts.points[outpost],
                radius[group],
                from_outpost,
                outpost_reach,
                bounds,
                scratch,
            )
        else:
            limit_by_ball(
                boxes, n_features, tree.centre, direction, reach, bounds, scratch
            )
        most_mismatches(boxes, point, n_measured, tree.units, bounds)
        bottom = depth
        for i in range(LANES):
            bound, first_row = bounds[i], tree.first_rows[group, i]
            if first_row == NO_ROW:  # an empty box
                continue
            if bound > best or (bound == best and first_row < best_row):
                at = depth
                while at > bottom and limits[at - 1] > bound:
                    nodes[at], limits[at] = nodes[at - 1], limits[at - 1]
                    at -= 1
                nodes[at], limits[at] = node * LANES + i, bound
                levels[depth] = level
                depth += 1
    count_search(outposts, point[:n_measured], visits)
    return best_row, visits
