"""Bounds on the distances from a point to the records of 16 boxes at a time.

Bounds from the sides of a box use the operations of the distance itself in the same
order; rounding is monotone, so they hold exactly. Bounds from a radius get a small
slack.
"""

import numpy as np

from microcell.kernels.box_tree import bit_of
from microcell.kernels.compiled import njit
from microcell.kernels.records import add_mismatches, column_distances

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
    n_features = boxes.shape[0] // 2  # of which the point may lack the codes
    bounds[:] = 0.0
    for j in range(n_measured):
        value = point[j]
        for i in range(bounds.shape[0]):
            below = value - boxes[j, i]
            above = -boxes[n_features + j, i] - value
            gap = below if below > above else above
            bounds[i] += gap * gap


@njit(cache=True, nogil=True, error_model="numpy")
def limit_by_ball(boxes, n_features, pivot, direction, reach, bounds, off_axis):
    """Lower `bounds` where the largest distance to the centre, the pivot, allows.

    A record x within distance r of the pivot is within (r + reach)^2 - reach / r *
    |x - a|^2 of the point, where a is the antipode: at distance r from the pivot,
    opposite to the point. Empty boxes get minus infinity.

    Parameters
    ----------
    direction, reach
        Unit vector and distance from the pivot to the point.
    """
    radii = 2 * n_features  # the side that is minus r
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
def leaf_distances(tree, leaf, point, distances):
    """Squared distances to the records of a leaf."""
    records, n_measured = tree.leaves[leaf], tree.n_measured
    column_distances(records[:n_measured], point[:n_measured], distances)
    add_mismatches(records, point, n_measured, tree.units, distances)


@njit(cache=True, nogil=True)
def limit_by_outpost(boxes, n_features, point, radius, direction, reach, bounds, along):
    """Lower `bounds` on the distances to 16 boxes by what an outpost knows.

    Parameters
    ----------
    point, radius
        The outpost and what it knows about the boxes.
    direction, reach
        Unit vector and distance from the outpost to where the search begins.
    bounds : ndarray of shape (LANES,)
        IN, OUT
    along : ndarray of shape (LANES,)
        Scratch: how far the boxes go against the direction.
    """
    along[:] = 0.0
    for j in range(point.shape[0]):
        towards, middle = direction[j], point[j]
        if towards > 0:
            for i in range(along.shape[0]):
                along[i] += (middle - np.float64(boxes[j, i])) * towards
        else:
            for i in range(along.shape[0]):
                along[i] += (middle + np.float64(boxes[n_features + j, i])) * towards
    for i in range(along.shape[0]):
        far = np.float64(radius[i])
        back = along[i] if along[i] < far else far
        slack = RADIUS_SLACK * (far + reach) * (far + reach) + TINY_SQUARE
        limit = far * far + reach * reach + 2 * reach * back + slack
        bounds[i] = limit if limit < bounds[i] else bounds[i]
