"""Inner loops of dissolve-and-split: arrays in, arrays out, no checks."""

from typing import NamedTuple

import numpy as np

from microcell.kernels.box_changes import hide_from_tree, put_into_tree
from microcell.kernels.box_queries import nearest_in_tree
from microcell.kernels.box_tree import LANES, shrink_boxes
from microcell.kernels.codes import sum_of_records
from microcell.kernels.compiled import njit
from microcell.kernels.growing_sse import add_to_middle
from microcell.kernels.records import join_nearest_cell
from microcell.partition._mdav_kernel import PlainRun, close_one_cell, mdav_rounds

NO_MEMBER = -1


class Cells(NamedTuple):
    """Cells that records can be added to.

    Attributes
    ----------
    middles : ndarray of shape (n_cells, n_features)
        Centroids.
    sizes : ndarray of shape (n_cells,)
        Number of records; 0 once a cell is dissolved.
    sse : ndarray of shape (n_cells,)
    first, last : ndarray of shape (n_cells,)
        First and last record of each cell.
    following : ndarray of shape (n_samples,)
        The record after each one in its cell.
    """

    middles: np.ndarray
    sizes: np.ndarray
    sse: np.ndarray
    first: np.ndarray
    last: np.ndarray
    following: np.ndarray


@njit(cache=True, nogil=True)
def gather_cells(X, labels, n_cells):
    """Cells of the records, which come in the order of the table."""
    cells = Cells(
        np.zeros((n_cells, X.shape[1])),
        np.zeros(n_cells, dtype=np.int64),
        np.zeros(n_cells),
        np.full(n_cells, NO_MEMBER),
        np.full(n_cells, NO_MEMBER),
        np.full(X.shape[0], NO_MEMBER),
    )
    for row in range(X.shape[0]):
        cell = labels[row]
        size = cells.sizes[cell]
        cells.sse[cell] += add_to_middle(cells.middles[cell], size, X[row])
        append(cells, cell, row)
    return cells


@njit(cache=True, nogil=True)
def append(cells, cell, row):
    """Let a record be the last one of a cell."""
    if cells.sizes[cell] == 0:
        cells.first[cell] = row
    else:
        cells.following[cells.last[cell]] = row
    cells.last[cell] = row
    cells.following[row] = NO_MEMBER
    cells.sizes[cell] += 1


@njit(cache=True, nogil=True)
def dissolve_cells(X, cells, tree, order, start, visits):
    """Share cells out to others where that lowers the SSE.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    cells : Cells
        IN, OUT
    tree : BoxTree
        IN, OUT: the centroids of all cells that are there.
    order : ndarray of shape (n_cells,)
        Which cells to try, one after the other.
    start, visits : int
        Where to begin, and how many boxes may be looked at before a pause.

    Returns
    -------
    place : int
        The first one in the order that was not tried.
    """
    near, near_rows = np.empty(1), np.empty(1, dtype=np.int32)
    slot_of = np.full(cells.sizes.shape[0], NO_MEMBER)
    most = cells.sizes.max()
    middles = np.empty((most, X.shape[1]))
    sizes, gains = np.empty(most, dtype=np.int64), np.empty(most)
    rows, targets = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    touched = np.empty(most, dtype=np.int64)
    n_left = np.count_nonzero(cells.sizes)
    for place in range(start, order.shape[0]):
        if visits <= 0:
            return place
        cell = order[place]
        if n_left == 1:
            continue
        if cells.sizes[cell] > rows.shape[0]:
            most = 2 * cells.sizes[cell]
            middles = np.empty((most, X.shape[1]))
            sizes, gains = np.empty(most, dtype=np.int64), np.empty(most)
            rows = np.empty(most, dtype=np.int64)
            targets = np.empty(most, dtype=np.int64)
            touched = np.empty(most, dtype=np.int64)
        hide_from_tree(tree, cell)
        leaf = tree.place[cell] // LANES
        n_rows, n_touched, gain = 0, 0, 0.0
        row = cells.first[cell]
        while row != NO_MEMBER and gain < cells.sse[cell]:
            visits -= nearest_in_tree(tree, X[row], leaf, near, near_rows)
            target = np.int64(near_rows[0])
            slot = slot_of[target]
            if slot == NO_MEMBER:
                slot = slot_of[target] = n_touched
                touched[slot] = target
                middles[slot] = cells.middles[target]
                sizes[slot], gains[slot] = cells.sizes[target], cells.sse[target]
                n_touched += 1
            more = add_to_middle(middles[slot], sizes[slot], X[row])
            sizes[slot] += 1
            gains[slot] += more
            gain += more
            rows[n_rows], targets[n_rows] = row, target
            n_rows += 1
            row = cells.following[row]
        for slot in range(n_touched):
            slot_of[touched[slot]] = NO_MEMBER
        if gain >= cells.sse[cell]:
            put_into_tree(tree, cell, cells.middles[cell])
            continue
        n_left -= 1
        shrink_boxes(tree, leaf)
        cells.sizes[cell] = 0
        for i in range(n_rows):
            append(cells, targets[i], rows[i])
        for slot in range(n_touched):
            target = touched[slot]
            cells.middles[target] = middles[slot]
            cells.sse[target] = gains[slot]
            put_into_tree(tree, target, middles[slot])
    return order.shape[0]


@njit(cache=True, nogil=True)
def mdav_1_labels(X, k, codes):
    """Cells of MDAV-1 by scans; `leftover="each"` of the part."""
    rows, labels = np.arange(X.shape[0]), np.full(X.shape[0], -1)
    total, lost = sum_of_records(X, codes)
    run = PlainRun(X.copy(), rows, total, lost, codes, labels, k, 2 * k)
    n_free, n_cells = mdav_rounds(run, X.shape[0], 0, np.iinfo(np.int64).max)
    if n_free >= k:
        n_free = close_one_cell(run, n_free, n_cells)
        n_cells += 1
    if n_free > 0:
        join_nearest_cell(X, rows[:n_free], labels, n_cells)
    return labels, n_cells


@njit(cache=True, nogil=True)
def split_cells(X, cells, k, codes, most, start, stop, labels, n_labels):
    """Label the cells from `start` to `stop`, those of 2k or more by MDAV-1.

    Cells of more than `most` records are one label still.

    Returns
    -------
    n_labels : int
        Labels given so far.
    """
    for cell in range(start, stop):
        size = cells.sizes[cell]
        if size == 0:
            continue
        rows = np.empty(size, dtype=np.int64)
        row = cells.first[cell]
        for i in range(size):
            rows[i] = row
            row = cells.following[row]
        rows.sort()
        if size < 2 * k or size > most:
            labels[rows] = n_labels
            n_labels += 1
            continue
        pieces, n_pieces = mdav_1_labels(X[rows], k, codes)
        for i in range(size):
            labels[rows[i]] = n_labels + pieces[i]
        n_labels += n_pieces
    return n_labels
