"""Sampling weights of an aggregator: how many people each record stands for."""

from __future__ import annotations

from typing import Any

import numpy as np

from microcell.exceptions import ParameterError


def check_weights(weights: Any, n_samples: int) -> Any:
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


def rows_of_weights(weights: Any, rows: np.ndarray) -> Any:
    """Weights of some of the records, or None."""
    return None if weights is None else np.asarray(weights)[rows]
