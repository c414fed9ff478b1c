"""Covariances and correlations of centred columns; constant ones are harmless."""

from __future__ import annotations

import numpy as np

SAME_STATISTIC = 1e-13  # a share of its scale: statistics that differ by less are one


def covariances(Z: np.ndarray, ddof: int = 0) -> np.ndarray:
    """Covariance matrix of centred columns; 0 for a single record."""
    return Z.T @ Z / max(Z.shape[0] - ddof, 1)


def correlations(Z: np.ndarray) -> np.ndarray:
    """Correlation matrix of centred columns, 0 with a constant one."""
    unit = unit_variance(Z)
    return np.clip(covariances(unit), -1, 1)


def unit_variance(Z: np.ndarray) -> np.ndarray:
    """Centred columns divided by their standard deviations; a constant one stays 0."""
    deviations = np.sqrt(np.mean(Z**2, axis=0))
    return np.divide(Z, deviations, out=np.zeros(Z.shape), where=deviations > 0)
