"""Journalist risk: the chance of finding a person in the population behind a sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from microcell._validation import check_weights
from microcell.metrics._population_classes import population_classes


@dataclass(frozen=True)
class JournalistRisk:
    """Chance that an intruder who does not know who was sampled finds a person.

    Attributes
    ----------
    journalist_max : float
        For the record at the highest risk.
    journalist_average : float
        Mean over all records.
    """

    journalist_max: float
    journalist_average: float


def journalist_risk(classes: ArrayLike, weights: ArrayLike) -> JournalistRisk:
    """Population risk of a weighted sample, from its equivalence classes [1]_.

    An intruder picks a person of the population whose quasi-identifiers are those of a
    class. The sum of the weights of a class estimates how many such people there are
    [2]_, so a record is found with the chance of 1 in that many, and never more than 1.
    With weights of 1 it is the prosecutor risk.

    Parameters
    ----------
    classes : array-like of shape (n_samples,)
        Equivalence class of each record, 0 to n_classes - 1.
    weights : array-like of shape (n_samples,)
        How many people each record stands for.

    Returns
    -------
    risk : JournalistRisk

    References
    ----------
    .. [1] El Emam and Dankar (2008). Protecting privacy using k-anonymity. J. Am. Med.
       Inform. Assoc. 15, 627-637.
    .. [2] Templ, Kowarik and Meindl (2015). Statistical disclosure control for
       micro-data using the R package sdcMicro. J. Stat. Softw. 67(4).

    Examples
    --------
    >>> journalist_risk([0, 0, 1, 1], [10, 30, 2, 3])
    JournalistRisk(journalist_max=0.2, journalist_average=0.1125)
    """
    classes = np.asarray(classes)
    if classes.ndim != 1 or classes.size == 0:
        raise ValueError(
            "classes must have one entry for each record. Got shape "
            f"{classes.shape} instead."
        )
    weights = check_weights(weights, classes.size)
    codes = np.unique(classes, return_inverse=True)[1]
    risks = np.minimum(1 / np.bincount(codes, weights=weights), 1)[codes]
    return JournalistRisk(float(risks.max()), float(risks.mean()))


def population_journalist_risk(
    released: ArrayLike, population: ArrayLike
) -> JournalistRisk:
    """Population risk of a release, counted on a table of the population [1]_.

    A record is found with a chance of 1 in as many as there are people in the
    population who match its class; see `population_classes` of classes that nobody
    matches.

    Parameters
    ----------
    released : array-like or dataframe of shape (n_samples, n_columns)
        Released quasi-identifiers.
    population : array-like, dataframe or path
        A table with the same columns; what matches is said in `microcell.privacy`.

    Returns
    -------
    risk : JournalistRisk

    References
    ----------
    .. [1] El Emam and Dankar (2008). Protecting privacy using k-anonymity. J. Am. Med.
       Inform. Assoc. 15, 627-637.

    Examples
    --------
    >>> population_journalist_risk([[1], [1], [2]], [[1], [1], [1], [1], [2], [2]])
    JournalistRisk(journalist_max=0.5, journalist_average=0.333...)
    """
    sizes, people, _ = population_classes(released, population)
    risks = 1 / people
    return JournalistRisk(float(risks.max()), float(np.average(risks, weights=sizes)))
