"""The records not yet in a cell, with an index for their nearest and farthest.

The index is a tree of boxes or a table to scan. Both give the same answers, ties to the
earlier record included, so it is only a matter of speed which one is there. Records are
hidden from it as they leave, and it is made anew when many have left. When an index is
made, of what kind and for how long, is said here and nowhere else.
"""

from typing import NamedTuple

import numpy as np

from microcell.kernels.box_queries import farthest_in_tree, nearest_in_tree
from microcell.kernels.box_tree import LANES, BoxTree, make_box_tree, shrink_boxes
from microcell.kernels.compiled import njit
from microcell.kernels.outpost_learning import relearn_leaf
from microcell.kernels.rough_scan import WIDTH, RoughTable, make_rough_table, scan

INDEX_FROM = 5_000  # records; fewer are scanned before an index is made
REBUILD_FROM = 1_000  # records; a smaller index is not made again
TREE_LASTS = 0.35  # a tree is made again when so many of its records are left
TABLE_LASTS = 0.7  # a table to scan is cheaper to make
SCANNED_PER_VISIT = 4  # records that a scan passes while a tree looks at one
MAX_INDEXED_VALUE = 1e30  # beyond it the squares of float32 bounds overflow
MAX_EXACT_CODES = 2**24  # beyond it float32 takes two codes for one
MIN_SPREAD = 1e-140  # below it squares of differences lose their digits


class FreeRecords(NamedTuple):
    """Records and their index.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        Records, in the order of the table.
    free : bool ndarray of shape (n_samples,)
        Which records are not in a cell.
    tree : BoxTree
    table : RoughTable
        Empty if the tree is used, and the other way round.
    visits : ndarray of shape (2,)
        How many records or boxes queries have looked at, and the number of searches
        for the nearest.
    """

    X: np.ndarray
    free: np.ndarray
    tree: BoxTree
    table: RoughTable
    visits: np.ndarray


def index_records(X, centre, codes, *, use_tree, equals=None):
    """Index the records of `X`, all of them free.

    Parameters
    ----------
    centre : ndarray
        The middle of the measured columns, and whatever follows.
    codes : Codes
        Which columns hold codes.
    equals : (first, next_equal), optional
        What `chain_equal_records` returned: equal records are one in the tree. They
        have to be hidden in their order, as far as there are queries in between.
    """
    n_measured = codes.n_measured
    none = X[:0]
    middle = centre[:n_measured].copy()
    radius = 0.0
    if not use_tree:
        squares = ((X[:, :n_measured] - middle) ** 2).sum(axis=1)
        radius = np.sqrt(squares.max()) * (1 + 1e-9)
        if codes.units.size:
            radius = max(radius, np.sqrt(codes.units.max()))  # for float32
    return FreeRecords(
        X,
        np.ones(X.shape[0], dtype=np.bool_),
        make_box_tree(X, middle, codes, equals)
        if use_tree
        else make_box_tree(none, middle, codes),
        make_rough_table(none if use_tree else X, middle, radius, codes),
        np.zeros(2, dtype=np.int64),
    )


@njit(cache=True, nogil=True)
def uses_tree(records):
    """Whether the index is a tree."""
    return records.tree.leaves.shape[0] > 0


@njit(cache=True, nogil=True)
def hide(records, row):
    """Let no query find a record any more."""
    records.free[row] = False
    if uses_tree(records):
        at, equal = records.tree.place[row], -1
        if records.tree.next_equal.shape[0] > 0:
            equal = records.tree.rows[at]
            while equal >= 0 and not records.free[equal]:
                equal = records.tree.next_equal[equal]
        if equal >= 0:
            records.tree.rows[at] = equal
            return
        for j in range(records.X.shape[1]):
            records.tree.leaves[at // LANES, j, at % LANES] = np.nan
    else:
        for j in range(records.X.shape[1]):
            records.table.blocks[row // WIDTH, j, row % WIDTH] = np.nan


@njit(cache=True, nogil=True)
def tighten(records, rows):
    """Shrink the boxes around hidden `rows`; `rows` is overwritten."""
    if uses_tree(records):
        for i in range(rows.shape[0]):
            rows[i] = records.tree.place[rows[i]] // LANES
        rows.sort()
        for i in range(rows.shape[0]):
            if i == 0 or rows[i] != rows[i - 1]:
                shrink_boxes(records.tree, rows[i])
                relearn_leaf(records.tree, rows[i])


@njit(cache=True, nogil=True)
def nearest_records(records, row, near, near_rows):
    """Fill the heap `near`, `near_rows` with the free records nearest to `row`."""
    records.visits[1] += 1
    if near.shape[0] == 0:
        return
    if uses_tree(records):
        tree = records.tree
        leaf = tree.place[row] // LANES
        visits = nearest_in_tree(tree, records.X[row], leaf, near, near_rows)
        records.visits[0] += LANES * visits
    else:
        scan(records.table, records.X, row, near, near_rows, False)
        records.visits[0] += records.X.shape[0]


@njit(cache=True, nogil=True)
def farthest_from_point(records, point):
    """The free record farthest from any point, by the tree."""
    farthest, visits = farthest_in_tree(records.tree, point)
    records.visits[0] += LANES * visits
    return farthest


@njit(cache=True, nogil=True)
def farthest_record(records, row):
    """The free record farthest from `row`."""
    if uses_tree(records):
        return farthest_from_point(records, records.X[row])
    records.visits[0] += records.X.shape[0]
    nothing, no_rows = np.empty(0), np.empty(0, dtype=np.int32)
    return scan(records.table, records.X, row, nothing, no_rows, True)


@njit(cache=True, nogil=True)
def nearest_and_farthest_records(records, row, near, near_rows):
    """Both at once; one scan where the index is scanned."""
    if uses_tree(records):
        nearest_records(records, row, near, near_rows)
        return farthest_record(records, row)
    records.visits[0] += records.X.shape[0]
    records.visits[1] += 1
    return scan(records.table, records.X, row, near, near_rows, True)


def index_pays(X, codes):
    """Whether records are many enough for an index, and fit into it."""
    if X.shape[0] < INDEX_FROM or codes.starts[-1] > MAX_EXACT_CODES:
        return False
    return codes.n_measured == 0 or fits_float32(X[:, : codes.n_measured])


def fits_float32(X):
    """Whether the bounds of the index neither overflow nor lose their digits."""
    spread = np.ptp(X, axis=0).max()
    largest = max(X.max(), -X.min())
    return largest < MAX_INDEXED_VALUE and not 0 < spread < MIN_SPREAD


def tree_pays(visits, n_searches, n_free):
    """Whether searches through the tree cost less than scans of all free records."""
    return SCANNED_PER_VISIT * visits < n_searches * n_free


def index_lasts_to(n_free, use_tree, rebuild_from):
    """How many records are free when an index of `n_free` is to be made again."""
    lasts = TREE_LASTS if use_tree else TABLE_LASTS
    return int(lasts * n_free) if n_free >= rebuild_from else 0
