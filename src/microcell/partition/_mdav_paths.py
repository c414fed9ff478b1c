"""Two ways to the same cells of MDAV: plain scans, and an index of the free records.

Both return (labels, rows, n_cells): labels are -1 for the few `rows` that no full round
is left for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microcell._progress import report
from microcell.kernels.codes import centre_of, no_codes, sum_of_records
from microcell.kernels.free_records import (
    REBUILD_FROM,
    index_lasts_to,
    index_records,
    tree_pays,
)
from microcell.kernels.outer_shell import (
    BATCH,
    chain_equal_records,
    make_outer_shell,
    top_is_large,
)
from microcell.kernels.records import VISITS_PER_SLICE
from microcell.partition._mdav_fast_kernel import (
    VISITS_OF_MDAV_ROUND,
    IndexedRun,
    indexed_mdav_rounds,
)
from microcell.partition._mdav_kernel import PlainRun, mdav_rounds

if TYPE_CHECKING:
    from microcell.kernels.codes import Codes


def plain_cells(
    X: np.ndarray,
    k: int,
    pairs_from: int,
    visits_per_slice: int = VISITS_PER_SLICE,
    codes: Codes | None = None,
) -> tuple[np.ndarray, np.ndarray, int]:
    """Cells by scans of all free records: about 3 n^2 / (4 k) distances."""
    codes = no_codes(X.shape[1]) if codes is None else codes
    n_samples = X.shape[0]
    rows, labels = np.arange(n_samples), np.full(n_samples, -1, dtype=np.int64)
    run = PlainRun(  # type: ignore[call-arg]
        X.copy(), rows, *sum_of_records(X, codes), codes, labels, k, pairs_from
    )
    n_free, n_cells = n_samples, 0
    while n_free >= 2 * k:
        n_free, n_cells = mdav_rounds(run, n_free, n_cells, visits_per_slice)
        report(n_samples - n_free, n_samples)
    return labels, rows[:n_free], n_cells


def plain_mdav_labels(X: np.ndarray, k: int, codes: Codes | None = None) -> np.ndarray:
    """Labels of the plain algorithm, to compare with."""
    labels, rows, n_cells = plain_cells(X, k, 3 * k, codes=codes)
    labels[rows] = n_cells
    return labels


def indexed_cells(
    X: np.ndarray,
    k: int,
    pairs_from: int,
    visits_per_slice: int = VISITS_PER_SLICE,
    codes: Codes | None = None,
    *,
    index: str = "auto",
    batch: int = BATCH,
    rebuild_from: int = REBUILD_FROM,
) -> tuple[np.ndarray, np.ndarray, int]:
    """Cells by an index of the free records.

    Parameters
    ----------
    visits_per_slice : int
        How many records to look at between two reports.
    codes : Codes, optional
        Which columns hold codes; none by default.
    index : {"auto", "tree", "table"}
        "auto" starts with a tree, counts what its queries look at, and goes over to
        a table to scan once that is cheaper.
    batch : int
        Records that the shell's top takes in at a time.
    rebuild_from : int
        A smaller index is not made again.
    """
    codes = no_codes(X.shape[1]) if codes is None else codes
    n_samples = n_free = X.shape[0]
    rows, labels = np.arange(n_samples), np.full(n_samples, -1, dtype=np.int64)
    total, lost = sum_of_records(X, codes)
    use_tree = index == "tree" or (index == "auto" and pays_at_best(n_free))
    n_cells, distinct, next_slice = 0, False, min(visits_per_slice, 20 * n_samples)
    while n_free >= 2 * k:
        centre = centre_of(total, lost, n_free, codes)
        first, next_equal = np.arange(n_free, dtype=np.int32), np.empty(0, np.int32)
        if not distinct:
            first, next_equal = chain_equal_records(X)
            distinct = len(next_equal) == 0
        equals = first, next_equal
        records = index_records(X, centre, codes, use_tree=use_tree, equals=equals)
        shell = make_outer_shell(X, first, next_equal, centre, codes)
        run = IndexedRun(
            records,
            shell,
            batch,
            rows,
            total,
            lost,
            codes,
            labels,
            k,
            pairs_from,
            stop_at=index_lasts_to(n_free, use_tree, rebuild_from),
            sort_at=n_free - n_free // 16,
        )
        pays = True
        while n_free >= max(2 * k, run.stop_at) and pays:
            before = records.visits.copy()
            n_free, n_cells = indexed_mdav_rounds(run, n_free, n_cells, next_slice)
            report(n_samples - n_free, n_samples)
            next_slice = visits_per_slice
            if n_free < run.sort_at and top_is_large(run.shell, batch, n_free):
                entries = first if len(next_equal) else first[records.free[first]]
                centre = centre_of(total, lost, n_free, codes)
                shell = make_outer_shell(X, entries, next_equal, centre, codes)
                run = run._replace(shell=shell, sort_at=n_free - n_free // 16)
            if use_tree and index == "auto":
                visits, searches = records.visits - before
                pays = tree_pays(visits, searches, n_free)
        use_tree = use_tree and pays
        X, rows = X[records.free], rows[records.free]
    return labels, rows, n_cells


def pays_at_best(n_free: int) -> bool:
    """Whether a tree could beat scans if its two searches cost nothing."""
    return tree_pays(VISITS_OF_MDAV_ROUND, 2, n_free)
