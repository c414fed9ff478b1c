"""Cells that are too small join others, nearest first."""

import numpy as np

from microcell._centre import in_range
from microcell._progress import report
from microcell.aggregate import cell_means
from microcell.kernels.joining import join_in_turn
from microcell.kernels.nearest_others import nearest_others


def merge_small_cells(X: np.ndarray, labels: np.ndarray, k: int) -> np.ndarray:
    """Merge cells until each has at least k records.

    In rounds: each cell below k looks for the cell of the nearest centroid, the earlier
    on ties, and they are joined in the order of those distances. A cell that took part
    in the round waits for the next, but one that had k records before takes in all
    that come. A round costs one search for nearest neighbours among the centroids; as
    a rule half of the small cells are gone after each.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        At least k records.
    labels : ndarray of shape (n_samples,)
        Cell of each record, 0 to n_cells - 1.
    k : int

    Returns
    -------
    cell_of : ndarray of shape (n_cells,)
        The cell that each of the old cells is in now.

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [0.5], [7.0], [7.1], [9.0]])
    >>> merge_small_cells(X, np.array([0, 0, 1, 2, 2, 3]), k=2)
    array([0, 0, 1, 1])
    """
    X = in_range(X)
    n_cells = int(labels.max()) + 1
    cell_of = np.arange(n_cells)
    while True:
        merged = cell_of[labels]
        sizes = np.bincount(merged)
        small = np.flatnonzero(sizes < k)
        if small.size == 0:
            return cell_of
        report(n_cells - small.size, n_cells, "merging small cells")
        nearest, distances = nearest_others(cell_means(X, merged), small)
        order = np.argsort(distances, kind="stable")
        each = np.arange(small.size + 1)  # the nearest is all that is asked for
        into = join_in_turn(small, order, each, nearest, sizes, sizes >= k, 0.0)
        cell_of = np.unique(into[cell_of], return_inverse=True)[1]
