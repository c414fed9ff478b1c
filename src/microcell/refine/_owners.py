"""Whose the records of cells are, where k counts units and not records."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from microcell.kernels.compiled import njit


class Owners(NamedTuple):
    """Units of the records, and how many of them each cell has.

    Attributes
    ----------
    unit : ndarray of shape (n_samples,)
        Unit of each record, 0 to n_units - 1.
    start, rows : ndarray
        Records of unit u are rows[start[u]] to rows[start[u + 1] - 1].
    in_cell : ndarray of shape (most_cells + 1,)
        Different units of each cell.
    """

    unit: np.ndarray
    start: np.ndarray
    rows: np.ndarray
    in_cell: np.ndarray


def make_owners(units: np.ndarray, n_cells: int) -> Owners:
    """Units of the records, numbered anew, of cells that are all empty yet."""
    unit = np.unique(units, return_inverse=True)[1]
    start = np.concatenate([[0], np.cumsum(np.bincount(unit))])
    return Owners(
        unit, start, np.argsort(unit, kind="stable"), np.zeros(n_cells, dtype=np.int64)
    )


@njit(cache=True, nogil=True)
def records_in(owners, labels, members, size, cell, unit):
    """How many records of a unit a cell has, by its records or those of the cell."""
    first, end, count = owners.start[unit], owners.start[unit + 1], 0
    if end - first <= size:
        for at in range(first, end):
            count += labels[owners.rows[at]] == cell
    else:
        for m in range(size):
            count += owners.unit[members[cell, m]] == unit
    return count


@njit(cache=True, nogil=True)
def count_coming(owners, labels, members, size, record, cell):
    """Note that a record without a cell is about to come to one."""
    if owners is None:
        return
    unit = owners.unit[record]
    if records_in(owners, labels, members, size, cell, unit) == 0:
        owners.in_cell[cell] += 1


@njit(cache=True, nogil=True)
def count_gone(owners, labels, members, size, record, cell):
    """Note that a record is no longer among the members of a cell."""
    if owners is None:
        return
    labels[record] = -1
    unit = owners.unit[record]
    if records_in(owners, labels, members, size, cell, unit) == 0:
        owners.in_cell[cell] -= 1


@njit(cache=True, nogil=True)
def keeps_units(owners, labels, members, sizes, cell, leaves, comes, k):
    """Whether a cell has k units still if a record leaves it and another comes.

    Nobody comes if `comes` is -1. Where records are what k counts, sizes say it.
    """
    if owners is None:
        return True
    left = owners.in_cell[cell]
    if left > k:
        return True
    gone = owners.unit[leaves]
    if comes >= 0 and owners.unit[comes] == gone:
        return True
    size = sizes[cell]
    if records_in(owners, labels, members, size, cell, gone) > 1:
        return True
    if comes < 0:
        return False
    new = owners.unit[comes]
    return records_in(owners, labels, members, size, cell, new) == 0


@njit(cache=True, nogil=True)
def is_known(owners, labels, members, sizes, cell, record):
    """Whether a cell has a record of the same unit."""
    if owners is None:
        return False
    unit = owners.unit[record]
    return records_in(owners, labels, members, sizes[cell], cell, unit) > 0
