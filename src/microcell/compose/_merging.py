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
FEW_CELLS = 16  # to look from without an index


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
    n_measured, n_cells = codes.n_measured, int(labels.max()) + 1
    holds = judge.holds(labels)
    middles = cell_means(X[:, :n_measured], labels)
    counts = code_counts(X[:, n_measured:], labels, int(codes.starts[-1]))
    while not holds.all():
        failing = np.flatnonzero(~holds)
        report(n_cells - failing.size, n_cells, "merging cells")
        sizes = np.bincount(labels)
        nearest, distances = nearest_cells(middles, counts, sizes, failing, codes)
        order = np.argsort(distances, kind="stable")
        into = join_in_order(failing[order], nearest[order], holds)
        kept, new = np.unique(into, return_inverse=True)
        labels = new[labels]
        # Only cells that took others in are looked at again.
        grown = np.bincount(new) > 1
        rows = np.flatnonzero(grown[labels])
        place = (np.cumsum(grown) - 1)[labels[rows]]
        middles, holds = middles[kept], holds[kept]
        middles[grown] = cell_means(X[rows, :n_measured], place)
        holds[grown] = judge.holds(place, rows)
        if codes.units.size:
            ones = np.ones(new.size)
            joined = csr_array((ones, (new, np.arange(new.size))))
            counts = joined @ counts
            counts.sort_indices()
    return labels


def nearest_cells(middles, counts, sizes, cells, codes):
    """The cell of the nearest centroid for each of some cells, and how far it is.

    A column of codes adds unit / 2 times the sum of squared differences of shares, as
    if each code were a coordinate of its own; only codes that a cell has are kept.
    """
    nearest = np.empty(len(cells), dtype=np.int64)
    distances = np.empty(len(cells))
    if codes.units.size == 0:
        if len(cells) > FEW_CELLS:
            return nearest_others(middles, cells)
        for place, cell in enumerate(cells):
            gaps = np.zeros(len(middles))
            for column in middles.T:
                gaps += (column - column[cell]) ** 2
            gaps[cell] = np.inf
            nearest[place] = np.argmin(gaps)
            distances[place] = gaps[nearest[place]]
        return nearest, distances
    shares = counts.data / np.repeat(sizes, np.diff(counts.indptr))
    halves = np.repeat(codes.units / 2, np.diff(codes.starts))

    def search(some):
        nearest_coded_cells(
            middles,
            counts.indptr,
            counts.indices,
            shares,
            halves,
            cells[some],
            nearest[some],
            distances[some],
        )

    in_slices(search, len(cells), CELLS_AT_ONCE)
    return nearest, distances


def code_counts(coded, labels, n_codes):
    """Records of each code in each cell, as a sparse matrix with codes in order."""
    rows = np.repeat(labels, coded.shape[1])
    columns = coded.astype(np.int64).ravel()
    shape = (int(labels.max()) + 1, n_codes)
    counts = csr_array((np.ones(rows.size), (rows, columns)), shape=shape)
    counts.sum_duplicates()
    return counts
