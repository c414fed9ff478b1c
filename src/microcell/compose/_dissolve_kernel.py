"""Inner loops of dissolve-and-split: arrays in, arrays out, no checks."""

from typing import NamedTuple

import numpy as np

from microcell.kernels.box_changes import hide_from_tree, put_into_tree
from microcell.kernels.box_queries import nearest_in_tree
from microcell.kernels.box_tree import LANES, shrink_boxes
from microcell.kernels.codes import sum_of_records
from microcell.kernels.compiled import njit
from microcell.kernels.growing_sse import add_to_middle
from microcell.kernels.records import join_nearest_cell, squared_distance
from microcell.partition import PlainRun, close_one_cell, mdav_rounds

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
    pairs : ndarray of shape (n_cells, n_coded)
        How many pairs of records differ in each column of codes.
    """

    middles: np.ndarray
    sizes: np.ndarray
    sse: np.ndarray
    first: np.ndarray
    last: np.ndarray
    following: np.ndarray
    pairs: np.ndarray


@njit(cache=True, nogil=True)
def gather_cells(X, labels, n_cells, codes):
    """Cells of the records, which come in the order of the table."""
    none = np.empty(0, dtype=np.int64)
    cells = Cells(
        np.zeros((n_cells, codes.n_measured)),
        np.zeros(n_cells, dtype=np.int64),
        np.zeros(n_cells),
        np.full(n_cells, NO_MEMBER),
        np.full(n_cells, NO_MEMBER),
        np.full(X.shape[0], NO_MEMBER),
        np.zeros((n_cells, codes.units.shape[0]), dtype=np.int64),
    )
    for row in range(X.shape[0]):
        cell = labels[row]
        size, pairs = cells.sizes[cell], cells.pairs[cell]
        cells.sse[cell] += add_record(
            X, cells, cell, row, codes, cells.middles[cell], size, pairs, none, none
        )
        append(cells, cell, row)
    return cells


@njit(cache=True, nogil=True)
def n_others(X, cells, cell, row, column, more, targets):
    """Records of a cell, and of those to come to it, with another code than `row`."""
    code, count, member = X[row, column], 0, cells.first[cell]
    while member != NO_MEMBER:
        count += X[member, column] != code
        member = cells.following[member]
    for i in range(more.shape[0]):
        count += targets[i] == cell and X[more[i], column] != code
    return count


@njit(cache=True, nogil=True)
def coded_gap(unit, n_differ, n_pairs, size):
    """Squared distance to a centre in a column of codes, from what differs."""
    gap = n_differ / size - n_pairs / (size * size)
    return unit * gap if gap > 0.0 else 0.0


@njit(cache=True, nogil=True)
def add_record(X, cells, cell, row, codes, middle, size, pairs, more, targets):
    """Let a cell that records `more` are to come to take in one more.

    Parameters
    ----------
    middle, pairs : ndarray
        IN, OUT: centroid and pairs that differ, with those to come.
    size : int
        Its records, with those to come.
    more, targets : ndarray
        Records to come, and to which cell each does.

    Returns
    -------
    gain : float
        What the SSE gains.
    """
    n_measured, coded = codes.n_measured, 0.0
    for column in range(codes.units.shape[0]):
        count = n_others(X, cells, cell, row, n_measured + column, more, targets)
        if size > 0:
            coded += coded_gap(codes.units[column], count, pairs[column], size)
        pairs[column] += count
    gain = add_to_middle(middle, size, X[row, :n_measured])
    return gain + coded * (size / (size + 1))


@njit(cache=True, nogil=True)
def nearest_cell(X, cells, row, own, codes):
    """The cell whose centre is nearest, of those that are there and not `own`."""
    none, n_measured = np.empty(0, dtype=np.int64), codes.n_measured
    best, least = NO_MEMBER, np.inf
    for cell in range(cells.sizes.shape[0]):
        size = cells.sizes[cell]
        if size == 0 or cell == own:
            continue
        gap = squared_distance(X[row, :n_measured], cells.middles[cell])
        for column in range(codes.units.shape[0]):
            if gap >= least:
                break
            count = n_others(X, cells, cell, row, n_measured + column, none, none)
            pairs = cells.pairs[cell, column]
            gap += coded_gap(codes.units[column], count, pairs, size)
        if gap < least:
            best, least = cell, gap
    return best


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
def dissolve_cells(X, cells, tree, order, start, visits, codes):
    """Share cells out to others where that lowers the SSE.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    cells : Cells
        IN, OUT
    tree : BoxTree
        IN, OUT: the centroids of all cells that are there; not used with codes, where
        all cells are looked at.
    order : ndarray of shape (n_cells,)
        Which cells to try, one after the other.
    start, visits : int
        Where to begin, and how many boxes may be looked at before a pause.
    codes : Codes
        Which columns hold codes.

    Returns
    -------
    place : int
        The first one in the order that was not tried.
    """
    near, near_rows = np.empty(1), np.empty(1, dtype=np.int32)
    slot_of = np.full(cells.sizes.shape[0], NO_MEMBER)
    most, n_coded = cells.sizes.max(), codes.units.shape[0]
    middles = np.empty((most, codes.n_measured))
    pairs = np.empty((most, n_coded), dtype=np.int64)
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
            middles = np.empty((most, codes.n_measured))
            pairs = np.empty((most, n_coded), dtype=np.int64)
            sizes, gains = np.empty(most, dtype=np.int64), np.empty(most)
            rows = np.empty(most, dtype=np.int64)
            targets = np.empty(most, dtype=np.int64)
            touched = np.empty(most, dtype=np.int64)
        leaf = np.int64(0)
        if n_coded == 0:
            hide_from_tree(tree, cell)
            leaf = np.int64(tree.place[cell] // LANES)
        n_rows, n_touched, gain = 0, 0, 0.0
        row = cells.first[cell]
        while row != NO_MEMBER and gain < cells.sse[cell]:
            if n_coded == 0:
                visits -= nearest_in_tree(tree, X[row], leaf, near, near_rows)
                target = np.int64(near_rows[0])
            else:
                visits -= n_left
                target = np.int64(nearest_cell(X, cells, row, cell, codes))
            slot = slot_of[target]
            if slot == NO_MEMBER:
                slot = slot_of[target] = n_touched
                touched[slot] = target
                middles[slot], pairs[slot] = cells.middles[target], cells.pairs[target]
                sizes[slot], gains[slot] = cells.sizes[target], cells.sse[target]
                n_touched += 1
            more = add_record(
                X,
                cells,
                target,
                row,
                codes,
                middles[slot],
                sizes[slot],
                pairs[slot],
                rows[:n_rows],
                targets[:n_rows],
            )
            sizes[slot] += 1
            gains[slot] += more
            gain += more
            rows[n_rows], targets[n_rows] = row, target
            n_rows += 1
            row = cells.following[row]
        for slot in range(n_touched):
            slot_of[touched[slot]] = NO_MEMBER
        if gain >= cells.sse[cell]:
            if n_coded == 0:
                put_into_tree(tree, cell, cells.middles[cell])
            continue
        n_left -= 1
        if n_coded == 0:
            shrink_boxes(tree, leaf)
        cells.sizes[cell] = 0
        for i in range(n_rows):
            append(cells, targets[i], rows[i])
        for slot in range(n_touched):
            target = touched[slot]
            cells.middles[target] = middles[slot]
            cells.sse[target] = gains[slot]
            cells.pairs[target] = pairs[slot]
            if n_coded == 0:
                put_into_tree(tree, target, middles[slot])
    return order.shape[0]


@njit(cache=True, nogil=True)
def mdav_1_labels(X, k, codes):
    """Cells of MDAV-1 by scans; `leftover="each"` of the part."""
    rows, labels = np.arange(X.shape[0]), np.full(X.shape[0], -1)
    total, lost = sum_of_records(X, codes)
    run = PlainRun(X.copy(), rows, total, lost, codes, labels, k)
    n_free, n_cells = mdav_rounds(run, 2 * k, X.shape[0], 0, np.iinfo(np.int64).max)
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
