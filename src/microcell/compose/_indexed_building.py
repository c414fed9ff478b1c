"""Cells built for a promise by an index of the free records.

The same cells as by scans. The index may have a column more than the records, in front:
the part of the table that a record is in, at steps wider than the table, so that the
nearest record of a part is the nearest to a point in that part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from microcell._progress import report
from microcell.kernels.codes import Codes, add_record, centre_of, sum_of_records
from microcell.kernels.compiled import njit
from microcell.kernels.free_records import (
    REBUILD_FROM,
    FreeRecords,
    hide,
    index_lasts_to,
    index_records,
    tighten,
    tree_pays,
)
from microcell.kernels.outer_shell import (
    BATCH,
    OuterShell,
    chain_equal_records,
    farthest_from_centre,
    make_outer_shell,
    top_is_large,
)
from microcell.kernels.records import VISITS_PER_SLICE


class IndexedBuild(NamedTuple):
    """Cells in the making, by an index.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        The records; `records` holds them with a part in front, or as they are.
    records, shell, batch, rows, total, lost, codes, labels, k, stop_at, sort_at
        As in `IndexedRun`.
    """

    X: np.ndarray
    records: FreeRecords
    shell: OuterShell
    batch: int
    rows: np.ndarray
    total: np.ndarray
    lost: np.ndarray
    codes: Codes
    labels: np.ndarray
    k: int
    stop_at: int
    sort_at: int


@njit(cache=True, nogil=True)
def farthest_free(run, n_free):
    """The free record farthest from the centroid of the free ones."""
    middle = centre_of(run.total, run.lost, n_free, run.codes)
    return farthest_from_centre(
        run.shell, run.X, run.records.free, middle, run.batch, run.codes
    )


@njit(cache=True, nogil=True)
def close_built_cell(run, cell, label):
    """Label the rows of `cell`, hide them and take them from the running sum."""
    cell.sort()
    for row in cell:
        run.labels[run.rows[row]] = label
        add_record(run.total, run.lost, run.X[row], -1.0, run.codes.n_measured)
        hide(run.records, row)
    tighten(run.records, cell)


@njit(cache=True, nogil=True)
def index_is_old(run, n_free):
    """Whether the shell should be sorted again before more cells are built."""
    return n_free < run.sort_at and top_is_large(run.shell, run.batch, n_free)


def step_of_parts(X: np.ndarray, codes: Codes) -> float:
    """A power of two wider than the table, or 1 for records that are all alike."""
    widths = np.ptp(X[:, : codes.n_measured], axis=0)
    reach = np.sqrt(np.sum(widths**2) + codes.units.sum())
    return 2.0 ** (np.ceil(np.log2(reach)) + 1) if reach > 0 else 1.0


def indexed_labels(X: np.ndarray, k: int, codes: Codes, *how: Any, **more: Any) -> Any:
    """Labels of `indexed_cells`, where what is left at the end is a cell."""
    labels, rows, n_cells = indexed_cells(X, k, codes, *how, **more)
    labels[rows] = n_cells
    return labels


def indexed_cells(
    X: np.ndarray,
    k: int,
    codes: Codes,
    rounds: Callable[..., Any],
    until: int,
    given: tuple[Any, ...],
    part: np.ndarray | None = None,
    *,
    batch: int = BATCH,
    rebuild_from: int = REBUILD_FROM,
    use_tree: bool = True,
) -> tuple[np.ndarray, np.ndarray, int]:
    """Call `rounds` until fewer than `until` records are free, or it closes no more.

    Parameters
    ----------
    rounds : callable
        ``rounds(run, *given, n_free, n_cells, visits)`` closes cells.
    given : tuple
        What it needs besides, by the rows of the table.
    part : ndarray of shape (n_samples,), optional
        Part of each record, to be the first column of the index, which is then always a
        tree.
    batch, rebuild_from
        As in `indexed_cells`.
    use_tree : bool
        Whether to start with a tree; a table to scan takes over where that is cheaper.

    Returns
    -------
    labels : ndarray of shape (n_samples,)
        -1 for those `rows` that are left.
    rows : ndarray of int
    n_cells : int
    """
    n_samples = n_free = X.shape[0]
    rows, labels = np.arange(n_samples), np.full(n_samples, -1, dtype=np.int64)
    total, lost = sum_of_records(X, codes)
    step = step_of_parts(X, codes)
    use_tree, n_cells, closes = use_tree or part is not None, 0, True
    while n_free >= until and closes:
        centre = centre_of(total, lost, n_free, codes)
        indexed, middle, of_index = X, centre, codes
        if part is not None:
            indexed = np.column_stack([part[rows] * step, X])
            middle = np.concatenate([[indexed[:, 0].mean()], centre])
            of_index = codes._replace(n_measured=codes.n_measured + 1)
        records = index_records(indexed, middle, of_index, use_tree=use_tree)
        first, next_equal = chain_equal_records(X)
        run = IndexedBuild(
            X,
            records,
            make_outer_shell(X, first, next_equal, centre, codes),
            batch,
            rows,
            total,
            lost,
            codes,
            labels,
            k,
            stop_at=index_lasts_to(n_free, use_tree, rebuild_from),
            sort_at=n_free - n_free // 16,
        )
        pays = True
        while n_free >= max(until, run.stop_at) and pays and closes:
            before, n_before = records.visits.copy(), n_free
            steps = () if part is None else (step,)
            n_free, n_cells = rounds(
                run, *steps, *given, n_free, n_cells, VISITS_PER_SLICE
            )
            closes = n_free < n_before
            report(n_samples - n_free, n_samples)
            if n_free >= until and n_free < run.sort_at:
                entries = first if len(next_equal) else first[records.free[first]]
                centre = centre_of(total, lost, n_free, codes)
                shell = make_outer_shell(X, entries, next_equal, centre, codes)
                run = run._replace(shell=shell, sort_at=n_free - n_free // 16)
            if use_tree and part is None:
                searched = records.visits - before
                pays = searched[1] == 0 or tree_pays(searched[0], searched[1], n_free)
        use_tree = use_tree and pays
        X, rows = X[records.free], rows[records.free]
    return labels, rows, n_cells
