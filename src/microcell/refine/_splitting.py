"""Cells of 2k records or more, made smaller: no split raises the SSE."""

from __future__ import annotations

import numpy as np

from microcell.kernels.codes import Codes
from microcell.partition import MDAV


def split_large(X: np.ndarray, codes: Codes, labels: np.ndarray, k: int) -> np.ndarray:
    """The same cells, but those of 2k records or more divided by MDAV.

    Examples
    --------
    >>> from microcell.kernels.codes import no_codes
    >>> X = np.array([[0.0], [9.0], [1.0], [8.0], [5.0]])
    >>> split_large(X, no_codes(1), np.zeros(5, dtype=np.int64), k=2)
    array([0, 1, 0, 1, 1])
    """
    labels = np.unique(labels, return_inverse=True)[1]
    sizes = np.bincount(labels)
    large = np.flatnonzero(sizes >= 2 * k)
    if large.size == 0:
        return labels
    coded = list(range(codes.n_measured, X.shape[1])) or None
    units = codes.units if coded else None
    part = MDAV(k, categorical_features=coded, mismatch_units=units)
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(sizes)
    n_cells = len(sizes)
    for cell in large:
        rows = order[ends[cell] - sizes[cell] : ends[cell]]
        labels[rows] = n_cells + part.fit(X[rows]).labels_
        n_cells += part.n_cells_
    return np.unique(labels, return_inverse=True)[1]
