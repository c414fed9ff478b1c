"""UnitsApart: cells of k different units, whose records need not share a cell."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from sklearn.base import clone

from microcell._capabilities import Capabilities
from microcell._progress import report
from microcell.compose._by_unit import OfUnits
from microcell.compose._merging import merge_until_kept
from microcell.compose._promise_check import PromiseCheck
from microcell.compose._refine import Refine, check_nothing_to_keep
from microcell.compose._units_apart_kernel import (
    Owners,
    apart_rounds,
    indexed_apart_rounds,
)
from microcell.compose._units_repair_kernel import link_cells, repair_cells
from microcell.compose._wrapper import (
    refinement_of,
    start_labels_of,
)
from microcell.exceptions import PrivacyError
from microcell.kernels.codes import Codes, join_nearest_cell, with_codes
from microcell.kernels.records import VISITS_PER_SLICE
from microcell.partition import (
    MDAV,
    Rounds,
    closed_cells,
    indexed_cells,
    plain_cells,
    start_run,
)
from microcell.privacy import PSensitivity, people_of
from microcell.refine import near_records

if TYPE_CHECKING:
    from microcell.base import Labels, Records, Target


N_NEAR = 32  # records near one of a cell that has too few units
DISTANCES_AT_ONCE = 10_000_000  # of records that are left to the centres of cells


class UnitsApart(OfUnits):
    """Let each cell have records of k different units, which may be in several cells.

    A unit is whoever is to be protected: a patient with several visits. Each visit is
    hidden among those of at least k - 1 other patients, and the visits of a patient are
    free to be where they lose least; `ByUnit` puts them into one cell.

    `MDAV` builds cells of the nearest record of each of the nearest k units; others of
    these units stay free for other cells. Cells of any other partitioner are mended: to
    one with too few units a record of a new one comes from near by, in exchange for one
    of a unit that is there twice or from a cell that can spare it, at least cost; what
    cannot be mended so is merged, and what is large enough after that is cut again. A
    search (`Refine`) keeps k units in each cell. With one record for each unit, cells
    are those of `partition`. Ties go to the earlier record; memory is O(n d).

    A unit with more records than there are cells has several in some of them.

    Parameters
    ----------
    partition : partitioner
        How cells are formed.
    units : array-like of shape (n_samples,)
        The unit of each record.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.
    n_units_ : int
        Number of units.
    start_labels_ : ndarray of shape (n_samples,)
        Cells before a search, where `partition` searches.

    Examples
    --------
    >>> from microcell.partition import MDAV
    >>> visits = [[0.0], [0.1], [5.0], [5.2]]
    >>> UnitsApart(MDAV(k=2), units=["ann", "bob", "cid", "ann"]).fit(visits).labels_
    array([1, 1, 0, 0])
    """

    @property
    def capabilities(self) -> Capabilities:
        """Those of the partitioner inside, whose cells no search would keep."""
        return replace(
            super().capabilities, refinable=False, keeps_more=True, units_apart=True
        )

    def _partition(self, X: Records, y: Target) -> Labels:
        units, k = self._count_units(X.shape[0]), self.k
        part = self.partition_ = clone(self.partition)
        if isinstance(part, Refine):
            check_nothing_to_keep(part.partition)
            start = type(self)(part.partition, units=units)
            labels = part.improved(X, lambda: start.fit(X, y), units)
        else:
            table, codes = with_codes(X, self.categorical_features, self.mismatch_units)
            if type(part) is MDAV:
                labels = mdav_of_units(table, codes, units, part)
            else:
                labels = with_k_units(table, codes, units, part.fit(X, y).labels_, k)
        n_cells = int(labels.max()) + 1
        few = people_of(labels, units, n_cells) < k
        if few.any():
            raise PrivacyError(f"{few.sum()} cell(s) have fewer than {k} units.")
        self.refinement_ = refinement_of(part)
        self.start_labels_ = start_labels_of(part)
        self.notices_ = said_of_many_records(units, n_cells)
        return labels


def said_of_many_records(units: np.ndarray, n_cells: int) -> list[str]:
    """What is to be said of units with more records than there are cells.

    Examples
    --------
    >>> said_of_many_records(np.array([0, 0, 0, 1, 1]), 2)
    ['1 unit(s) have more records than there are cells (2), so several share a cell']
    """
    n_many = int(np.sum(np.bincount(units) > n_cells))
    if n_many == 0:
        return []
    return [
        f"{n_many} unit(s) have more records than there are cells ({n_cells}), so "
        "several share a cell"
    ]


def mdav_of_units(
    X: np.ndarray, codes: Codes, units: np.ndarray, part: MDAV, index: str = "auto"
) -> np.ndarray:
    """Labels of cells of k units by MDAV, each with the nearest record of a unit.

    Two cells are closed in a round while 3k units are free, then one while k units and
    2k records are; the rest is the last cell if it has k units, and else its records
    join the nearest cells. Where each unit has one record, this is MDAV.

    Parameters
    ----------
    part : MDAV
        Gives k and what is done with records that are left.
    index : {"auto", "never", "always"}
    """
    k, leftover = part.k, part.leftover
    pairs_from = 3 * k if leftover == "last" else 2 * k
    left = np.bincount(units)
    owners = Owners(units, left, np.array([left.size]))
    given = (owners, pairs_from, 2 * k)
    rounds = Rounds(apart_rounds, indexed_apart_rounds, 2 * k, given)
    cells = indexed_cells if index == "always" else plain_cells
    cells = closed_cells if index == "auto" else cells
    labels, rows, n_cells = cells(X, k, codes, rounds)
    has_k = owners.n_left[0] >= k
    if has_k and leftover == "each":
        run = start_run(X[rows], k, codes)._replace(rows=rows, labels=labels)
        n_free, n_cells = apart_rounds(run, owners, 2 * k, k, len(rows), n_cells, 1)
        rows, has_k = run.rows[:n_free], False
    if has_k:
        labels[rows] = n_cells
    else:
        join_nearest_cells(X, rows, labels, n_cells, codes)
    return labels


def join_nearest_cells(
    X: np.ndarray, rows: np.ndarray, labels: np.ndarray, n_cells: int, codes: Codes
) -> None:
    """Label each of many `rows` with the cell of the nearest centre, some at a time."""
    at_once = max(1, DISTANCES_AT_ONCE // n_cells)
    placed = labels.copy()
    for start in range(0, len(rows), at_once):
        some, own = rows[start : start + at_once], placed.copy()
        join_nearest_cell(X, some, own, n_cells, codes)
        labels[some] = own[some]


def with_k_units(
    X: np.ndarray, codes: Codes, units: np.ndarray, labels: np.ndarray, k: int
) -> np.ndarray:
    """Labels of cells that have k units each, changed where they had fewer.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Measured columns first, then codes.
    units, labels : ndarray of shape (n_samples,)
        Units and cells, from 0 on.
    """
    n_units = people_of(labels, units, int(labels.max()) + 1)
    poor = np.flatnonzero(n_units < k)
    if poor.size == 0:
        return labels
    rows = np.flatnonzero(n_units[labels] < k)
    near = near_records(X, codes, N_NEAR, rows=rows)
    near_of = np.full(len(X), -1)
    near_of[rows] = np.arange(len(rows))
    seen = np.zeros(len(X) + 1, dtype=np.int64)
    cells, n_done = link_cells(X, codes, units, labels), 0
    while n_done < poor.size:
        rest = poor[n_done:]
        n_done += repair_cells(cells, rest, k, near, near_of, seen, VISITS_PER_SLICE)
        report(n_done, poor.size, "mending cells")
    check = PromiseCheck([PSensitivity(k)], units[:, None])
    merged = merge_until_kept(X, cells.labels, check, codes)
    return cut_again(X, codes, units, cells.labels, merged, k)


def cut_again(
    X: np.ndarray,
    codes: Codes,
    units: np.ndarray,
    labels: np.ndarray,
    merged: np.ndarray,
    k: int,
) -> np.ndarray:
    """Labels after cells that were merged, and have 2k units, are cut by MDAV."""
    n_cells = int(merged.max()) + 1
    taken = np.bincount(np.unique(np.stack([merged, labels]), axis=1)[0])
    large = people_of(merged, units, n_cells) >= 2 * k
    order, ends = np.argsort(merged, kind="stable"), np.cumsum(np.bincount(merged))
    labels = merged.copy()
    for cell in np.flatnonzero(large & (taken > 1)):
        rows = order[0 if cell == 0 else ends[cell - 1] : ends[cell]]
        whose = np.unique(units[rows], return_inverse=True)[1]
        pieces = mdav_of_units(X[rows], codes, whose, MDAV(k))
        labels[rows] = n_cells + pieces
        n_cells += int(pieces.max()) + 1
    return np.unique(labels, return_inverse=True)[1]
