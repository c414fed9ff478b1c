"""Some released records looked up among the originals of their shard.

The same as `distance_linkage_risk` of these records; without an index, which is worth
its price for many.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from microcell.metrics import MIN_RELATIVE_DISTANCE, SAME_DISTANCE

ORIGINALS_AT_ONCE = 1 << 18


def found_among(
    Z: np.ndarray,
    Z_released: np.ndarray,
    rows: np.ndarray,
    coded: Sequence[int] = (),
    units: Sequence[float] = (),
) -> float:
    """How many of some released records are found by their nearest original.

    Parameters
    ----------
    Z, Z_released : ndarray of shape (n_records, n_columns)
        Originals and what was released of them, on the scale of distances. Fast if the
        first column is in ascending order.
    rows : ndarray of int
        The records that are looked up.
    coded, units : sequence
        Columns that hold codes, and what a mismatch counts.

    Returns
    -------
    found : float
        A record that shares the least distance with t - 1 others is found with a
        probability of 1 / t.

    Examples
    --------
    >>> Z = np.array([[0.0], [2.0], [10.0], [13.0], [14.0]])
    >>> Z_released = np.array([[1.0], [1.0], [12.0], [12.0], [12.0]])
    >>> found_among(Z, Z_released, np.arange(5))
    2.0
    """
    first = Z[:, 0]
    is_sorted = 0 not in coded and bool((first[1:] >= first[:-1]).all())
    found = 0.0
    for row in rows:
        query = Z_released[row]
        own = float(_squared(Z[row : row + 1], query, coded, units)[0])
        slack = SAME_DISTANCE * own + MIN_RELATIVE_DISTANCE
        low, high = 0, len(Z)
        if is_sorted:  # what is farther in one column is farther
            reach = np.sqrt(own + slack)
            low = int(np.searchsorted(first, query[0] - reach, "left"))
            high = int(np.searchsorted(first, query[0] + reach, "right"))
            low, high = min(low, row), max(high, row + 1)
        nearer, tied = 0, 0
        for start in range(low, high, ORIGINALS_AT_ONCE):
            part = Z[start : min(start + ORIGINALS_AT_ONCE, high)]
            squares = _squared(part, query, coded, units)
            nearer += int(np.sum(squares < own - slack))
            tied += int(np.sum(np.abs(squares - own) <= slack))
            if nearer:
                break
        found += 0.0 if nearer else 1 / tied
    return found


def _squared(
    part: np.ndarray, query: np.ndarray, coded: Sequence[int], units: Sequence[float]
) -> np.ndarray:
    total = np.zeros(len(part))
    unit_of = dict(zip(coded, units, strict=True))
    for j in range(part.shape[1]):
        if j in unit_of:
            total += unit_of[j] * (part[:, j] != query[j])
        else:
            total += (part[:, j] - query[j]) ** 2
    return total
