"""Large cells, split by another part on their own records."""

import numpy as np

from microcell._progress import listen, report
from microcell.base import BasePartitioner


def split_large_cells(
    X: np.ndarray, labels: np.ndarray, part: BasePartitioner
) -> np.ndarray:
    """Labels after a part has split each cell of 2k or more, which then come last."""
    sizes = np.bincount(labels)
    pieces, n_pieces = pieces_of_cells(X, labels, 2 * part.k - 1, part)
    order = np.argsort(sizes >= 2 * part.k, kind="stable")
    first = np.empty_like(sizes)
    first[order] = np.cumsum(n_pieces[order]) - n_pieces[order]
    return first[labels] + pieces


def pieces_of_cells(
    X: np.ndarray,
    labels: np.ndarray,
    most: int,
    part: BasePartitioner,
    step: str = "grouping records",
) -> tuple[np.ndarray, np.ndarray]:
    """Split cells of more than `most` records by a part.

    Returns
    -------
    pieces : ndarray of shape (n_samples,)
        Piece of its cell that each record is in, from 0.
    n_pieces : ndarray of shape (n_cells,)
    """
    sizes = np.bincount(labels)
    rows, ends = np.argsort(labels, kind="stable"), np.cumsum(sizes)
    pieces, n_pieces = np.zeros(len(X), dtype=np.int64), np.ones_like(sizes)
    for label in np.flatnonzero(sizes > most):
        members = rows[ends[label] - sizes[label] : ends[label]]
        with listen(None):
            pieces[members] = part.fit_predict(X[members])
        n_pieces[label] = part.n_cells_
        report(int(ends[label]), len(X), step)
    return pieces, n_pieces
