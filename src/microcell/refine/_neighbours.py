"""The records near each record: few by a scan of all, many by the shared index.

A search needs records that are near, not those that are nearest. Where many are equally
far, as among codes, no index can tell them apart, so each search of it ends after so
many boxes: that bounds the work for each record, whatever the table.
"""

from functools import partial
from typing import Any

import numpy as np

from microcell._progress import report
from microcell.kernels.box_tree import make_box_tree
from microcell.kernels.codes import Codes
from microcell.kernels.compiled import njit
from microcell.kernels.nearest_others import QUERIES_AT_ONCE, fill_near
from microcell.kernels.records import record_distance, sift_down, sort_heap
from microcell.kernels.threads import in_slices

MAX_OPENED_BOXES = 300  # boxes of 16 for each record; all there are up to 4,000 records
QUERIES_BETWEEN_REPORTS = 16_384
MAX_SCANNED_RECORDS = (
    2_000  # records; it is as quick as the index then, which need not be compiled
)


def near_records(
    X: np.ndarray,
    codes: Codes,
    n_near: int,
    n_threads: int | None = None,
    *,
    rows: np.ndarray | None = None,
) -> np.ndarray:
    """The `n_near` other records nearest to each, nearest first, ties to the earlier.

    In a large table a search ends after `MAX_OPENED_BOXES` boxes with the nearest so
    far. If `rows` are given, only those near to them are looked for.

    Examples
    --------
    >>> from microcell.kernels.codes import no_codes
    >>> near_records(np.array([[0.0], [1.0], [5.0], [7.0]]), no_codes(1), 2)
    array([[1, 2],
           [0, 2],
           [3, 1],
           [2, 1]], dtype=int32)
    """
    n_near = min(n_near, X.shape[0] - 1)
    rows = np.arange(X.shape[0]) if rows is None else rows
    near = np.empty((len(rows), n_near), dtype=np.int32)
    tree = None
    if X.shape[0] > MAX_SCANNED_RECORDS:
        tree = make_box_tree(X, X[:, : codes.n_measured].mean(axis=0), codes)

    def search(of_part: np.ndarray, part: np.ndarray, some: Any) -> None:
        if tree is None:
            scan_near(X, codes, of_part[some], part[some])
        else:
            fill_near(tree, X, of_part[some], part[some], MAX_OPENED_BOXES)

    for begin in range(0, len(near), QUERIES_BETWEEN_REPORTS):
        part = near[begin : begin + QUERIES_BETWEEN_REPORTS]
        if len(part) < len(near):
            report(begin, len(near), "finding neighbours")
        of_part = rows[begin : begin + QUERIES_BETWEEN_REPORTS]
        in_slices(partial(search, of_part, part), len(part), QUERIES_AT_ONCE, n_threads)
    return near


def near_inside(
    near: np.ndarray, rows: np.ndarray, place: np.ndarray, region_of: np.ndarray
) -> Any:
    """Those of a region's records, as places in it; one outside is the record itself.

    Parameters
    ----------
    near : ndarray of shape (n_samples, n_near)
    rows : ndarray of int
        The records of the region.
    place, region_of : ndarray of shape (n_samples,)
        The region of each record, and its place in it.

    Examples
    --------
    >>> near = np.array([[1], [2], [0]])
    >>> place, region_of = np.array([0, 0, 1]), np.array([0, 1, 1])
    >>> near_inside(near, np.array([1, 2]), place, region_of).ravel()
    array([1, 1])
    """
    around = near[rows]
    own = np.arange(len(rows))[:, None]
    is_inside = region_of[around] == region_of[rows[:1]]
    return np.where(is_inside, place[around], own).astype(near.dtype)


@njit(cache=True, nogil=True)
def scan_near(X, codes, rows_of, near):
    """Look at all other records for each of some records."""
    n_near = near.shape[1]
    if n_near == 0:
        return
    distances, rows = np.empty(n_near), np.empty(n_near, dtype=np.int64)
    for at in range(near.shape[0]):
        i = rows_of[at]
        distances[:] = np.inf
        rows[:] = X.shape[0]
        for row in range(X.shape[0]):
            distance = record_distance(X[row], X[i], codes)
            if row != i and distance < distances[0]:  # on a tie the earlier one stays
                distances[0], rows[0] = distance, row
                sift_down(distances, rows, 0, n_near)
        sort_heap(distances, rows)
        near[at] = rows
