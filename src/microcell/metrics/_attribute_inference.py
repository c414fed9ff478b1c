"""Attribute inference: how well a confidential value is guessed from a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from microcell._validation import check_at_least
from microcell.exceptions import InputError, Option
from microcell.kernels.distinct import distinct_records
from microcell.metrics._guesses import GuessCategory, GuessNumber
from microcell.metrics._homogeneity import cells_of, values_and_codes
from microcell.metrics._success_rate import (
    AttackRisk,
    ExcessRisk,
    SuccessRate,
    excess_risk,
    success_rate,
)
from microcell.metrics._table_columns import code_columns, comparable_numbers, is_labels

LINKED_AT_ONCE = 4096


@dataclass(frozen=True)
class AttributeInferenceRisk(AttackRisk):
    """How often a confidential value is guessed, with and without the release.

    Attributes
    ----------
    attack : SuccessRate
        People of the release, guessed from the class that they are found in.
    baseline : SuccessRate
        The same people, all guessed alike from the distribution in the whole table.
    control : SuccessRate
        People who were not in the release, guessed from the class that they would be
        in: what a class tells of anybody, in the table or not.
    risk : ExcessRisk
        Of the attack beyond the baseline: what the release tells.
    risk_beyond_control : ExcessRisk
        Of the attack beyond the control: what it tells of those who are in it only.
    contributions : dict
        For each column what its being known adds to the success rate; empty where
        classes were given as labels.
    """

    control: SuccessRate
    risk_beyond_control: ExcessRisk


def attribute_inference_risk(
    labels_or_released: ArrayLike,
    y: ArrayLike,
    *,
    tolerance: Any = None,
    original: ArrayLike | None = None,
    control: Any = None,
    nominal: Sequence[int] | None = None,
) -> AttributeInferenceRisk:
    """How much better a confidential value is guessed with the release than without.

    The intruder finds the class of a person and guesses its most frequent value, ties
    at random, or of numbers the median, which is right within `tolerance`. This is
    compared with the same guess from the whole table, and, as [1]_ demand, with the
    same attack on people who are not in the release: that smokers fall ill is learnt
    from any release that is of use, and is no fault of having taken part. Rates have
    Wilson intervals, and a risk is (attack - other) / (1 - other).

    Without `control` each record is guessed from the other records of its class, and
    one that is alone from the rest of the table. That is harder than guessing a
    stranger's value, for a record's own is the one that is missing: the risk beyond
    control is then rather too high. Records set aside before the release are better.

    Without `original` the intruder always finds the right class. With it, people are
    linked to the released record nearest to what is known of them, one of several at
    the same distance.

    A column's contribution is the mean of what it adds first (known alone, against the
    baseline) and last (all known, against all others), with classes by equal released
    values. Rates are of these targets: intervals say how well they tell those of people
    like them. Time is O(n log n) for each of 2 n_columns + 1 sets of columns; linking
    takes a search in a tree for each record, and of the classes a coordinate for each
    category.

    Parameters
    ----------
    labels_or_released : array-like or dataframe
        Class of each record as an integer, shape (n_samples,), or the released
        quasi-identifiers, shape (n_samples, n_columns).
    y : array-like of shape (n_samples,)
        Confidential attribute, none missing.
    tolerance : float, optional
        If given, `y` holds numbers, and a guess is right if it is no farther off. By
        default values are categories.
    original : array-like or dataframe of shape (n_samples, n_columns), optional
        What is known of the people of the release. Scale arrays like the release first;
        dataframes as in `subset_linkage_risk`.
    control : tuple of records and values, optional
        People who were not in the release, and their values of `y`: their classes as
        labels if classes are given so, -1 for none; otherwise a table like `original`,
        which is then needed too.
    nominal : sequence of int, optional
        Columns of codes of arrays, for linking.

    Returns
    -------
    risk : AttributeInferenceRisk

    References
    ----------
    .. [1] Giomi, Boenisch, Wehmeyer and Tasnádi (2023). A unified framework for
       quantifying privacy risk in synthetic data. Proc. Priv. Enhanc. Technol. 2023(2),
       312-328.

    Examples
    --------
    >>> released = [[30, "f"], [30, "f"], [30, "f"], [40, "f"], [40, "f"], [40, "f"]]
    >>> found = attribute_inference_risk(released, list("aabbbb"))
    >>> found.attack.rate, found.baseline.rate, found.control.rate
    (0.833..., 0.666..., 0.666...)
    >>> found.risk.risk, found.most, found.contributions
    (0.5..., 0, {0: 0.166..., 1: 0.0})
    """
    by_label = is_labels(labels_or_released)
    classes = cells_of(labels_or_released)
    guesser: Any
    if tolerance is None:
        values, codes = values_and_codes(y, classes.size)
        guesser, known = GuessCategory(len(values)), codes
    else:
        known = _numbers(y, classes.size, "y")
        guesser = GuessNumber(check_at_least("tolerance", tolerance, 0))
        values = None
    guesses = guesser.learn(classes, known)
    own, strangers = classes, None  # classes in which people are looked for
    _check_linking(by_label, original, control, nominal)
    if original is not None:
        own, strangers = _link(labels_or_released, classes, original, control, nominal)
    if control is None:
        tried = guesser.without_own(classes, known)
        if original is not None:  # only those who are linked to their class lose it
            tried = np.where(own == classes, tried, guesser.tries(guesses, own, known))
    else:
        if strangers is None:
            strangers = _match_labels(labels_or_released, control[0])
        theirs = _values_like(control[1], strangers.size, values)
        tried = guesser.tries(guesses, strangers, theirs)
    hits = guesser.tries(guesses, own, known)
    plain = guesser.learn(np.zeros_like(classes), known)
    plain_hits = guesser.tries(plain, np.zeros_like(classes), known)
    attack, baseline, other = (
        success_rate(float(tries.sum()), tries.size)
        for tries in (hits, plain_hits, tried)
    )
    return AttributeInferenceRisk(
        attack=attack,
        baseline=baseline,
        control=other,
        risk=excess_risk(attack, baseline),
        risk_beyond_control=excess_risk(attack, other),
        contributions={}
        if by_label
        else _contributions(labels_or_released, known, guesser, baseline.rate),
    )


def _check_linking(by_label: bool, original: Any, control: Any, nominal: Any) -> None:
    """Refuse what cannot be linked by distance, and options that linking alone has."""
    if original is not None and by_label:
        raise InputError(
            "Labels have no values to link by.",
            option="original",
            hint="Give the released quasi-identifiers instead of labels.",
        )
    asked = nominal is not None or (control is not None and not by_label)
    if original is None and asked:
        raise InputError(
            "Linking by distance needs what is known of the people of the release.",
            option="original",
            hint=["Give ", Option("original"), " as well."],
        )


def _numbers(y: Any, n_samples: int, name: str) -> Any:
    try:
        values = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.full(np.shape(y), np.nan)
    if values.shape != (n_samples,) or not np.isfinite(values).all():
        raise InputError(
            f"With a tolerance {name!r} must hold a finite number for each of the "
            f"{n_samples} records.",
            option="tolerance",
            hint=["Leave out ", Option("tolerance"), " for categories."],
        )
    return values


def _values_like(y: Any, n_samples: int, values: Any) -> Any:
    """Values of the control as codes of `values`, -1 for others, or as numbers."""
    if values is None:
        return _numbers(y, n_samples, "control")
    theirs, codes = values_and_codes(y, n_samples)
    place = {value: code for code, value in enumerate(values.tolist())}
    return np.array([place.get(v, -1) for v in theirs.tolist()], dtype=np.int64)[codes]


def _match_labels(labels: Any, theirs: Any) -> Any:
    """Labels of the control, numbered like the classes of the release."""
    known, theirs = np.unique(np.asarray(labels)), np.asarray(theirs)
    if theirs.ndim != 1 or theirs.dtype.kind not in "iu" or theirs.size == 0:
        raise InputError(
            "The control must have a label for each record, as the release has. "
            f"Got shape {theirs.shape} of dtype {theirs.dtype} instead.",
            option="control",
        )
    place = np.minimum(np.searchsorted(known, theirs), known.size - 1)
    return np.where(known[place] == theirs, place, -1)


def _link(
    released: Any, classes: Any, original: Any, control: Any, nominal: Any
) -> Any:
    """Class nearest to each original record, and to each of the control."""
    from scipy.spatial import KDTree

    tables = {"original table": original, "released table": released}
    if control is not None:
        tables["control"] = control[0]
    _, arrays, coded = comparable_numbers(tables, nominal)
    found = dict(zip(tables, arrays, strict=True))
    if found["original table"].shape[0] != classes.size:
        raise InputError(
            f"The original must have the {classes.size} records of the release. "
            f"Got {found['original table'].shape[0]} instead.",
            option="original",
        )
    codes = {
        j: np.unique(np.concatenate([X[:, j] for X in found.values()])) for j in coded
    }
    firsts = np.full(classes.max() + 1, classes.size)
    np.minimum.at(firsts, classes, np.arange(classes.size))
    tree = KDTree(_coordinates(found["released table"][firsts], codes))

    def nearest(
        X: np.ndarray,
    ) -> Any:  # some at a time, since each category takes a coordinate
        parts = np.split(X, np.arange(LINKED_AT_ONCE, len(X), LINKED_AT_ONCE))
        return np.concatenate([tree.query(_coordinates(X, codes))[1] for X in parts])

    own = nearest(found["original table"])
    return own, nearest(found["control"]) if control is not None else None


def _coordinates(X: np.ndarray, codes: Mapping[int, np.ndarray]) -> np.ndarray:
    """Codes as coordinates: a mismatch is a squared distance of one.

    Examples
    --------
    >>> _coordinates(np.array([[5.0, 2.0], [6.0, 1.0]]), {1: np.array([1.0, 2.0])})
    array([[5.        , 0.        , 0.707...],
           [6.        , 0.707..., 0.        ]])
    """
    parts = [np.delete(X, list(codes), axis=1)]
    for j, known in codes.items():
        parts.append((X[:, [j]] == known) / np.sqrt(2))
    return np.hstack(parts)


def _contributions(
    released: Any, known: np.ndarray, guesser: GuessCategory, baseline: float
) -> dict[int, float]:
    names, codes = code_columns(released)
    n_columns = len(names)

    def rate(columns: Sequence[int]) -> float:
        if not columns:
            return baseline
        classes = distinct_records(codes[:, columns])[0]
        guesses = guesser.learn(classes, known)
        return float(guesser.tries(guesses, classes, known).mean())

    everything = rate(list(range(n_columns)))
    added = {}
    for j, name in enumerate(names):
        first = rate([j]) - baseline
        last = everything - rate([i for i in range(n_columns) if i != j])
        added[name] = (first + last) / 2
    return added
