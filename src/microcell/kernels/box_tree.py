"""A packed tree of boxes over the records that are still free.

Records are sorted into leaves of 16 by halving the widest column, as in a k-d tree;
16 consecutive leaves make a node, 16 consecutive nodes a node of the next level, and so
on. Everything is stored 16 side by side, column by column, so that a vector instruction
looks at all of a leaf, or at all children of a node, and no pointers are needed: the
parent of node i is node i // 16 of the next level.

A box holds the range of each column and the largest distance to the centre of all
records. Boxes shrink as records leave. They are kept in float32, rounded outwards: half
the memory, and bounds from them still hold exactly.
"""

from typing import NamedTuple

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.outposts import Outposts, make_outposts
from microcell.kernels.records import column_distances

LANES = 16
NO_ROW = np.iinfo(np.int32).max
SAMPLE = 256  # records that choose the column to halve


class BoxTree(NamedTuple):
    """Records in leaves, and the boxes above them.

    Attributes
    ----------
    leaves : ndarray of shape (n_leaves, n_features, LANES)
        Records; NaN where one has left.
    rows, place : ndarray of int32
        Row of each place in the leaves, and place of each row.
    boxes : float32 ndarray of shape (n_groups, 2 * n_features + 1, LANES)
        Least values, minus the greatest values, minus the largest distance to the
        centre: all are minima.
    first_rows : int32 ndarray of shape (n_groups, LANES)
        Least row of the free records of each box; NO_ROW where none is free.
    level_start : ndarray of shape (n_levels,)
        First group of each level; level 0 holds the boxes of leaves.
    centre : ndarray of shape (n_measured,)
    outposts : Outposts
        What searches for the farthest have found out.
    box, distances : ndarray
        Scratch: the sides of a box, and distances to the records of a leaf.
    n_measured : int
        Columns that are measured; the others hold codes.
    units : ndarray of shape (n_coded,)
        What a mismatch in each of those counts.
    masks : int64 ndarray of shape (n_groups, n_coded, LANES)
        Which codes, modulo 64, the free records of each box have.
    next_equal : int32 ndarray of shape (n_samples,)
        If equal records share a place, the next of them after each one, or -1; else
        empty. The row of a place is the first of its free ones, and all after it are
        free as well.
    """

    leaves: np.ndarray
    rows: np.ndarray
    place: np.ndarray
    boxes: np.ndarray
    first_rows: np.ndarray
    level_start: np.ndarray
    centre: np.ndarray
    outposts: Outposts
    box: np.ndarray
    distances: np.ndarray
    n_measured: int
    units: np.ndarray
    masks: np.ndarray
    next_equal: np.ndarray


