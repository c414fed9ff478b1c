"""Singling out: predicates read off the release that hold for exactly one person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from microcell._random import ATTACKS, random_generator
from microcell._validation import check_choice, check_count
from microcell.exceptions import ParameterError
from microcell.kernels.distinct import distinct_records
from microcell.metrics._success_rate import AttackRisk, excess_risk, success_rate
from microcell.metrics._table_columns import comparable_numbers

USUAL_COLUMNS = 3  # of a predicate
TRIALS = 20  # predicates that are tried for each one that is wanted
AT_MOST, EQUAL, AT_LEAST = -1, 0, 1
NUMBERS = ("ends", "values")


@dataclass(frozen=True)
class SinglingOutRisk(AttackRisk):
    """How often a predicate that the release suggests holds for exactly one person.

    Attributes
    ----------
    attack : SuccessRate
        Predicates that hold for exactly one record of the original.
    baseline : SuccessRate
        Expected of predicates that hold for as large a share of people, at random.
    control : SuccessRate or None
        The same predicates on people who were not in the release, where they are given.
    risk : ExcessRisk
        Of the attack beyond the baseline.
    risk_beyond_control : ExcessRisk or None
        Of the attack beyond the control.
    contributions : dict
        For each column the share of successful predicates that use it; where columns do
        not matter, it is about `n_columns` of all columns.
    """


class Predicate(NamedTuple):
    """Conditions that hold together, one for each of some columns."""

    columns: tuple
    signs: tuple  # AT_MOST, EQUAL or AT_LEAST
    values: tuple

    def holds(self, X: np.ndarray) -> np.ndarray:
        """Whether it holds for each record."""
        found = np.ones(X.shape[0], dtype=bool)
        for column, sign, value in zip(*self, strict=True):
            if sign == EQUAL:
                found &= X[:, column] == value
            elif sign == AT_MOST:
                found &= X[:, column] <= value
            else:
                found &= X[:, column] >= value
        return found


def singling_out_risk(
    original: ArrayLike,
    released: ArrayLike,
    *,
    n_columns: Any = None,
    n_attacks: int = 500,
    numbers: str = "ends",
    control: ArrayLike | None = None,
    nominal: Sequence[int] | None = None,
    random_state: Any = None,
) -> SinglingOutRisk:
    """How often a predicate formed from the release singles out one person [1]_.

    The intruder forms predicates that hold for one class of the release, records that
    are equal counted once: "age >= 97", "age <= 20 and sex = f and job = smith". With
    one column these are the values that a single class has, and the least and largest
    of numbers; with more, of a random record its values in random columns, numbers
    above the median as "at least" and others as "at most". An attack succeeds if its
    predicate holds for exactly one record of the original; two people who are alike are
    not singled out.

    A predicate that holds for a share w of people singles out one of n at random with
    a chance of n w (1 - w)^(n - 1), up to 37 %, without any release [2]_. The baseline
    is the mean of that, w being the share of released records that the predicate holds
    for. The control tries the predicates on people who were not in the release; of the
    two tables the larger one counts as if so many records as the other one has were
    drawn from it. Rates have Wilson intervals, and a risk is
    (attack - other) / (1 - other).

    Up to 20 times `n_attacks` predicates are tried, so there may be fewer attacks than
    asked for; `attack.n_attacks` says how many. Time is O(n) for each.

    Parameters
    ----------
    original, released : array-like or dataframe of shape (n_samples, n_columns)
        Tables with the same columns, their records in any order. Text is compared as
        text, numbers as numbers.
    n_columns : int, optional
        Columns of a predicate; 1 for univariate ones, by default 3 or all there are.
    n_attacks : int, default=500
        How many predicates are wanted.
    numbers : {"ends", "values"}, default="ends"
        What predicates say of numbers: at least or at most, or that they are equal,
        which suits a release of real values; a mean is nobody's.
    control : array-like or dataframe, optional
        Records that were not in the release, best as many as the original has.
    nominal : sequence of int, optional
        Columns of arrays that hold codes, which have no order.
    random_state : int, RandomState or Generator, optional
        For the predicates that are drawn.

    Returns
    -------
    risk : SinglingOutRisk

    References
    ----------
    .. [1] Giomi, Boenisch, Wehmeyer and Tasnádi (2023). A unified framework for
       quantifying privacy risk in synthetic data. Proc. Priv. Enhanc. Technol. 2023(2),
       312-328.
    .. [2] Cohen and Nissim (2020). Towards formalizing the GDPR's notion of singling
       out. Proc. Natl. Acad. Sci. 117, 8344-8352.

    Examples
    --------
    >>> X = [[20.0], [21.0], [40.0], [42.0], [90.0], [95.0]]
    >>> untouched = singling_out_risk(X, X, n_columns=1, numbers="values")
    >>> untouched.attack.rate, untouched.baseline.rate, untouched.risk.risk
    (1.0, 0.401..., 1.0)
    >>> means = [[20.5], [20.5], [41.0], [41.0], [92.5], [92.5]]
    >>> singling_out_risk(X, means, n_columns=1).attack
    SuccessRate(rate=1.0, low=0.342..., high=1.0, n_attacks=2)
    """
    n_attacks = check_count(n_attacks, 1, "n_attacks")
    check_choice("numbers", numbers, NUMBERS)
    tables = {"original table": original, "released table": released}
    if control is not None:
        tables["control"] = control
    names, (X, X_released, *others), coded = comparable_numbers(tables, nominal)
    if not set(coded) <= set(range(len(names))):
        raise ParameterError(
            "nominal", f"must hold places of the {len(names)} columns. Got {coded}."
        )
    n_columns = _check_columns(n_columns, len(names))
    rng = random_generator(random_state, ATTACKS)
    equal = range(len(names)) if numbers == "values" else coded
    predicates, weights = form_predicates(X_released, equal, n_columns, n_attacks, rng)
    counts = _count(predicates, X)
    hits = (counts == 1).astype(np.float64)
    attack = success_rate(hits.sum(), hits.size)
    n = X.shape[0]
    chances = n * weights * (1 - weights) ** (n - 1)
    baseline = success_rate(chances.sum(), chances.size)
    tried, beyond = None, None
    if control is not None:
        n_tried = min(n, others[0].shape[0])
        chances = single_chances(
            _count(predicates, others[0]), others[0].shape[0], n_tried
        )
        tried = success_rate(chances.sum(), chances.size)
        own = single_chances(counts, n, n_tried)
        beyond = excess_risk(success_rate(own.sum(), own.size), tried)
    return SinglingOutRisk(
        attack=attack,
        baseline=baseline,
        control=tried,
        risk=excess_risk(attack, baseline),
        risk_beyond_control=beyond,
        contributions=_contributions(predicates, hits, names),
    )


def form_predicates(
    X_released: np.ndarray,
    equal: Any,
    n_columns: int,
    n_attacks: int,
    rng: np.random.Generator,
) -> tuple[list[Predicate], np.ndarray]:
    """Predicates that hold for one class of the release, each another one.

    Those of the columns `equal` name a value, the others an end.

    Returns
    -------
    predicates : list of Predicate
    weights : ndarray of shape (n_predicates,)
        Share of released records that each holds for.
    """
    classes, first = distinct_records(X_released)
    rows, copies = X_released[first], np.bincount(classes)
    if n_columns == 1:
        trials = _univariate(rows, equal, rng)
    else:
        middle = np.median(X_released, axis=0)
        n_trials = TRIALS * n_attacks
        trials = _multivariate(rows, equal, middle, n_columns, n_trials, rng)
    found = {}
    for predicate in trials:
        if predicate not in found:
            holds = predicate.holds(rows)
            if np.count_nonzero(holds) == 1:
                found[predicate] = copies[holds.argmax()]
        if len(found) == n_attacks:
            break
    weights = np.array(list(found.values()), dtype=np.float64)
    return list(found), weights / X_released.shape[0]


def _univariate(
    rows: np.ndarray, equal: Any, rng: np.random.Generator
) -> Iterator[Any]:
    """Values of single classes, or the ends of numbers, in random order."""
    found = []
    for j in range(rows.shape[1]):
        values, counts = np.unique(rows[:, j], return_counts=True)
        if j in equal:
            found += [(j, EQUAL, float(value)) for value in values[counts == 1]]
        else:
            found.append((j, AT_MOST, float(values[0])))
            found.append((j, AT_LEAST, float(values[-1])))
    for place in rng.permutation(len(found)):
        yield Predicate(*((part,) for part in found[place]))


def _multivariate(
    rows: np.ndarray,
    equal: Any,
    middle: Any,
    n_columns: Any,
    n_trials: Any,
    rng: np.random.Generator,
) -> Iterator[Any]:
    """Values of random records in random columns."""
    signs = np.where(rows > middle, AT_LEAST, AT_MOST)
    signs[:, list(equal)] = EQUAL
    for _ in range(n_trials):
        i = rng.integers(rows.shape[0])
        columns = np.sort(rng.choice(rows.shape[1], n_columns, replace=False))
        yield Predicate(
            tuple(columns.tolist()),
            tuple(signs[i, columns].tolist()),
            tuple(rows[i, columns].tolist()),
        )


def single_chances(counts: np.ndarray, n_records: int, n_drawn: int) -> np.ndarray:
    """Chance that of records drawn without replacement exactly one is counted.

    Parameters
    ----------
    counts : ndarray of shape (n_predicates,)
        How many of all records each predicate holds for.
    n_records, n_drawn : int
        All records, and those that are drawn.

    Examples
    --------
    >>> single_chances(np.array([0, 1, 2]), 4, 2)
    array([0.        , 0.5       , 0.666...])
    """
    if n_drawn == n_records:
        return (counts == 1).astype(np.float64)
    others = n_records - counts
    possible = (counts > 0) & (others >= n_drawn - 1)
    chances = np.zeros(counts.shape)
    chances[possible] = counts[possible] * np.exp(
        _log_ways(others[possible], n_drawn - 1) - _log_ways(n_records, n_drawn)
    )
    return np.minimum(chances, 1.0)


def _log_ways(n: int | np.ndarray, drawn: int) -> np.ndarray | float:
    return gammaln(n + 1) - gammaln(drawn + 1) - gammaln(n - drawn + 1)


def _check_columns(n_columns: int, n_all: int) -> int:
    if n_columns is None:
        return min(USUAL_COLUMNS, n_all)
    if check_count(n_columns, 1, "n_columns") > n_all:
        raise ParameterError(
            "n_columns",
            f"must be at most {n_all}, the columns there are. Got {n_columns} instead.",
        )
    return int(n_columns)


def _count(predicates: Sequence[Predicate], X: np.ndarray) -> np.ndarray:
    """How many records each predicate holds for."""
    by_column = np.asfortranarray(X)
    counts = [np.count_nonzero(found.holds(by_column)) for found in predicates]
    return np.array(counts, dtype=np.int64)


def _contributions(
    predicates: Sequence[Predicate], hits: np.ndarray, names: Sequence[int]
) -> dict[int, float]:
    used = np.zeros(len(names))
    for predicate, hit in zip(predicates, hits, strict=True):
        used[list(predicate.columns)] += hit
    shares = used / max(hits.sum(), 1)
    return dict(zip(names, shares.tolist(), strict=True))
