"""Separability and structure in one number."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from microcell._validation import check_at_least
from microcell.metrics._separability import separability_score
from microcell.metrics._structural import structural_score


def combined_utility_score(
    X_original: ArrayLike,
    X_released: ArrayLike,
    y: ArrayLike,
    *,
    alpha: float = 0.5,
    tested_on: str = "original",
    normalise: str = "range",
    n_folds: int = 10,
    random_state: Any = 0,
) -> float:
    """alpha separability + (1 - alpha) structure [1]_.

    Best is 1. The paper's is ``tested_on="released"``; the first part then grows with
    the homogeneity of cells, see `separability_score`.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    y : array-like of shape (n_samples,)
        Classes, numbers or text.
    alpha : float, default=0.5
        Weight of separability, between 0 and 1.
    tested_on, n_folds, random_state
        As in `separability_score`.
    normalise
        As in `structural_score`.

    References
    ----------
    .. [1] Zouinina, Bennani, Rogovschi and Lyhyaoui (2020). A two-levels data
       anonymization approach. AIAI, 85-95.

    Examples
    --------
    >>> X = [[float(i)] for i in range(12)]
    >>> X_released = [[1.0]] * 3 + [[4.0]] * 3 + [[7.0]] * 3 + [[10.0]] * 3
    >>> y = ["low"] * 6 + ["high"] * 6
    >>> combined_utility_score(X, X_released, y, n_folds=3)
    0.969...
    >>> combined_utility_score(X, X_released, y, n_folds=3, alpha=1)
    1.0
    """
    separability = separability_score(
        X_original,
        X_released,
        y,
        tested_on=tested_on,
        n_folds=n_folds,
        random_state=random_state,
    )
    structural = structural_score(X_original, X_released, normalise=normalise)
    return weighted_utility(separability, structural, alpha)


def weighted_utility(
    separability: float, structural: float, alpha: float = 0.5
) -> float:
    """The same of two scores that are known.

    Examples
    --------
    >>> weighted_utility(0.944, 0.5, alpha=0.5)
    0.722
    """
    alpha = check_at_least("alpha", alpha, 0, most=1)
    return alpha * separability + (1 - alpha) * structural
