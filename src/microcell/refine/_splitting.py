"""Cells of 2k records or more, made smaller: no split raises the SSE."""

import numpy as np

from microcell.kernels.codes import Codes
from microcell.partition import MDAV, split_large_cells


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
    part = MDAV(k)
    if codes.units.size:
        part.mark_codes(np.arange(codes.n_measured, X.shape[1]), codes.units)
    return split_large_cells(X, labels, part)
