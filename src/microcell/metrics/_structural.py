"""Structure: how near each released column is to its original, as a distribution."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from microcell._validation import check_choice, check_same_shape


def structural_score(
    X_original: ArrayLike, X_released: ArrayLike, *, normalise: str = "range"
) -> float:
    """1 - mean over columns of the normalised Wasserstein-1 distance [1]_.

    The distance is that of the two distributions of a column, whichever record has
    which value: a column whose values change places scores 1. Best is 1.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    normalise : {"range", "across_columns"}, default="range"
        What brings distances to a common unit. "range": that of the original column,
        so a release inside the ranges scores between 0 and 1 and releases of one table
        compare; one far outside scores below 0. "across_columns": the least distance
        of all columns becomes 0 and the greatest 1, as the paper seems to do. The
        score then says how unequal the columns fare, not how well, and depends on
        their units: only to reproduce the paper.

    Returns
    -------
    score : float
        A column that was constant has no range: it counts 1 if it stayed as it was and
        else 0. Across columns whose distances are all the same it is 1.

    References
    ----------
    .. [1] Zouinina, Bennani, Rogovschi and Lyhyaoui (2020). A two-levels data
       anonymization approach. AIAI, 85-95.

    Examples
    --------
    >>> X = [[0.0, 5.0], [2.0, 5.0], [10.0, 5.0], [12.0, 5.0]]
    >>> X_released = [[1.0, 5.0], [1.0, 5.0], [11.0, 5.0], [11.0, 5.0]]
    >>> structural_score(X, X_released)  # 1 of a range of 12, in one of two columns
    0.958...
    >>> structural_score(X, X_released, normalise="across_columns")
    0.5
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    check_choice("normalise", normalise, ("range", "across_columns"))
    lost = lost_of_range if normalise == "range" else lost_across_columns
    return float(1 - np.mean(lost(X_original, X_released)))


def lost_of_range(X_original: np.ndarray, X_released: np.ndarray) -> list[float]:
    """Distance of each column as a share of its range."""
    from scipy.stats import wasserstein_distance

    shares = []
    for old, new in zip(X_original.T, X_released.T, strict=True):
        _, exponent = np.frexp(max(np.abs(old).max(), np.abs(new).max()))
        old, new = np.ldexp(old, -exponent), np.ldexp(new, -exponent)  # no overflow
        distance, width = wasserstein_distance(old, new), np.ptp(old)
        shares.append(distance / width if width > 0 else float(distance > 0))
    return shares


def lost_across_columns(X_original: np.ndarray, X_released: np.ndarray) -> np.ndarray:
    """Distance of each column between the least and the greatest of all columns."""
    from scipy.stats import wasserstein_distance

    distances = np.array([*map(wasserstein_distance, X_original.T, X_released.T)])
    width = np.ptp(distances)
    return (distances - distances.min()) / (width if width > 0 else 1.0)
