"""Nearest and farthest free records by a scan in float32, decided in float64.

With many columns no box can be dropped, and with few records none needs to be. Records
are centred, scaled to a radius of one and rounded to float32; 64 side by side they are
scanned at the speed of memory. Whatever the rounding leaves in doubt is compared by its
exact distance.
"""

from typing import NamedTuple

import numpy as np

from microcell.kernels.box_tree import NO_ROW, rounded_down
from microcell.kernels.codes import Codes
from microcell.kernels.compiled import njit
from microcell.kernels.records import (
    add_mismatches,
    column_distances,
    record_distance,
    sift_down,
)

WIDTH = 64
UNIT = 2.0**-24  # rounding of float32
QUANTUM = 5e-324  # step of the smallest float64 numbers, in which squares may end


class RoughTable(NamedTuple):
    """Rounded records.

    Attributes
    ----------
    blocks : float32 ndarray of shape (n_blocks, n_features, WIDTH)
        (record - centre) / radius, and codes as they are; NaN where one has left.
    centre : ndarray of shape (n_measured,)
    radius : ndarray of shape (1,)
        In the measured columns no record is farther from the centre.
    codes : Codes
        Which columns hold codes.
    units : float32 ndarray of shape (n_coded,)
        What a mismatch counts, by the square of the radius.
    """

    blocks: np.ndarray
    centre: np.ndarray
    radius: np.ndarray
    codes: Codes
    units: np.ndarray


def make_rough_table(X, centre, radius, codes):
    """Round the records of `X`."""
    radius = radius if radius > 0 else 1.0
    n_blocks = -(-X.shape[0] // WIDTH)
    blocks = np.full((n_blocks, X.shape[1], WIDTH), np.nan, dtype=np.float32)
    units = (codes.units / radius**2).astype(np.float32)
    table = RoughTable(blocks, centre, np.array([radius]), codes, units)
    fill_rough_table(table, X)
    return table


@njit(cache=True, nogil=True)
def fill_rough_table(table, X):
    """Store the rounded records."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            scaled = X[i, j]
            if j < table.centre.shape[0]:
                scaled = (scaled - table.centre[j]) / table.radius[0]
            table.blocks[i // WIDTH, j, i % WIDTH] = scaled


@njit(cache=True, nogil=True)
def scan(table, X, row, near, near_rows, find_farthest):
    """Fill the heap `near`, `near_rows` with the free records nearest to a record.

    A rounded coordinate is off by at most UNIT, a rounded difference by 4 * UNIT with
    its own rounding, and a sum of squares by a factor within (d + 2) * UNIT of one: so
    a distance is off by less than `margin` and the factor `growth`. The exact squares
    of tiny differences are themselves off by a QUANTUM each.

    Returns
    -------
    farthest : int
        Row of the free record farthest from `row`, if it was asked for.
    """
    n_features, radius = X.shape[1], table.radius[0]
    n_measured = table.centre.shape[0]
    point, scaled = X[row], np.empty(n_features, dtype=np.float32)
    for j in range(n_features):
        scaled[j] = point[j]
        if j < n_measured:
            scaled[j] = (point[j] - table.centre[j]) / radius
    margin = 8 * UNIT * np.sqrt(n_features)
    growth = 1 + (n_features + 16) * UNIT
    near[:] = np.inf
    near_rows[:] = NO_ROW
    best, best_row = -1.0, NO_ROW
    near_limit = np.float32(np.inf if near.shape[0] > 0 else -1.0)
    far_limit = np.float32(-1.0 if find_farthest else np.inf)
    rough = np.empty(WIDTH, dtype=np.float32)
    for block in range(table.blocks.shape[0]):
        records = table.blocks[block]
        column_distances(records[:n_measured], scaled[:n_measured], rough)
        add_mismatches(records, scaled, n_measured, table.units, rough)
        in_doubt = 0
        for i in range(rough.shape[0]):
            in_doubt += (rough[i] <= near_limit) | (rough[i] >= far_limit)
        if in_doubt == 0:
            continue
        for i in range(WIDTH):
            other = block * WIDTH + i
            if rough[i] <= near_limit:
                distance = record_distance(X[other], point, table.codes)
                if distance < near[0]:  # rows ascend: at a tie the earlier one stays
                    near[0], near_rows[0] = distance, other
                    sift_down(near, near_rows, 0, near.shape[0])
                    limit = np.sqrt(near[0] + n_features * QUANTUM) / radius
                    limit = (limit + margin) * growth
                    near_limit = -rounded_down(-limit * limit)
            if rough[i] >= far_limit:
                distance = record_distance(X[other], point, table.codes)
                if distance > best:
                    best, best_row = distance, other
                    limit = np.sqrt(max(best - n_features * QUANTUM, 0.0)) / radius
                    limit = limit / growth - margin
                    if limit > 0:
                        far_limit = rounded_down(limit * limit)
    return best_row
