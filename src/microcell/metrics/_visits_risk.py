"""Risk of visits: who knows all records of a person finds those in all its classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_consistent_length

from microcell.privacy import found_in_all


@dataclass(frozen=True, eq=False)
class VisitsRisk:
    """How many people an intruder is left with who knows all records of a person.

    Attributes
    ----------
    candidates : ndarray of int of shape (n_people,)
        Of each person, in the order of sorted names, the people who have a record in
        each class that holds one of its records, itself included.
    """

    candidates: np.ndarray

    @property
    def least(self) -> int:
        """The fewest."""
        return int(self.candidates.min())

    @property
    def mean(self) -> float:
        """The mean over people."""
        return float(self.candidates.mean())

    @property
    def highest(self) -> float:
        """Chance to pick the right one of the fewest."""
        return 1 / self.least

    def share_below(self, k: int) -> float:
        """Share of people with fewer than k."""
        return float(np.mean(self.candidates < k))


def visits_risk(classes: ArrayLike, people: ArrayLike) -> VisitsRisk:
    """Candidates for each person, if an intruder knows all of its records.

    Each record looks like its class. Who knows that a person has records in several
    classes looks for the people who have one in each. Several records in one class are
    one: how many a candidate has there is not compared, since a release does not say
    which records are one person's. Of people with one class these are all people of
    the class. Memory is bounded: people of the same classes are one, and the others of
    their smallest class are looked up in the rest of their classes.

    Parameters
    ----------
    classes : array-like of shape (n_samples,)
        Equivalence class of each released record.
    people : array-like of shape (n_samples,)
        Whose record it is.

    Returns
    -------
    risk : VisitsRisk

    Examples
    --------
    >>> risk = visits_risk([0, 0, 0, 1, 1, 1], ["a", "b", "c", "a", "d", "e"])
    >>> risk.candidates, risk.least, risk.share_below(3)
    (array([1, 3, 3, 3, 3]), 1, 0.2)
    """
    check_consistent_length(classes, people)
    numbers = _numbered(people)
    return VisitsRisk(found_in_all(numbers, _numbered(classes), numbers))


def visits_values(
    classes: ArrayLike, people: ArrayLike, values: ArrayLike
) -> np.ndarray | None:
    """How many confidential values all classes of each person share.

    Where everybody has one value, as of a blood group, a person's is among those that
    occur in each class of its records: one alone is known.

    Parameters
    ----------
    classes, people, values : array-like of shape (n_samples,)
        Equivalence class of each released record, whose it is, and its value.

    Returns
    -------
    n_values : ndarray of int of shape (n_people,) or None
        In the order of sorted names; None where somebody has several values.

    Examples
    --------
    >>> visits_values([0, 0, 1, 1], ["a", "b", "a", "c"], ["O", "A", "O", "B"])
    array([1, 2, 2])
    """
    check_consistent_length(classes, people, values)
    numbers, codes = _numbered(people), _numbered(values)
    n_pairs = np.unique(numbers * (codes.max() + 1) + codes).size
    if n_pairs > numbers.max() + 1:
        return None
    return found_in_all(numbers, _numbered(classes), codes)


def _numbered(names: ArrayLike) -> np.ndarray:
    return np.unique(np.asarray(names), return_inverse=True)[1].ravel()
