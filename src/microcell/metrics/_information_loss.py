"""Information loss in five components: values, means, (co)variances, correlations."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import ArrayLike

from microcell._centre import centred
from microcell._validation import check_choice, check_same_shape
from microcell.metrics._correlations import SAME_STATISTIC, correlations, covariances


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
    def loss(self) -> float:
        """Mean of the five."""
        return sum(astuple(self)) / 5


def information_loss(
    X_original: ArrayLike,
    X_released: ArrayLike,
    *,
    il1: str = "relative",
    zero: str = "skip",
) -> InformationLoss:
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


def value_loss(
    X_original: np.ndarray, X_released: np.ndarray, il1: str, zero: str
) -> float:
    """Mean change of a value, in the unit that `il1` names."""
    unit = np.abs(X_original)
    if il1 == "scaled":
        deviations = np.sqrt(2 * np.diag(covariances(centred(X_original), ddof=1)))
        unit = np.broadcast_to(deviations, X_original.shape)
    most = 1.0 if il1 == "capped" else np.inf
    return mean_ratio(np.abs(X_original - X_released), unit, zero, most)


def mean_change(
    old: np.ndarray, new: np.ndarray, scales: np.ndarray, zero: str
) -> float:
    """Mean relative change of statistics whose rounding errors go with `scales`."""
    change, unit = np.abs(new - old), np.abs(old)
    change = np.where(change > SAME_STATISTIC * scales, change, 0.0)
    return mean_ratio(change, np.where(unit > SAME_STATISTIC * scales, unit, 0.0), zero)


def mean_ratio(
    change: np.ndarray, unit: np.ndarray, zero: str, most: float = np.inf
) -> float:
    """Mean of change / unit; no change counts 0, a change of what was 0 as `zero`."""
    lost = (unit == 0) & (change > 0)
    ratios = np.divide(change, unit, out=np.zeros(change.shape), where=unit > 0)
    total = np.minimum(ratios, most).sum()
    if zero == "cap":
        return float((total + lost.sum()) / max(change.size, 1))
    n_left = change.size - lost.sum()
    return float(total / n_left) if n_left else float(change.size > 0)
