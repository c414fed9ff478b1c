"""Two ways to the same cells of V-MDAV: plain scans, and an index of the free records.

Both return (labels, rows, n_cells): labels are -1 for the few `rows` that are left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microcell._progress import report
from microcell.kernels.codes import (
    centre_of,
    distances_to_centre,
    no_codes,
    sum_of_records,
)
from microcell.kernels.free_records import (
    REBUILD_FROM,
    index_lasts_to,
    index_records,
    tree_pays,
)
from microcell.kernels.outer_shell import chain_equal_records
from microcell.kernels.records import VISITS_PER_SLICE
from microcell.partition._vmdav_fast_kernel import (
    VISITS_OF_VMDAV_ROUND,
    IndexedRun,
    indexed_vmdav_rounds,
)
from microcell.partition._vmdav_kernel import PlainRun, vmdav_rounds

if TYPE_CHECKING:
    from microcell.kernels.codes import Codes


def outermost_first(X: np.ndarray, codes: Codes) -> tuple[np.ndarray, np.ndarray]:
    """Records by decreasing distance to the centre of all, and the centre."""
    middle = centre_of(*sum_of_records(X, codes), X.shape[0], codes)
    from_middle = distances_to_centre(X, middle, codes)
    return np.argsort(-from_middle, kind="stable"), middle


def plain_cells(
    X: np.ndarray,
    k: int,
    gamma: float,
    visits_per_slice: int = VISITS_PER_SLICE,
    codes: Codes | None = None,
) -> tuple[np.ndarray, np.ndarray, int]:
    """Cells by scans of all free records: O(n^2) distances."""
    codes = no_codes(X.shape[1]) if codes is None else codes
    n_samples = X.shape[0]
    order, _ = outermost_first(X, codes)
    rows, labels = np.arange(n_samples), np.full(n_samples, -1, dtype=np.int64)
    run = PlainRun(X.copy(), rows, order, labels, k, float(gamma), codes)
    n_free, n_cells, turn = n_samples, 0, 0
    while n_free >= k:
        n_free, n_cells, turn = vmdav_rounds(
            run, n_free, n_cells, turn, visits_per_slice
        )
        report(n_samples - n_free, n_samples)
    return labels, rows[:n_free], n_cells


def indexed_cells(
    X: np.ndarray,
    k: int,
    gamma: float,
    visits_per_slice: int = VISITS_PER_SLICE,
    codes: Codes | None = None,
    *,
    index: str = "auto",
    rebuild_from: int = REBUILD_FROM,
) -> tuple[np.ndarray, np.ndarray, int]:
    """Cells by an index of the free records; parameters as for MDAV."""
    codes = no_codes(X.shape[1]) if codes is None else codes
    n_samples = n_free = X.shape[0]
    order, centre = outermost_first(X, codes)
    rows, labels = np.arange(n_samples), np.full(n_samples, -1, dtype=np.int64)
    place = np.empty(n_samples, dtype=np.int32)
    at_best = tree_pays(VISITS_OF_VMDAV_ROUND, 1, n_free)
    use_tree = index == "tree" or (index == "auto" and at_best)
    n_cells, turn, next_slice = 0, 0, min(visits_per_slice, 20 * n_samples)
    while n_free >= k:
        place[rows] = np.arange(n_free, dtype=np.int32)
        equals = chain_equal_records(X) if use_tree else None
        records = index_records(X, centre, codes, use_tree=use_tree, equals=equals)
        stop_at = index_lasts_to(n_free, use_tree, rebuild_from)
        run = IndexedRun(records, rows, place, order, labels, k, float(gamma), stop_at)
        pays = True
        while n_free >= max(k, stop_at) and pays:
            before = records.visits.copy()
            n_free, n_cells, turn = indexed_vmdav_rounds(
                run, n_free, n_cells, turn, next_slice
            )
            report(n_samples - n_free, n_samples)
            next_slice = visits_per_slice
            if use_tree and index == "auto":
                visits, searches = records.visits - before
                pays = tree_pays(visits, searches, n_free)
        use_tree = use_tree and pays
        X, rows = X[records.free], rows[records.free]
    return labels, rows, n_cells
