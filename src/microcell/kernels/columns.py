"""Ranges and sums of columns in one pass over a table, as numpy counts them.

numpy adds the records of a table one after the other, each to the sums of its columns;
so do these loops, and every bit of a sum is the same. A table that lies otherwise in
memory, or has a single column, is left to numpy, which adds those in another order.
"""

import numpy as np

from microcell.kernels.compiled import njit

SAME_WIDTH = 1 - 1e-9  # of the widest: rounding stays below it, and units do not count


def by_records(X):
    """Whether numpy adds this table record by record."""
    return X.ndim == 2 and X.shape[1] > 1 and X.size > 0 and _plain(X)


def _plain(X):
    return X.dtype == np.float64 and X.flags.c_contiguous and X.flags.aligned


def load_kernels():
    """Call a kernel: the first of a process waits until numba is ready for it."""
    ranges_of(np.zeros((1, 2)))


def column_ranges(X):
    """Least and greatest value of each column; NaN where one is NaN.

    Examples
    --------
    >>> column_ranges(np.array([[1.0, 5.0], [3.0, 4.0]]))
    (array([1., 4.]), array([3., 5.]))
    """
    return ranges_of(X) if by_records(X) else (X.min(axis=0), X.max(axis=0))


def column_means(X, near=None, rest=None):
    """Mean of each column, or of its differences from `near`, and those less `rest`.

    Examples
    --------
    >>> X = np.array([[1.0, 5.0], [3.0, 4.0]])
    >>> column_means(X), column_means(X, np.array([1.0, 1.0]))
    (array([2. , 4.5]), array([1. , 3.5]))
    """
    if by_records(X):
        nothing = np.zeros(X.shape[1])
        if near is None:  # x - 0.0 is x, to its sign
            return sums_about(X, nothing, nothing) / X.shape[0]
        return sums_about(X, near, nothing if rest is None else rest) / X.shape[0]
    about = X if near is None else X - near
    return (about if rest is None else about - rest).mean(axis=0)


def mean_squares(X, near, rest):
    """Mean square of each column about `near`, and what is left of it about `rest`.

    Examples
    --------
    >>> mean_squares(np.array([[1.0, 5.0], [3.0, 4.0]]), 1.0 * np.ones(2), np.ones(2))
    array([1. , 6.5])
    """
    if by_records(X):
        return squares_about(X, near, rest) / X.shape[0]
    return np.mean(((X - near) - rest) ** 2, axis=0)


@njit(cache=True, nogil=True)
def widest(widths):
    """The widest column; the first of those that are as wide but for one in 10^9.

    Examples
    --------
    >>> widest(np.array([0.1, 0.3, 0.1 + 0.2]))
    1
    """
    best = np.argmax(widths)
    enough = widths[best] * SAME_WIDTH
    for column in range(best):
        if widths[column] >= enough:
            return column
    return best


@njit(cache=True, nogil=True)
def ranges_of(X):
    """Least and greatest value of each column."""
    low, high = X[0].copy(), X[0].copy()
    for i in range(1, X.shape[0]):
        for j in range(X.shape[1]):
            value = X[i, j]
            if value < low[j] or value != value:
                low[j] = value
            if value > high[j] or value != value:
                high[j] = value
    return low, high


@njit(cache=True, nogil=True)
def sums_about(X, near, rest):
    """Sum of (value - near) - rest in each column."""
    total = (X[0] - near) - rest
    for i in range(1, X.shape[0]):
        for j in range(X.shape[1]):
            total[j] += (X[i, j] - near[j]) - rest[j]
    return total


@njit(cache=True, nogil=True)
def squares_about(X, near, rest):
    """Sum of the squares of (value - near) - rest in each column."""
    first = (X[0] - near) - rest
    total = first * first
    for i in range(1, X.shape[0]):
        for j in range(X.shape[1]):
            apart = (X[i, j] - near[j]) - rest[j]
            total[j] += apart * apart
    return total
