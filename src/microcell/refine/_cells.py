"""Cells that records are moved between, and what a move would change.

The SSE of a cell is the sum of its records' squared distances to its centre. With m
records in it, one that comes adds m / (m + 1) of its squared distance to the centre;
one that leaves takes m / (m - 1) of it away; one that takes the place of another adds
the difference of theirs, less the squared distance between both divided by m. Only
distances are subtracted, so values far from zero lose no digits, and each change costs
O(d), with columns of codes as without.

What is called for each move that is looked at takes the arrays that it needs, not all
of them: that is several times faster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microcell.kernels.compiled import njit
from microcell.refine._owners import Owners, count_coming, count_gone, make_owners

if TYPE_CHECKING:
    from microcell.kernels.codes import Codes


class Cells(NamedTuple):
    """A partition of some records, to be changed in place.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        Records, measured columns first.
    near : ndarray of shape (n_samples, n_near)
        Other records near each one, nearest first.
    labels, slots : ndarray of shape (n_samples,)
        Cell of each record, and its place among the cell's members.
    own : ndarray of shape (n_samples,)
        Squared distance of each record to the centre of its cell.
    members : ndarray of shape (most_cells + 1, 2 * k)
        Records of each cell; a cell has 2k - 1 at most, or, where k counts units, as
        many as the largest to begin with.
    sizes : ndarray of shape (most_cells + 1,)
    centres : ndarray of shape (most_cells + 1, n_features + n_codes)
        Means of the measured columns; for each column of codes its unit times half of
        one plus the sum of squared shares of its codes; its unit times the share of
        each code.
    n_cells : ndarray of shape (1,)
        The cells in use are the first ones.
    n_measured : int
    units : ndarray of shape (n_coded,)
        What a mismatch in each column of codes counts.
    k : int
    owners : Owners or None
        Whose the records are, where k counts units.
    """

    X: np.ndarray
    near: np.ndarray
    labels: np.ndarray
    slots: np.ndarray
    own: np.ndarray
    members: np.ndarray
    sizes: np.ndarray
    centres: np.ndarray
    n_cells: np.ndarray
    n_measured: int
    units: np.ndarray
    k: int
    owners: Owners | None


def make_cells(
    X: np.ndarray,
    codes: Codes,
    near: np.ndarray,
    labels: np.ndarray,
    k: int,
    units: np.ndarray | None = None,
) -> Cells:
    """The partition `labels` of `X`, whose cells have k to 2k - 1 records.

    With `units`, which are given as whole numbers, they have k units.
    """
    n_samples, n_features = X.shape
    most_cells, most, owners = n_samples // k, 2 * k, None
    if units is not None:
        most = max(most, int(np.bincount(labels).max()) + 1)
        owners = make_owners(units, most_cells + 1)
    cells = Cells(
        X,
        near,
        np.empty(n_samples, dtype=np.int64),
        np.empty(n_samples, dtype=np.int64),
        np.empty(n_samples),
        np.zeros((most_cells + 1, most), dtype=np.int64),
        np.zeros(most_cells + 1, dtype=np.int64),
        np.zeros((most_cells + 1, n_features + codes.starts[-1])),
        np.zeros(1, dtype=np.int64),
        codes.n_measured,
        codes.units,
        k,
        owners,
    )
    set_labels(cells, labels)
    return cells


@njit(cache=True, nogil=True)
def set_labels(cells, labels):
    """Make the cells those of `labels`, 0 to n_cells - 1."""
    cells.sizes[:] = 0
    cells.centres[:] = 0.0
    cells.labels[:] = -1
    empty_cells(cells.owners)
    n_cells = 0
    for i in range(labels.shape[0]):
        put(cells, i, labels[i])
        n_cells = max(n_cells, labels[i] + 1)
    cells.n_cells[0] = n_cells
    for cell in range(n_cells):
        refresh(cells, cell)


@njit(cache=True, nogil=True)
def empty_cells(owners):
    """Note that no cell has records yet."""
    if owners is not None:
        owners.in_cell[:] = 0


@njit(cache=True, nogil=True)
def distance_to_cell(X, record, centres, cell, n_measured):
    """Squared distance of a record to the centre of a cell."""
    n_features, total = X.shape[1], 0.0
    for j in range(n_measured):
        difference = X[record, j] - centres[cell, j]
        total += difference * difference
    for j in range(n_measured, n_features):
        share = centres[cell, n_features + np.int64(X[record, j])]
        total += centres[cell, j] - share
    return total


@njit(cache=True, nogil=True)
def distance_between(X, record, other, n_measured, units):
    """Squared distance of two records."""
    total = 0.0
    for j in range(n_measured):
        difference = X[record, j] - X[other, j]
        total += difference * difference
    for j in range(n_measured, X.shape[1]):
        total += units[j - n_measured] if X[record, j] != X[other, j] else 0.0
    return total


@njit(cache=True, nogil=True)
def put(cells, record, cell):
    """Let a record without a cell join one; `refresh` has to follow."""
    size = cells.sizes[cell]
    count_coming(cells.owners, cells.labels, cells.members, size, record, cell)
    cells.members[cell, size] = record
    cells.slots[record] = size
    cells.sizes[cell] = size + 1
    cells.labels[record] = cell


@njit(cache=True, nogil=True)
def take(cells, record):
    """Take a record out of its cell; `refresh` has to follow."""
    cell, slot = cells.labels[record], cells.slots[record]
    size = cells.sizes[cell] - 1
    cells.sizes[cell] = size
    last = cells.members[cell, size]
    cells.members[cell, slot] = last
    cells.slots[last] = slot
    count_gone(cells.owners, cells.labels, cells.members, size, record, cell)
    n_features = cells.X.shape[1]
    for j in range(cells.n_measured, n_features):
        cells.centres[cell, n_features + np.int64(cells.X[record, j])] = 0.0


@njit(cache=True, nogil=True)
def refresh(cells, cell):
    """Compute the centre of a cell anew, and how far its members are from it."""
    X, members, centres = cells.X, cells.members, cells.centres
    size, n_measured, n_features = cells.sizes[cell], cells.n_measured, X.shape[1]
    if size == 0:
        return
    share = 1.0 / size
    for j in range(n_measured):
        total = 0.0
        for m in range(size):
            total += X[members[cell, m], j]
        centres[cell, j] = total * share
    for j in range(n_measured, n_features):
        refresh_codes(cells, cell, j)
    for m in range(size):
        record = members[cell, m]
        distance = distance_to_cell(X, record, centres, cell, n_measured)
        cells.own[record] = max(distance, 0.0)


@njit(cache=True, nogil=True)
def refresh_codes(cells, cell, j):
    """Shares of the codes of a column.

    They come from whole numbers: a sum of shares would be rounded, and a cell of one
    code would seem to lose something, more than its measured columns may do.
    """
    X, members, shares = cells.X, cells.members[cell], cells.centres[cell]
    size, n_features, squares = cells.sizes[cell], X.shape[1], 0.0
    unit = cells.units[j - cells.n_measured]
    for m in range(size):
        shares[n_features + np.int64(X[members[m], j])] = 0.0
    for m in range(size):  # counts below zero are not yet shares
        shares[n_features + np.int64(X[members[m], j])] -= 1.0
    for m in range(size):
        squares -= shares[n_features + np.int64(X[members[m], j])]
    for m in range(size):
        code = n_features + np.int64(X[members[m], j])
        if shares[code] < 0.0:
            shares[code] = unit * (-shares[code] / size)
    shares[j] = unit * (0.5 + 0.5 * squares / (size * size))


@njit(cache=True, nogil=True)
def move(cells, record, cell):
    """Move a record to another cell."""
    before = cells.labels[record]
    take(cells, record)
    put(cells, record, cell)
    refresh(cells, before)
    refresh(cells, cell)


@njit(cache=True, nogil=True)
def exchange(cells, record, other):
    """Let two records of different cells change places."""
    cell, other_cell = cells.labels[record], cells.labels[other]
    take(cells, record)
    take(cells, other)
    put(cells, record, other_cell)
    put(cells, other, cell)
    refresh(cells, cell)
    refresh(cells, other_cell)


@njit(cache=True, nogil=True)
def rotate(cells, record, member, cell, last):
    """Let a record take the place of a member of another cell, which goes to `cell`.

    `last`, of that cell, takes the place of the record; nobody does if it is -1.
    """
    home, middle = cells.labels[record], cells.labels[member]
    take(cells, record)
    take(cells, member)
    put(cells, record, middle)
    put(cells, member, cell)
    if last >= 0:
        take(cells, last)
        put(cells, last, home)
    refresh(cells, home)
    refresh(cells, middle)
    refresh(cells, cell)


@njit(cache=True, nogil=True)
def close_gap(cells, cell):
    """Let the last cell take the number of one that is empty."""
    last = cells.n_cells[0] - 1
    cells.n_cells[0] = last
    if cell != last:
        for m in range(cells.sizes[last]):
            record = cells.members[last, m]
            cells.members[cell, m] = record
            cells.labels[record] = cell
        cells.sizes[cell] = cells.sizes[last]
        cells.centres[cell] = cells.centres[last]
    cells.sizes[last] = 0
    cells.centres[last] = 0.0
    move_count(cells.owners, last, cell)


@njit(cache=True, nogil=True)
def move_count(owners, last, cell):
    """Let a cell have the units of the last one, which is gone."""
    if owners is not None:
        owners.in_cell[cell] = owners.in_cell[last]
        owners.in_cell[last] = 0


@njit(cache=True, nogil=True)
def sse_of_cells(cells):
    """Sum of squared errors of all cells, added up in the order of the records."""
    total = 0.0
    for i in range(cells.own.shape[0]):
        total += cells.own[i]
    return total
