"""Cells that are closed in rounds: by plain scans, or by an index of the free records.

Both give the same cells, as (labels, rows, n_cells): labels are -1 for the few `rows`
that no round is left for.

The index may have a column more than the records, in front: the part of the table that
a record is in, at steps wider than the table, so that the nearest record of a part is
the nearest to a point in that part.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from microcell._progress import report
from microcell.kernels.codes import Codes, centre_of, join_nearest_cell, sum_of_records
from microcell.kernels.free_records import (
    REBUILD_FROM,
    index_lasts_to,
    index_pays,
    index_records,
    tree_pays,
)
from microcell.kernels.outer_shell import BATCH, chain_equal_records, make_outer_shell
from microcell.kernels.records import VISITS_PER_SLICE
from microcell.partition._rounds_kernel import IndexedRun, PlainRun, shell_is_old

Cells = tuple[np.ndarray, np.ndarray, int]


class Rounds(NamedTuple):
    """Kernels that close cells, ``scanned(run, *given, n_free, n_cells, visits)``."""

    scanned: Callable[..., tuple[int, int]]  # looks at all free records
    indexed: Callable[..., tuple[int, int]]  # the same with an index
    until: int  # fewer free records than this are left
    given: tuple[Any, ...]  # what the kernels need besides, by the rows of the table
    part: np.ndarray | None = None  # of each record: given first, or in the index
    by_centre: bool = True  # whether they ask for the record farthest from the centre
    in_order: bool = False  # whether of equal records the earlier always leaves first


def closed_cells(X: np.ndarray, k: int, codes: Codes, rounds: Rounds) -> Cells:
    """Cells by the path that suits the table."""
    if index_pays(X, codes):
        return indexed_cells(X, k, codes, rounds)
    return plain_cells(X, k, codes, rounds)


def plain_cells(X: np.ndarray, k: int, codes: Codes, rounds: Rounds) -> Cells:
    """Cells by scans of all free records: about 3 n^2 / (4 k) distances for MDAV."""
    run, n_samples = start_run(X, k, codes), X.shape[0]
    given = rounds.given if rounds.part is None else (rounds.part, *rounds.given)
    n_free, n_cells, closes = n_samples, 0, True
    while n_free >= rounds.until and closes:
        n_before = n_free
        n_free, n_cells = rounds.scanned(run, *given, n_free, n_cells, VISITS_PER_SLICE)
        closes = n_free < n_before
        report(n_samples - n_free, n_samples)
    return run.labels, run.rows[:n_free], n_cells


def start_run(X: np.ndarray, k: int, codes: Codes) -> PlainRun:
    """All records free."""
    rows, labels = np.arange(X.shape[0]), np.full(X.shape[0], -1, dtype=np.int64)
    total, lost = sum_of_records(X, codes)
    return PlainRun(X.copy(), rows, total, lost, codes, labels, k)


def indexed_cells(
    X: np.ndarray,
    k: int,
    codes: Codes,
    rounds: Rounds,
    *,
    visits_per_slice: int = VISITS_PER_SLICE,
    index: str = "auto",
    batch: int = BATCH,
    rebuild_from: int = REBUILD_FROM,
) -> Cells:
    """Cells by an index of the free records.

    Parameters
    ----------
    visits_per_slice : int
        How many records to look at between two reports.
    index : {"auto", "tree", "table"}
        "auto" starts with a tree, counts what its queries look at, and goes over to
        a table to scan once that is cheaper. With parts it is always a tree.
    batch : int
        Records that the shell's top takes in at a time.
    rebuild_from : int
        A smaller index is not made again.
    """
    n_samples = n_free = X.shape[0]
    rows, labels = np.arange(n_samples), np.full(n_samples, -1, dtype=np.int64)
    total, lost = sum_of_records(X, codes)
    part, until, given = rounds.part, rounds.until, rounds.given
    if part is not None:
        step = step_of_parts(X, codes)
        given = (step, *given)
    use_tree = index != "table" or part is not None
    n_cells, distinct, next_slice = 0, False, min(visits_per_slice, 20 * n_samples)
    closes = True  # rounds may end before `until`
    while n_free >= until and closes:
        centre = centre_of(total, lost, n_free, codes)
        first, next_equal = np.arange(n_free, dtype=np.int32), np.empty(0, np.int32)
        if not distinct:
            first, next_equal = chain_equal_records(X)
            distinct = len(next_equal) == 0
        if part is None:
            equals = (first, next_equal) if rounds.in_order else None
            records = index_records(X, centre, codes, use_tree=use_tree, equals=equals)
        else:
            indexed = np.column_stack([part[rows] * step, X])
            middle = np.concatenate([[indexed[:, 0].mean()], centre])
            of_index = codes._replace(n_measured=codes.n_measured + 1)
            records = index_records(indexed, middle, of_index, use_tree=use_tree)
        of_shell = first if rounds.by_centre else first[:0]
        run = IndexedRun(
            X,
            records,
            make_outer_shell(X, of_shell, next_equal, centre, codes),
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
            n_free, n_cells = rounds.indexed(run, *given, n_free, n_cells, next_slice)
            closes, next_slice = n_free < n_before, visits_per_slice
            report(n_samples - n_free, n_samples)
            if n_free >= until and shell_is_old(run, n_free):
                entries = first if len(next_equal) else first[records.free[first]]
                centre = centre_of(total, lost, n_free, codes)
                shell = make_outer_shell(X, entries, next_equal, centre, codes)
                run = run._replace(shell=shell, sort_at=n_free - n_free // 16)
            if use_tree and index == "auto" and part is None:
                visits, searches = records.visits - before
                pays = searches == 0 or tree_pays(visits, searches, n_free)
        use_tree = use_tree and pays
        X, rows = X[records.free], rows[records.free]
    return labels, rows, n_cells


def place_rest(X: np.ndarray, k: int, codes: Codes, cells: Cells) -> np.ndarray:
    """Labels of all: the rest is a cell, or joins the nearest ones if it is small."""
    labels, rows, n_cells = cells
    if len(rows) >= k:
        labels[rows] = n_cells
    elif len(rows) > 0:
        join_nearest_cell(X, rows, labels, n_cells, codes)
    return labels


def step_of_parts(X: np.ndarray, codes: Codes) -> float:
    """A power of two wider than the table, or 1 for records that are all alike."""
    widths = np.ptp(X[:, : codes.n_measured], axis=0)
    reach = np.sqrt(np.sum(widths**2) + codes.units.sum())
    return 2.0 ** (np.ceil(np.log2(reach)) + 1) if reach > 0 else 1.0
