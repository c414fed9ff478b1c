"""Columns about their mean, however far from zero and however small they are.

A mean is rounded to the digits of the values: of values near 2e13 it is off by up to
0.002, which is much if they differ by 0.01. So it is kept in two parts, and factors of
two, which are exact, keep squares from overflow and underflow.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from microcell.kernels.columns import column_means, column_ranges

MAX_RANGE_EXPONENT = 400  # of a range whose square, times many columns, is out of range


def mean_in_two_parts(X: Any) -> tuple[np.ndarray, np.ndarray]:
    """Mean of each column as `near` + `rest`, with far more digits than one number.

    Examples
    --------
    >>> mean_in_two_parts(np.array([[2.0**53 - 1], [2.0**53]]))
    (array([9.00719925e+15]), array([-0.5]))
    """
    with np.errstate(over="ignore"):  # of a sum; the mean lies between the ends
        near = np.clip(column_means(X), *column_ranges(X))
    return near, column_means(X, near)


def times_power_of_two(
    X: np.ndarray, exponent: int | np.ndarray, out: Any = None
) -> np.ndarray:
    """X times 2^exponent, exactly, or rounded once where it leaves the range.

    There is one exponent for all columns, or one for each.

    A product with a power of two rounds as `numpy.ldexp` does, and is quicker.

    Examples
    --------
    >>> times_power_of_two(np.array([3.0, 5e-324]), -1)
    array([1.5, 0. ])
    """
    if np.max(np.abs(exponent)) > MAX_RANGE_EXPONENT:
        return np.ldexp(X, exponent, out=out)
    return np.multiply(X, np.ldexp(1.0, exponent), out=out)


def centred(X: np.ndarray) -> np.ndarray:
    """Columns about their mean, each value right to the digits that it has.

    Examples
    --------
    >>> centred(np.array([[2.0**53 - 1], [2.0**53]])).ravel()
    array([-0.5,  0.5])
    """
    near, rest = mean_in_two_parts(X)
    about = X - near
    about -= rest
    return about


def exponents_of_ranges(X: np.ndarray) -> np.ndarray:
    """The least e of each column with a range below 2^e; 0 for a constant column.

    Examples
    --------
    >>> exponents_of_ranges(np.array([[5.0, 1.0, -1e308], [5.0, 4.0, 1e308]]))
    array([   0,    2, 1025])
    """
    low, high = column_ranges(X)
    with np.errstate(over="ignore"):
        ranges = high - low
    exponents = np.frexp(ranges)[1].astype(np.int64)
    return np.where(np.isinf(ranges), 1025, exponents)


def centred_and_small(X: Any) -> tuple[NDArray[Any], int]:
    """Columns about their mean, times a power of two that keeps squares in range.

    Returns
    -------
    centred : ndarray of shape (n_samples, n_features)
        The widest column has a range between 1/2 and 1; constant columns are 0.
    exponent : int
        The columns of X about their mean are `centred` times 2^exponent.

    Examples
    --------
    >>> centred_and_small(np.array([[1e200, 7.0], [3e200, 7.0]]))[0].round(3)
    array([[-0.327,  0.   ],
           [ 0.327,  0.   ]])
    """
    low, high = column_ranges(X)
    varies = high > low
    if not varies.any():
        return np.zeros_like(X), 0
    exponent = int(exponents_of_ranges(np.stack([low, high]))[varies].max())
    scaled = times_power_of_two(X if varies.all() else X[:, varies], -exponent)
    near, rest = mean_in_two_parts(scaled)
    scaled -= near
    scaled -= rest
    if varies.all():
        return scaled, exponent
    small = np.zeros_like(X)
    small[:, varies] = scaled
    return small, exponent


def in_range(X: np.ndarray) -> np.ndarray:
    """The same table times a power of two, where squares would over- or underflow.

    Examples
    --------
    >>> X = np.array([[1.0], [3.0]])
    >>> in_range(X) is X, bool(np.isfinite(in_range(1e300 * X) ** 2).all())
    (True, True)
    """
    exponent = int(np.max(exponents_of_ranges(X)))
    return np.ldexp(X, -exponent) if abs(exponent) > MAX_RANGE_EXPONENT else X
