"""What outposts learn about the boxes of a tree.

The first time that a search looks at 16 leaves, the outpost looks at all their records;
of larger boxes it knows the corners, until it has looked inside. When a leaf that it
knows loses records, it looks again.
"""

import numpy as np

from microcell.kernels.box_bounds import most_distances
from microcell.kernels.box_tree import LANES, NO_ROW, rounded_down
from microcell.kernels.compiled import njit
from microcell.kernels.records import column_distances


@njit(cache=True, nogil=True)
def pass_on(tree, radius, node, level):
    """Pass on to the boxes above what an outpost has learnt about those of a group."""
    while level + 1 < tree.level_start.shape[0]:
        group, largest = tree.level_start[level] + node, np.float32(0.0)
        for i in range(LANES):
            is_there = tree.first_rows[group, i] != NO_ROW
            if is_there and radius[group, i] > largest:
                largest = radius[group, i]
        level += 1
        above, lane = tree.level_start[level] + node // LANES, node % LANES
        if not largest < radius[above, lane]:
            return
        radius[above, lane] = largest
        node //= LANES


@njit(cache=True, nogil=True)
def learn_leaf(tree, outpost, leaf, distances):
    """Let an outpost know how far the records of a leaf are."""
    n_measured, largest = tree.n_measured, 0.0
    point, radius = tree.outposts.points[outpost], tree.outposts.radius[outpost]
    column_distances(tree.leaves[leaf, :n_measured], point, distances)
    for i in range(LANES):
        largest = distances[i] if distances[i] > largest else largest
    radius[leaf // LANES, leaf % LANES] = -rounded_down(-np.sqrt(largest))


@njit(cache=True, nogil=True)
def learn_corners(tree, outpost, group, distances):
    """Let an outpost know how far the corners of 16 boxes are."""
    radius = tree.outposts.radius[outpost, group]
    point, boxes = tree.outposts.points[outpost], tree.boxes[group]
    most_distances(boxes, point, tree.n_measured, distances)
    for i in range(LANES):
        is_empty = tree.first_rows[group, i] == NO_ROW  # and stays so
        radius[i] = 0.0 if is_empty else -rounded_down(-np.sqrt(distances[i]))


@njit(cache=True, nogil=True)
def learn_group(tree, outpost, node, level, distances):
    """Let an outpost have a first look at the boxes of a group, and those above."""
    if level == 0:
        for leaf in range(node * LANES, min((node + 1) * LANES, tree.leaves.shape[0])):
            learn_leaf(tree, outpost, leaf, distances)
    else:
        learn_corners(tree, outpost, tree.level_start[level] + node, distances)
    pass_on(tree, tree.outposts.radius[outpost], node, level)


@njit(cache=True, nogil=True)
def relearn_leaf(tree, leaf):
    """Let outposts that know a leaf know that it has lost records."""
    group, lane, outposts = leaf // LANES, leaf % LANES, tree.outposts
    for outpost in range(outposts.last_used.shape[0]):
        if outposts.last_used[outpost] > 0:
            radius = outposts.radius[outpost]
            before = radius[group, lane]
            if before < np.inf:
                learn_leaf(tree, outpost, leaf, tree.distances)
                if radius[group, lane] < before:
                    pass_on(tree, radius, group, 0)
