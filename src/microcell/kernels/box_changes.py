"""Points of a tree of boxes that go or move; searches for the nearest stay exact.

Searches for the farthest do not: what they know of radii is not kept up.
"""

import numpy as np

from microcell.kernels.box_tree import LANES, rounded_down
from microcell.kernels.compiled import njit

BOXES_PER_SLICE = 1_000_000  # a fraction of a second, so that Ctrl-C is noticed


@njit(cache=True, nogil=True)
def put_into_tree(tree, row, values):
    """Put a point of the tree elsewhere; boxes grow and keep their old places too."""
    place, n_features = tree.place[row], values.shape[0]
    for j in range(n_features):
        tree.leaves[place // LANES, j, place % LANES] = values[j]
        low, high = rounded_down(values[j]), rounded_down(-values[j])
        node = place // LANES
        for level in range(tree.level_start.shape[0]):
            box = tree.boxes[tree.level_start[level] + node // LANES]
            box[j, node % LANES] = min(box[j, node % LANES], low)
            side = n_features + j
            box[side, node % LANES] = min(box[side, node % LANES], high)
            node //= LANES


@njit(cache=True, nogil=True)
def hide_from_tree(tree, row):
    """Let no search find a point."""
    place = tree.place[row]
    for j in range(tree.leaves.shape[1]):
        tree.leaves[place // LANES, j, place % LANES] = np.nan
