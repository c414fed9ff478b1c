"""Sampling weights of an aggregator: how many people each record stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microcell.exceptions import ParameterError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def check_weights(weights: ArrayLike, n_samples: int) -> np.ndarray:
    """Weights as floats; they must be positive, one for each record.

    Examples
    --------
    >>> check_weights([1, 2], 2)
    array([1., 2.])
    """
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (n_samples,):
        raise ParameterError(
            "weights",
            f"must hold one for each of the {n_samples} records. "
            f"Got shape {weights.shape} instead.",
        )
    if not (np.isfinite(weights) & (weights > 0)).all():
        raise ParameterError("weights", "must be positive and finite.")
    return weights


def rows_of_weights(weights: ArrayLike | None, rows: np.ndarray) -> np.ndarray | None:
    """Weights of some of the records, or None."""
    return None if weights is None else np.asarray(weights)[rows]
