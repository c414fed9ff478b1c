"""Interval disclosure (ID): how closely a released value pins down the original."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from microcell._validation import check_at_least, check_choice, check_same_shape

SAME_RANK = 1e-9  # of a rank: 3.0000000000000004 ranks are 3


def interval_disclosure_risk(
    X_original: ArrayLike,
    X_released: ArrayLike,
    *,
    kind: str = "rank",
    percents: Iterable[float] = range(1, 11),
) -> float:
    """Share of original values inside a narrow interval around the released ones.

    Best is 0; a table released as it is gives 1. With "rank" [1]_ the interval around
    a released value holds the released values of its column whose ranks are at most
    p % of n away from its own (its middle rank if it is tied), so it runs from the
    lowest to the highest of these. With "sd" it is the value plus or minus p % of the
    released column's standard deviation. An end of the interval belongs to it.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    kind : {"rank", "sd"}, default="rank"
        What the width of the interval is a percentage of.
    percents : iterable of float, default=1, 2, ..., 10
        Values of p; the risk is the mean over them.

    Returns
    -------
    risk : float
        Between 0 and 1, the mean over values and percentages.

    References
    ----------
    .. [1] Domingo-Ferrer and Torra (2001). A quantitative comparison of disclosure
       control methods for microdata. In Confidentiality, Disclosure and Data Access,
       111-133.

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [8.0], [9.0], [11.0]]
    >>> X_released = [[2.0], [2.0], [2.0], [9.5], [9.5], [9.5]]
    >>> interval_disclosure_risk(X, X_released)
    0.166...
    >>> interval_disclosure_risk(X, X_released, kind="sd", percents=[10, 20])
    0.25
    """
    return float(
        column_disclosure(X_original, X_released, kind=kind, percents=percents).mean()
    )


def column_disclosure(
    X_original: Any,
    X_released: Any,
    *,
    kind: str = "rank",
    percents: Any = range(1, 11),
) -> np.ndarray:
    """Interval disclosure risk of each column, shape (n_features,)."""
    X_original, X_released = check_same_shape(X_original, X_released)
    disclosed = {"rank": disclosed_by_rank, "sd": disclosed_by_deviation}
    check_choice("kind", kind, tuple(disclosed))
    percents = [check_at_least("percents", p, 0) for p in percents]
    if not percents:
        raise ValueError("The 'percents' parameter must hold at least one number.")
    shares = [
        disclosed[kind](X_original[:, j], X_released[:, j], percents)
        for j in range(X_original.shape[1])
    ]
    return np.array(shares)


def disclosed_by_rank(
    original: np.ndarray, released: np.ndarray, percents: Sequence[float]
) -> float:
    """Share of a column's values inside the rank intervals."""
    from scipy.stats import rankdata

    n = released.size
    ordered, ranks = np.sort(released), rankdata(released)
    total = 0
    for p in percents:
        reach = p * n / 100 + SAME_RANK
        lowest = np.clip(np.ceil(ranks - reach), 1, n).astype(np.int64)
        highest = np.clip(np.floor(ranks + reach), 1, n).astype(np.int64)
        inside = (ordered[lowest - 1] <= original) & (original <= ordered[highest - 1])
        total += int(np.count_nonzero(inside))
    return total / (n * len(percents))


def disclosed_by_deviation(
    original: np.ndarray, released: np.ndarray, percents: Sequence[float]
) -> float:
    """Share of a column's values within p % of the standard deviation."""
    changes = np.abs(original - released)
    is_constant = released.min() == released.max()
    deviation = 0.0 if is_constant else released.std(ddof=1)
    return float(np.mean([np.mean(changes <= p / 100 * deviation) for p in percents]))
