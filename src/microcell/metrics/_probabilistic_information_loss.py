"""Probabilistic information loss (PIL): moves of statistics in their own errors."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf

from microcell._centre import centred
from microcell._validation import check_same_shape
from microcell.metrics._correlations import (
    SAME_STATISTIC,
    correlations,
    covariances,
    unit_variance,
)

QUANTILES = np.arange(1, 10) / 10


@dataclass(frozen=True)
class ProbabilisticInformationLoss:
    """Five families of statistics and how surely each differs; between 0 and 1.

    Attributes
    ----------
    quantiles, means, variances, covariances, correlations : float
        Mean over the statistics of a family.
    """

    quantiles: float
    means: float
    variances: float
    covariances: float
    correlations: float

    @property
    def loss(self) -> Any:
        """Mean of the five families."""
        return sum(astuple(self)) / 5


def probabilistic_information_loss(
    X_original: ArrayLike, X_released: ArrayLike
) -> ProbabilisticInformationLoss:
    """How far statistics move, measured by the error of estimating them (PIL) [1]_.

    A statistic of the original table is known up to a sampling error. Its loss is the
    chance that a standard normal error is smaller than the move from original to
    release: 0 for no move, 0.68 for one standard error, never more than 1. A move of a
    statistic that has no sampling error, such as the mean of a constant, counts 1.

    The quantiles are the nine deciles, as observed values (the smallest value with at
    least that share of records at or below it), and the density at each is that of a
    histogram with Sturges' number of bins. Covariances and correlations are those of
    two different columns; a single column has none, and they count 0.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.

    Returns
    -------
    loss : ProbabilisticInformationLoss
        Its `loss` is the mean of the five families.

    References
    ----------
    .. [1] Mateo-Sanz, Domingo-Ferrer and Sebé (2005). Probabilistic information loss
       measures in confidentiality protection of continuous microdata. Data Min.
       Knowl. Discov. 11, 181-193.

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> X_released = [[2.0], [2.0], [2.0], [5.0], [5.0], [5.0], [7.5], [7.5]]
    >>> probabilistic_information_loss(X, X_released)
    ProbabilisticInformationLoss(quantiles=0.458..., means=0.0, variances=0.271...,
                                 covariances=0.0, correlations=0.0)
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    n = X_original.shape[0]
    Z, Z_released = centred(X_original), centred(X_released)
    moved = np.mean(X_released - X_original, axis=0)
    covariance, covariance_released = covariances(Z), covariances(Z_released)
    variance, variance_released = np.diag(covariance), np.diag(covariance_released)
    scales = np.sqrt(np.outer(variance, variance))
    fourth = np.mean(Z**4, axis=0)
    apart = np.triu_indices_from(covariance, k=1)
    pair_errors = (covariances(Z**2) - covariance**2) / n
    return ProbabilisticInformationLoss(
        quantiles=quantile_loss(X_original, X_released),
        means=mean_certainty(moved, variance / n, np.abs(X_original).mean(axis=0)),
        variances=mean_certainty(
            variance_released - variance, (fourth - variance**2) / n, variance
        ),
        covariances=mean_certainty(
            (covariance_released - covariance)[apart], pair_errors[apart], scales[apart]
        ),
        correlations=mean_certainty(
            (correlations(Z_released) - correlations(Z))[apart],
            correlation_errors(Z)[apart],
            1.0,
        ),
    )


def mean_certainty(
    moves: np.ndarray, squared_errors: np.ndarray, scales: float | np.ndarray
) -> float:
    """Mean chance that a standard normal error is smaller than a move."""
    moves = np.where(np.abs(moves) > SAME_STATISTIC * scales, np.abs(moves), 0.0)
    errors = np.sqrt(np.maximum(squared_errors, 0.0))
    in_errors = np.divide(
        moves, errors, out=np.where(moves > 0, np.inf, 0.0), where=errors > 0
    )
    return float(erf(in_errors / np.sqrt(2)).mean()) if in_errors.size else 0.0


def quantile_loss(X_original: np.ndarray, X_released: np.ndarray) -> float:
    """Mean certainty of the moves of the deciles, over columns."""
    n, n_features = X_original.shape
    errors = np.zeros((QUANTILES.size, n_features))
    old = np.quantile(X_original, QUANTILES, axis=0, method="inverted_cdf")
    new = np.quantile(X_released, QUANTILES, axis=0, method="inverted_cdf")
    n_bins = 1 + int(np.ceil(np.log2(n)))
    for j in np.flatnonzero(np.ptp(X_original, axis=0) > 0):
        density = histogram_density(X_original[:, j], old[:, j], n_bins)
        errors[:, j] = QUANTILES * (1 - QUANTILES) / (n * density**2)
    return mean_certainty(new - old, errors, np.abs(X_original).mean(axis=0))


def histogram_density(
    column: np.ndarray, points: np.ndarray, n_bins: int
) -> np.ndarray:
    """Density of a column at some of its values, from bins of equal width."""
    least, width = column.min(), np.ptp(column) / n_bins
    bins = np.clip((column - least) / width, 0, n_bins - 1).astype(np.int64)
    counts = np.bincount(bins, minlength=n_bins)
    at = np.clip((points - least) / width, 0, n_bins - 1).astype(np.int64)
    return counts[at] / (column.size * width)


def correlation_errors(Z: np.ndarray) -> np.ndarray:
    """Squared sampling errors of the correlations of centred columns.

    With columns u, v of unit variance the large-sample formula in the moments of
    both is the mean square of u v - r (u^2 + v^2) / 2, so it is never negative.
    """
    unit = unit_variance(Z)
    r = correlations(Z)
    errors = np.empty(r.shape)
    for j in range(r.shape[0]):
        u = unit[:, j : j + 1]
        errors[j] = np.mean((u * unit - r[j] * (u**2 + unit**2) / 2) ** 2, axis=0)
    return errors / Z.shape[0]