def make_box_tree(X, centre, codes=None, equals=None):
    """Sort the records of `X` into a tree; O(n log n).

    Parameters
    ----------
    centre : ndarray
        The middle of the measured columns, and whatever follows.
    codes : Codes, optional
        Which columns hold codes; none by default.
    equals : (first, next_equal), optional
        What `chain_equal_records` returned, so that equal records share a place.
    """
    n_samples, n_features = X.shape
    records, rows, next_equal = X, np.arange(n_samples), np.empty(0, dtype=np.int32)
    if equals is not None and len(equals[1]) > 0:
        rows, next_equal = equals[0].astype(np.int64), equals[1]
        records = X[rows]
    n_measured, units = n_features, np.empty(0)
    if codes is not None:
        n_measured, units = codes.n_measured, codes.units
    n_leaves = -(-len(rows) // LANES)
    level_start, n_groups, n_nodes = [0], 0, n_leaves
    while n_nodes > LANES:
        n_nodes = -(-n_nodes // LANES)
        n_groups += n_nodes
        level_start.append(n_groups)
    n_sides = 2 * n_features + 1
    tree = BoxTree(
        np.full((n_leaves, n_features, LANES), np.nan),
        np.full(n_leaves * LANES, NO_ROW, dtype=np.int32),
        np.empty(n_samples, dtype=np.int32),
        np.full((n_groups + 1, n_sides, LANES), np.inf, dtype=np.float32),
        np.full((n_groups + 1, LANES), NO_ROW, dtype=np.int32),
        np.array(level_start),
        centre[:n_measured].copy(),
        make_outposts(n_measured, n_groups + 1, LANES),
        np.empty(n_sides, dtype=np.float32),
        np.empty(LANES),
        n_measured,
        units,
        np.zeros((n_groups + 1, n_features - n_measured, LANES), dtype=np.int64),
        next_equal,
    )
    if n_samples > 0:
        records = records.copy() if records is X else records
        sort_into_leaves(records, rows, n_measured)
        fill_tree(tree, records, rows)
    return tree


@njit(cache=True, nogil=True)
def widest_column(records, step, n_measured):
    """Column with the widest range over every `step`-th record; -1 if all are equal.

    Codes that differ are about one unit wide, fewer codes more: columns of few codes
    are divided first, because boxes soon hold one of them.
    """
    widest, width = -1, 0.0
    for j in range(records.shape[1]):
        low = high = records[0, j]
        for i in range(0, records.shape[0], step):
            low, high = min(low, records[i, j]), max(high, records[i, j])
        reach = high - low
        if j >= n_measured and reach > 0:
            reach = 1 + 1 / (1 + reach)
        if reach > width:
            widest, width = j, reach
    return widest


@njit(cache=True, nogil=True)
def divide(records, rows, rank, column):
    """Reorder records so that none before `rank` exceeds one after it in `column`."""
    low, high = 0, records.shape[0] - 1
    while low < high:
        a, b = records[low, column], records[(low + high) // 2, column]
        c = records[high, column]
        pivot = max(min(a, b), min(max(a, b), c))
        left, right = low, high
        while left <= right:
            while records[left, column] < pivot:
                left += 1
            while records[right, column] > pivot:
                right -= 1
            if left <= right:
                rows[left], rows[right] = rows[right], rows[left]
                for j in range(records.shape[1]):
                    value = records[left, j]
                    records[left, j] = records[right, j]
                    records[right, j] = value
                left += 1
                right -= 1
        if rank <= right:
            high = right
        elif rank >= left:
            low = left
        else:
            return


@njit(cache=True, nogil=True)
def sort_into_leaves(records, rows, n_measured):
    """Reorder records so that 16, 256, ... consecutive leaves lie close together.

    Equal records are put in the order of the table, so that ties are broken early.
    """
    stack = np.empty((64, 2), dtype=np.int64)
    stack[0, 0], stack[0, 1] = 0, records.shape[0]
    depth = 1
    while depth > 0:
        depth -= 1
        low, high = stack[depth, 0], stack[depth, 1]
        size = high - low
        if size <= LANES:
            continue
        half = LANES
        while 2 * half < size:
            half *= 2
        part, part_rows = records[low:high], rows[low:high]
        column = widest_column(part, 1 + size // SAMPLE, n_measured)
        if column < 0:
            column = widest_column(part, 1, n_measured)
        if column < 0:
            part_rows.sort()
        else:
            divide(part, part_rows, half, column)
        stack[depth, 0], stack[depth, 1] = low, low + half
        stack[depth + 1, 0], stack[depth + 1, 1] = low + half, high
        depth += 2


@njit(cache=True, nogil=True)
def rounded_down(value):
    """The largest float32 that does not exceed `value`."""
    rounded = np.float32(value)
    if rounded <= value:
        return rounded
    return np.nextafter(rounded, np.float32(-np.inf))


@njit(cache=True, nogil=True)
def least(values):
    """The least of 16 values."""
    smallest = values[0]
    for i in range(1, LANES):
        smallest = values[i] if values[i] < smallest else smallest
    return smallest


@njit(cache=True, nogil=True)
def leaf_box(tree, leaf):
    """Fill `tree.box` with the bounds of a leaf; return the first of its free rows."""
    records, box, distances = tree.leaves[leaf], tree.box, tree.distances
    n_features = records.shape[0]
    for j in range(n_features):
        low, high = np.inf, -np.inf
        for i in range(LANES):
            value = records[j, i]
            low = value if value < low else low
            high = value if value > high else high
        box[j], box[n_features + j] = rounded_down(low), rounded_down(-high)
    column_distances(records[: tree.n_measured], tree.centre, distances)
    largest, first_row = -1.0, NO_ROW
    for i in range(LANES):
        is_free = records[0, i] == records[0, i]  # not NaN
        is_larger = is_free and distances[i] > largest
        largest = distances[i] if is_larger else largest
    radius = rounded_down(-np.sqrt(largest)) if largest >= 0 else np.float32(np.inf)
    box[2 * n_features] = radius
    for i in range(LANES):
        if records[0, i] == records[0, i]:  # not NaN: a free record
            first_row = min(first_row, tree.rows[leaf * LANES + i])
    return first_row


@njit(cache=True, nogil=True)
def bit_of(code):
    """Which bit of a mask stands for a code."""
    return np.int64(code) & 63


@njit(cache=True, nogil=True)
def leaf_mask(tree, leaf, column):
    """Which codes the free records of a leaf have in a column of codes."""
    codes, mask = tree.leaves[leaf, tree.n_measured + column], np.int64(0)
    for i in range(LANES):
        if codes[i] == codes[i]:  # not NaN: a free record
            mask |= np.int64(1) << bit_of(codes[i])
    return mask


@njit(cache=True, nogil=True)
def union(masks):
    """All codes that are in one of 16 masks."""
    mask = np.int64(0)
    for i in range(LANES):
        mask |= masks[i]
    return mask


@njit(cache=True, nogil=True)
def fill_masks(tree):
    """Compute the masks of all boxes."""
    n_nodes = tree.leaves.shape[0]
    for column in range(tree.masks.shape[1]):
        for leaf in range(n_nodes):
            mask = leaf_mask(tree, leaf, column)
            tree.masks[leaf // LANES, column, leaf % LANES] = mask
    for level in range(1, tree.level_start.shape[0]):
        n_nodes = (n_nodes + LANES - 1) // LANES
        for node in range(n_nodes):
            children = tree.level_start[level - 1] + node
            group, lane = tree.level_start[level] + node // LANES, node % LANES
            for column in range(tree.masks.shape[1]):
                mask = union(tree.masks[children, column])
                tree.masks[group, column, lane] = mask


@njit(cache=True, nogil=True)
def shrink_masks(tree, leaf):
    """Drop codes from the masks above a leaf that has lost records."""
    for column in range(tree.masks.shape[1]):
        mask, node = leaf_mask(tree, leaf, column), leaf
        for level in range(tree.level_start.shape[0]):
            group, lane = tree.level_start[level] + node // LANES, node % LANES
            if tree.masks[group, column, lane] == mask:
                break
            tree.masks[group, column, lane] = mask
            mask = union(tree.masks[group, column])
            node //= LANES


@njit(cache=True, nogil=True)
def fill_tree(tree, records, rows):
    """Store sorted records in leaves and compute all boxes."""
    n_samples, n_features = records.shape
    for i in range(n_samples):
        tree.rows[i] = rows[i]
        tree.place[rows[i]] = i
        following = rows[i]
        while tree.next_equal.shape[0] > 0 and tree.next_equal[following] >= 0:
            following = tree.next_equal[following]
            tree.place[following] = i
        for j in range(n_features):
            tree.leaves[i // LANES, j, i % LANES] = records[i, j]
    box = tree.box
    n_nodes = tree.leaves.shape[0]
    for leaf in range(n_nodes):
        group, lane = leaf // LANES, leaf % LANES
        tree.first_rows[group, lane] = leaf_box(tree, leaf)
        for side in range(box.shape[0]):
            tree.boxes[group, side, lane] = box[side]
    for level in range(1, tree.level_start.shape[0]):
        n_nodes = (n_nodes + LANES - 1) // LANES
        for node in range(n_nodes):
            children = tree.level_start[level - 1] + node
            group, lane = tree.level_start[level] + node // LANES, node % LANES
            for side in range(box.shape[0]):
                tree.boxes[group, side, lane] = least(tree.boxes[children, side])
            tree.first_rows[group, lane] = least(tree.first_rows[children])
    fill_masks(tree)


@njit(cache=True, nogil=True)
def shrink_boxes(tree, leaf):
    """Tighten the boxes above a leaf that has lost records.

    A side of a parent can only move if the child that moved was touching it.
    """
    shrink_masks(tree, leaf)
    first_row, box = leaf_box(tree, leaf), tree.box
    node, n_levels = leaf, tree.level_start.shape[0]
    for level in range(n_levels):
        group, lane = tree.level_start[level] + node // LANES, node % LANES
        node //= LANES
        if level + 1 == n_levels:
            for side in range(box.shape[0]):
                tree.boxes[group, side, lane] = box[side]
            tree.first_rows[group, lane] = first_row
            return
        above, above_lane = tree.level_start[level + 1] + node // LANES, node % LANES
        changed = False
        for side in range(box.shape[0]):
            old, new = tree.boxes[group, side, lane], box[side]
            box[side] = tree.boxes[above, side, above_lane]
            if old != new:
                tree.boxes[group, side, lane] = new
                if old == box[side]:
                    box[side] = least(tree.boxes[group, side])
                    changed |= box[side] != old
        old_row = tree.first_rows[group, lane]
        tree.first_rows[group, lane] = first_row
        if old_row != first_row and old_row == tree.first_rows[above, above_lane]:
            changed = True
        if not changed:
            return
        first_row = least(tree.first_rows[group])
