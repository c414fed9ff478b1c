"""How strongly the columns of a table go together, whatever their kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from microcell._centre import centred_and_small
from microcell.exceptions import InputError

MAX_PAIRS_PER_RECORD = (
    4  # pairs of categories per record up to which they are counted in one array
)


def association_matrix(X: ArrayLike, *, nominal: Sequence[int] = ()) -> np.ndarray:
    """Strength of association between every two columns of a mixed table.

    Between columns of numbers it is Pearson's correlation, between columns of codes
    Cramér's V [1]_, and between a column of codes and one of numbers the correlation
    ratio [2]_, the root of the share of variance that lies between categories. Records
    that miss one of the two values are left out of the pair. Where a column does not
    vary there is nothing to go with, and the association is 0; each column goes with
    itself by 1.

    O(n d^2) time, O(n d) memory.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Numbers, ranks and codes; NaN is missing.
    nominal : sequence of int, optional
        Columns that hold codes without an order.

    Returns
    -------
    associations : ndarray of shape (n_features, n_features)
        Symmetric; from -1 to 1 between numbers, from 0 to 1 with codes.

    References
    ----------
    .. [1] Cramér (1946). Mathematical Methods of Statistics. Princeton.
    .. [2] Pearson (1905). On the general theory of skew correlation and non-linear
       regression. Drapers' Company Research Memoirs.

    Examples
    --------
    >>> X = [[1.0, 0], [2.0, 0], [3.0, 1], [4.0, 1]]
    >>> association_matrix(X, nominal=[1]).round(3)
    array([[1.   , 0.894],
           [0.894, 1.   ]])
    """
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or 0 in X.shape:
        raise InputError(
            f"X must have records and columns. Got shape {X.shape} instead."
        )
    if np.isinf(X).any():
        raise InputError("X contains infinity.")
    coded = {int(j) for j in nominal}
    if not coded <= set(range(X.shape[1])):
        raise InputError(
            f"X has {X.shape[1]} columns, and {sorted(coded)} are to hold codes.",
            option="nominal",
        )
    columns = [
        _codes_of(X[:, j]) if j in coded else _small(X[:, j]) for j in range(X.shape[1])
    ]
    found = np.eye(X.shape[1])
    for i in range(X.shape[1]):
        for j in range(i):
            found[i, j] = found[j, i] = _association(
                columns[i], columns[j], i in coded, j in coded
            )
    return found


def _codes_of(column: np.ndarray) -> np.ndarray:
    """Codes from 0; -1 where there is none."""
    there = ~np.isnan(column)
    codes = np.full(column.size, -1, dtype=np.int64)
    codes[there] = np.unique(column[there], return_inverse=True)[1]
    return codes


def _small(column: np.ndarray) -> np.ndarray:
    """Numbers of a size whose squares can be added; NaN stays."""
    there = ~np.isnan(column)
    small = np.full(column.size, np.nan)
    if there.any():
        small[there] = centred_and_small(column[there, None])[0][:, 0]
    return small


def _association(a: np.ndarray, b: np.ndarray, a_coded: bool, b_coded: bool) -> float:
    there = a >= 0 if a_coded else ~np.isnan(a)
    there &= b >= 0 if b_coded else ~np.isnan(b)
    if not there.all():
        a, b = a[there], b[there]
    if a.size == 0:
        return 0.0
    if a_coded and b_coded:
        return cramers_v(a, b)
    if not a_coded and not b_coded:
        return correlation(a, b)
    return correlation_ratio(a, b) if a_coded else correlation_ratio(b, a)


def correlation(a: Any, b: Any) -> float:
    """Pearson's correlation of numbers; 0 if one of them does not vary."""
    if a.min() == a.max() or b.min() == b.max():
        return 0.0
    a, b = a - a.mean(), b - b.mean()
    scale = np.sqrt(np.sum(a * a)) * np.sqrt(np.sum(b * b))
    if scale == 0:
        return 0.0
    return float(np.clip(np.sum(a * b) / scale, -1, 1))


def correlation_ratio(codes: np.ndarray, numbers: np.ndarray) -> float:
    """Root of the share of the numbers' variance that lies between codes."""
    if numbers.min() == numbers.max():
        return 0.0
    sizes = np.bincount(codes)
    numbers = numbers - numbers.mean()
    total = np.sum(numbers * numbers)
    if total == 0:
        return 0.0
    sums = np.bincount(codes, weights=numbers)
    between = np.sum(sums**2 / np.maximum(sizes, 1))
    return float(np.sqrt(np.clip(between / total, 0, 1)))


def cramers_v(a: Any, b: Any) -> float:
    """Cramér's V of two columns of codes from 0; 0 if one of them does not vary."""
    sizes_a, sizes_b = np.bincount(a), np.bincount(b)
    least = min(np.count_nonzero(sizes_a), np.count_nonzero(sizes_b))
    if least < 2:
        return 0.0
    joint = a * sizes_b.size + b
    if sizes_a.size * sizes_b.size <= MAX_PAIRS_PER_RECORD * a.size:
        counts = np.bincount(joint)
        pairs = np.flatnonzero(counts)
        counts = counts[pairs]
    else:
        pairs, counts = np.unique(joint, return_counts=True)
    of_a, of_b = np.divmod(pairs, sizes_b.size)
    squares = np.sum((counts / sizes_a[of_a]) * (counts / sizes_b[of_b]))
    return float(np.sqrt(np.clip((squares - 1) / (least - 1), 0, 1)))
