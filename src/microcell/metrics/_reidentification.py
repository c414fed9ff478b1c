"""Risk of re-identification that follows from equivalence classes alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from microcell.kernels.distinct import distinct_records


@dataclass(frozen=True)
class ReidentificationRisk:
    """Chance that an intruder who knows a person is in the table finds the record.

    Attributes
    ----------
    prosecutor_max : float
        For the person at the highest risk: 1 / size of the smallest class.
    prosecutor_average : float
        Mean over all records: number of classes / number of records.
    smallest_class : int
        Records in the smallest class, the k of the table.
    n_classes : int
        Number of equivalence classes.
    """

    prosecutor_max: float
    prosecutor_average: float
    smallest_class: int
    n_classes: int


def risk_of_class_sizes(sizes: Sequence[int] | np.ndarray) -> ReidentificationRisk:
    """Re-identification risk of a table whose equivalence classes have these sizes.

    Examples
    --------
    >>> risk_of_class_sizes([2, 4])
    ReidentificationRisk(prosecutor_max=0.5, prosecutor_average=0.333...,
                         smallest_class=2, n_classes=2)
    """
    sizes = np.asarray(sizes)
    if sizes.size == 0 or sizes.min() < 1:
        raise ValueError(
            "Class sizes must be positive, and there must be at least one."
        )
    return ReidentificationRisk(
        prosecutor_max=float(1 / sizes.min()),
        prosecutor_average=float(sizes.size / sizes.sum()),
        smallest_class=int(sizes.min()),
        n_classes=int(sizes.size),
    )


def reidentification_risk(X_released: ArrayLike) -> ReidentificationRisk:
    """Prosecutor risk of a released table, from its equivalence classes.

    Parameters
    ----------
    X_released : array-like of shape (n_samples, n_features)
        Released quasi-identifiers.

    Returns
    -------
    risk : ReidentificationRisk

    Examples
    --------
    >>> reidentification_risk([[1.0], [1.0], [5.0], [5.0], [5.0]]).prosecutor_max
    0.5
    """
    X_released = np.asarray(X_released, dtype=np.float64)
    if X_released.ndim != 2 or not np.isfinite(X_released).all():
        raise ValueError("X_released must be a table of finite numbers.")
    classes, _ = distinct_records(X_released)
    return risk_of_class_sizes(np.bincount(classes))
