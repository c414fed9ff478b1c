"""Information loss in five components: values, means, (co)variances, correlations."""

from dataclasses import astuple, dataclass

import numpy as np
from scipy.special import erf

from microcell._validation import check_choice, check_same_shape

ROUNDING = 1e-13  # a share of its scale; a smaller change of a statistic is no change
QUANTILES = np.arange(1, 10) / 10


@dataclass(frozen=True)
class InformationLoss:
    """Five components of information loss, as shares; 0 is best.

    Attributes
    ----------
    il1 : float
        Mean relative change of a value.
    il2, il3, il4 : float
        Mean relative change of the means, of the covariances (variances among them)
        and of the variances.
    il5 : float
        Mean absolute change of the correlations.
    """

    il1: float
    il2: float
    il3: float
    il4: float
    il5: float

    @property
    def loss(self):
        """Mean of the five."""
        return sum(astuple(self)) / 5


def information_loss(X_original, X_released, *, il1="relative", zero="skip"):
    """Mean change of values, means, covariances, variances and correlations [1]_.

    Best is 0. Components are shares, not percentages, and have no upper bound except
    `il5`: a value near 0 that changes a little changes much in proportion. Changes
    below rounding error count as none. A statistic that is 0 counts 0 if it stays 0
    and is left out of its mean otherwise (see `zero`); a component with no statistic
    left is 1, and one that never had any, as `il5` of one column, is 0. The
    correlation with a constant column is 0.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    il1 : {"relative", "capped", "scaled"}, default="relative"
        Change of a value: as a share of the value; the same, at most 1; or as a share
        of sqrt(2) standard deviations of its column [2]_.
    zero : {"skip", "cap"}, default="skip"
        Whether what was 0 and changed is left out or counts 1.

    Returns
    -------
    loss : InformationLoss
        Its `loss` is the mean of the components.

    References
    ----------
    .. [1] Domingo-Ferrer and Torra (2001). Disclosure control methods and information
       loss for microdata. In Confidentiality, Disclosure and Data Access, 91-110.
    .. [2] Mateo-Sanz, Sebé and Domingo-Ferrer (2004). Outlier protection in
       continuous microdata masking. LNCS 3050, 201-215.

    Examples
    --------
    >>> X = [[1.0, 10.0], [3.0, 30.0], [4.0, 20.0], [8.0, 60.0]]
    >>> X_released = [[2.0, 20.0], [2.0, 20.0], [6.0, 40.0], [6.0, 40.0]]
    >>> information_loss(X, X_released)
    InformationLoss(il1=0.59375, il2=0.0, il3=0.551..., il4=0.549..., il5=0.0565...)
    >>> information_loss(X, X_released).loss
    0.350...
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    check_choice("il1", il1, ("relative", "capped", "scaled"))
    check_choice("zero", zero, ("skip", "cap"))
    mean, mean_released = X_original.mean(axis=0), X_released.mean(axis=0)
    Z, Z_released = centred(X_original), centred(X_released)
    covariance, covariance_released = covariances(Z), covariances(Z_released)
    scales = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    upper = np.triu_indices_from(covariance)
    apart = np.triu_indices_from(covariance, k=1)
    diagonal = np.diag_indices_from(covariance)
    correlation_change = np.abs(correlations(Z) - correlations(Z_released))[apart]
    return InformationLoss(
        il1=value_loss(X_original, X_released, il1, zero),
        il2=mean_change(mean, mean_released, np.abs(X_original).mean(axis=0), zero),
        il3=mean_change(
            covariance[upper], covariance_released[upper], scales[upper], zero
        ),
        il4=mean_change(
            covariance[diagonal], covariance_released[diagonal], scales[diagonal], zero
        ),
        il5=float(correlation_change.mean()) if correlation_change.size else 0.0,
    )


def value_loss(X_original, X_released, il1, zero):
    """Mean change of a value, in the unit that `il1` names."""
    unit = np.abs(X_original)
    if il1 == "scaled":
        deviations = np.sqrt(2 * np.diag(covariances(centred(X_original), ddof=1)))
        unit = np.broadcast_to(deviations, X_original.shape)
    most = 1.0 if il1 == "capped" else np.inf
    return mean_ratio(np.abs(X_original - X_released), unit, zero, most)


def mean_change(old, new, scales, zero):
    """Mean relative change of statistics whose rounding errors go with `scales`."""
    change, unit = np.abs(new - old), np.abs(old)
    change = np.where(change > ROUNDING * scales, change, 0.0)
    return mean_ratio(change, np.where(unit > ROUNDING * scales, unit, 0.0), zero)


def mean_ratio(change, unit, zero, most=np.inf):
    """Mean of change / unit; no change counts 0, a change of what was 0 as `zero`."""
    lost = (unit == 0) & (change > 0)
    ratios = np.divide(change, unit, out=np.zeros(change.shape), where=unit > 0)
    total = np.minimum(ratios, most).sum()
    if zero == "cap":
        return float((total + lost.sum()) / max(change.size, 1))
    n_left = change.size - lost.sum()
    return float(total / n_left) if n_left else float(change.size > 0)


def centred(X):
    """Columns less their means; a constant column is exactly 0."""
    Z = X - X.mean(axis=0)
    Z -= Z.mean(axis=0)  # what rounding left, with values far from 0
    return np.where(np.ptp(X, axis=0) > 0, Z, 0.0)


def covariances(Z, ddof=0):
    """Covariance matrix of centred columns; 0 for a single record."""
    return Z.T @ Z / max(Z.shape[0] - ddof, 1)


def correlations(Z):
    """Correlation matrix of centred columns, 0 with a constant one."""
    unit = unit_variance(Z)
    return np.clip(covariances(unit), -1, 1)


def unit_variance(Z):
    """Centred columns divided by their standard deviations; a constant one stays 0."""
    deviations = np.sqrt(np.mean(Z**2, axis=0))
    return np.divide(Z, deviations, out=np.zeros(Z.shape), where=deviations > 0)


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
    def loss(self):
        """Mean of the five families."""
        return sum(astuple(self)) / 5


def probabilistic_information_loss(X_original, X_released):
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


def mean_certainty(moves, squared_errors, scales):
    """Mean chance that a standard normal error is smaller than a move."""
    moves = np.where(np.abs(moves) > ROUNDING * scales, np.abs(moves), 0.0)
    errors = np.sqrt(np.maximum(squared_errors, 0.0))
    in_errors = np.divide(
        moves, errors, out=np.where(moves > 0, np.inf, 0.0), where=errors > 0
    )
    return float(erf(in_errors / np.sqrt(2)).mean()) if in_errors.size else 0.0


def quantile_loss(X_original, X_released):
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


def histogram_density(column, points, n_bins):
    """Density of a column at some of its values, from bins of equal width."""
    least, width = column.min(), np.ptp(column) / n_bins
    bins = np.clip((column - least) / width, 0, n_bins - 1).astype(np.int64)
    counts = np.bincount(bins, minlength=n_bins)
    at = np.clip((points - least) / width, 0, n_bins - 1).astype(np.int64)
    return counts[at] / (column.size * width)


def correlation_errors(Z):
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
