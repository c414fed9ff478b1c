"""The SSE of records that come one after the other, so that nothing cancels.

A record at squared distance g from the centroid of m others adds g m / (m + 1). All
terms are positive, and equal records have an SSE of exactly 0.
"""

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.records import squared_distance


@njit(cache=True, nogil=True)
def add_to_middle(middle, size, record):
    """Move the centroid of `size` records to that of one more; return what SSE gains.

    The centroid of none is to be 0.
    """
    gain = squared_distance(record, middle) * (size / (size + 1))
    for j in range(middle.shape[0]):
        middle[j] += (record[j] - middle[j]) / (size + 1)
    return gain


@njit(cache=True, nogil=True)
def sse_of(X, rows, codes):
    """SSE of some rows in their order; of codes it is 1 / m of all mismatches.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    rows : ndarray of int
    codes : Codes
        Which columns hold codes.
    """
    n_measured, size = codes.n_measured, rows.shape[0]
    middle, sse = np.zeros(n_measured), 0.0
    for i in range(size):
        sse += add_to_middle(middle, i, X[rows[i], :n_measured])
    for column in range(codes.units.shape[0]):
        n_alike, run = 0, 0
        values = np.sort(X[rows, n_measured + column])
        for i in range(1, size):
            run = run + 1 if values[i] == values[i - 1] else 0
            n_alike += run
        n_pairs = size * (size - 1) // 2
        sse += codes.units[column] * ((n_pairs - n_alike) / size)
    return sse
