"""Marketer risk: the share of records that an intruder who links all of them finds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from microcell._validation import check_weights
from microcell.exceptions import InputError, Option
from microcell.metrics._homogeneity import cells_of
from microcell.metrics._population_classes import population_classes
from microcell.metrics._table_columns import is_labels


@dataclass(frozen=True)
class MarketerRisk:
    """Share of records that are re-identified if all are linked at once.

    Attributes
    ----------
    expected : float
        Mean share of right links.
    low, high : float
        Where the share lies in 95 of 100 such attempts; the intruder's luck is all
        that varies.
    unmatched : float
        Share of records whose class matched fewer people of the population than it has
        records, and which count as if the population were their class.
    """

    expected: float
    low: float
    high: float
    unmatched: float = 0.0


def marketer_risk(
    labels_or_released: ArrayLike,
    *,
    population: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> MarketerRisk:
    """Expected share of records re-identified by linking all of them [1]_.

    Each record of a class of f is linked to one of the F people of the population whose
    values match it, each person once. A record is right with a chance of 1 / F, so the
    expected share is 1/n sum_classes f / F: the mean of the journalist risk over
    records, and without a population, F = f, number of classes / number of records.
    The right links of a class have the variance
    f/F + f (f - 1) / (F (F - 1)) - (f/F)^2, from which the interval follows by the
    normal approximation.

    Parameters
    ----------
    labels_or_released : array-like or dataframe
        Equivalence class of each record as an integer, or the released
        quasi-identifiers, as in `homogeneity`; with a population the latter.
    population : array-like, dataframe or path, optional
        A table with the same columns; what matches is said in `microcell.privacy`.
    weights : array-like of shape (n_samples,), optional
        How many people each record stands for, if there is no population table: their
        sum in a class estimates F.

    Returns
    -------
    risk : MarketerRisk

    References
    ----------
    .. [1] Dankar and El Emam (2010). A method for evaluating marketer re-identification
       risk. EDBT/ICDT Workshops, 28.

    Examples
    --------
    >>> marketer_risk([0, 0, 1, 1, 1])
    MarketerRisk(expected=0.4, low=0.0, high=0.954..., unmatched=0.0)
    >>> marketer_risk([[1], [2]], population=[[1], [1], [2], [2]]).expected
    0.5
    """
    unmatched = 0.0
    if population is not None and weights is not None:
        raise InputError(
            "The people behind a class come from a population or from weights, not "
            "from both.",
            option="weights",
            hint=["Leave out ", Option("weights"), " or ", Option("population"), "."],
        )
    if population is not None:
        if is_labels(labels_or_released):
            raise InputError(
                "A population is matched by released values, and labels have none.",
                option="population",
                hint="Give the released quasi-identifiers.",
            )
        sizes, people, unmatched = population_classes(labels_or_released, population)
    else:
        classes = cells_of(labels_or_released)
        sizes = people = np.bincount(classes)
        if weights is not None:
            weights = check_weights(weights, classes.size)
            people = np.maximum(sizes, np.bincount(classes, weights=weights))
    expected = sizes / people
    both = np.where(sizes > 1, sizes - 1, 0) / np.maximum(people - 1, 1)
    variance = np.maximum(expected + expected * both - expected**2, 0)
    n_samples = sizes.sum()
    mean = expected.sum() / n_samples
    reach = ndtri(0.975) * np.sqrt(variance.sum()) / n_samples
    ends = np.clip([mean, mean - reach, mean + reach], 0, 1)
    risk, low, high = map(float, ends)
    return MarketerRisk(risk, low, high, unmatched)
