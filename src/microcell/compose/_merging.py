"""Cells that break a promise join others, nearest first, until all keep it."""

import numpy as np
from scipy.sparse import csr_array

from microcell._centre import in_range
from microcell._progress import report
from microcell.aggregate._centroid import cell_means
from microcell.compose._nearest_cells_kernel import nearest_coded_cells
from microcell.kernels.nearest_others import nearest_others
from microcell.kernels.threads import in_slices
from microcell.partition._merging import join_in_order

CELLS_AT_ONCE = 64  # of a thread


def merge_until_kept(X, labels, judge, codes):
    """Merge cells until each keeps the promises of a judge.

    In rounds: each cell that fails looks for the cell of the nearest centroid, the
    earlier on ties, and they are joined in the order of those distances. A cell that
    took part in the round waits for the next, but one that keeps the promises takes in
    all that come.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Measured columns first, then codes.
    labels : ndarray of shape (n_samples,)
        Cell of each record, 0 to n_cells - 1.
    judge : Judge
        Whose promises hold for the table as one cell.
    codes : Codes
        Which columns hold codes.

    Returns
    -------
    labels : ndarray of shape (n_samples,)
    """
    X = X if codes.units.size else in_range(X)
    n_cells = int(labels.max()) + 1
    while True:
        holds = judge.holds(labels)
        failing = np.flatnonzero(~holds)
        if failing.size == 0:
            return labels
        report(n_cells - failing.size, n_cells, "merging cells")
        nearest, distances = nearest_cells(X, labels, failing, codes)
        order = np.argsort(distances, kind="stable")
        into = join_in_order(failing[order], nearest[order], holds)
        labels = np.unique(into, return_inverse=True)[1][labels]


def nearest_cells(X, labels, cells, codes):
    """The cell of the nearest centroid for each of some cells, and how far it is.

    A column of codes adds unit / 2 times the sum of squared differences of shares, as
    if each code were a coordinate of its own; only codes that a cell has are kept.
    """
    n_measured = codes.n_measured
    middles = cell_means(X[:, :n_measured], labels)
    if codes.units.size == 0:
        return nearest_others(middles, cells)
    shares = code_shares(X[:, n_measured:], labels, int(codes.starts[-1]))
    halves = np.repeat(codes.units / 2, np.diff(codes.starts))
    nearest = np.empty(len(cells), dtype=np.int64)
    distances = np.empty(len(cells))

    def search(some):
        nearest_coded_cells(
            middles,
            shares.indptr,
            shares.indices,
            shares.data,
            halves,
            cells[some],
            nearest[some],
            distances[some],
        )

    in_slices(search, len(cells), CELLS_AT_ONCE)
    return nearest, distances


def code_shares(coded, labels, n_codes):
    """Share of each code in each cell, as a sparse matrix with codes in order."""
    n_cells, n_columns = int(labels.max()) + 1, coded.shape[1]
    rows = np.repeat(labels, n_columns)
    columns = coded.astype(np.int64).ravel()
    counts = csr_array((np.ones(rows.size), (rows, columns)), shape=(n_cells, n_codes))
    counts.sum_duplicates()
    counts.data /= np.repeat(np.bincount(labels), np.diff(counts.indptr))
    return counts
