"""Risk of households: that one of their members is found gives all of them away."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_consistent_length


@dataclass(frozen=True)
class HouseholdRisk:
    """Chance that an intruder who looks for all members of a household finds one.

    Attributes
    ----------
    highest : float
        For the household at the highest risk.
    average : float
        Mean over all households.
    """

    highest: float
    average: float


def household_risk(classes: ArrayLike, households: ArrayLike) -> HouseholdRisk:
    """Risk that at least one record of a household is re-identified [1]_.

    A record in a class of f is found with a chance of 1 / f; those of a household are
    taken for independent, so that its risk is 1 - prod(1 - 1 / f). Where all records
    of a household are in one class, and k counts households, it is at most about
    1 / k, however large the household is.

    Parameters
    ----------
    classes : array-like of shape (n_samples,)
        Equivalence class of each released record.
    households : array-like of shape (n_samples,)
        Whose record it is.

    Returns
    -------
    risk : HouseholdRisk

    References
    ----------
    .. [1] Hundepool et al. (2012). Statistical Disclosure Control. Wiley, section
       3.3.4, hierarchical risk.

    Examples
    --------
    >>> household_risk([0, 0, 1, 1, 1, 1], ["a", "b", "a", "b", "c", "c"])
    HouseholdRisk(highest=0.625, average=0.562...)
    """
    check_consistent_length(classes, households)
    classes = np.unique(np.asarray(classes), return_inverse=True)[1].ravel()
    numbers = np.unique(np.asarray(households), return_inverse=True)[1].ravel()
    sizes = np.bincount(classes)
    with np.errstate(divide="ignore"):  # a record alone in its class is found
        unfound = np.log1p(-1 / sizes[classes])
    risks = -np.expm1(np.bincount(numbers, weights=unfound))
    return HouseholdRisk(highest=float(risks.max()), average=float(risks.mean()))
