"""Linkage by an intruder who knows some of the quasi-identifiers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from microcell._random import ATTACKS, random_generator
from microcell._validation import check_count
from microcell.exceptions import InputError, Option
from microcell.kernels.distinct import distinct_records
from microcell.metrics._distance_linkage import distance_linkage_risk
from microcell.metrics._learning_utility import mean_interval
from microcell.metrics._success_rate import most_contributing
from microcell.metrics._table_columns import code_columns, comparable_numbers

MAX_SUBSET_COLUMNS = (
    3  # columns of which all subsets are looked at, if they are not many
)
DRAWN_SUBSETS = 20  # of each larger size, if these are not many
MIN_DRAWN_SUBSETS = 3
SUBSETS_SEED = 0  # of attacks that are shown: no secret depends on it
MAX_COUNTED_SUBSETS = 20_000_000  # distinct records times subsets of columns
MAX_SUBSETS_TRIED = 10_000  # of columns, however few the records: each takes a call


@dataclass(frozen=True)
class SubsetRisk:
    """Risk from an intruder who knows these columns and no others.

    Attributes
    ----------
    columns : tuple
        Their names; places of an array's columns.
    unique : float
        Share of records that are alone with their values.
    average : float
        Mean over records of 1 / size of the class: number of classes / records.
    highest : float
        1 / size of the smallest class.
    linkage : float or None
        Share of records that linkage by distance finds, where the original was given.
    """

    columns: tuple
    unique: float
    average: float
    highest: float
    linkage: float | None = None

    @property
    def risk(self) -> float:
        """What subsets are compared by: `linkage` where it is known, or `average`."""
        return self.average if self.linkage is None else self.linkage


@dataclass(frozen=True)
class SizeRisk:
    """Risk from intruders who know so many columns.

    Attributes
    ----------
    size : int
        How many columns they know.
    n_subsets : int
        How many subsets were looked at.
    exact : bool
        Whether these are all there are. If not, there may be worse than the worst.
    worst : SubsetRisk
        The subset of the highest risk, the first of several.
    mean : float
        Mean of `SubsetRisk.risk` over subsets.
    low, high : float
        95 % interval of the mean over all subsets; the mean itself where it is exact.
    """

    size: int
    n_subsets: int
    exact: bool
    worst: SubsetRisk
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class SubsetLinkageRisk:
    """Risk by the number of columns that an intruder knows.

    Attributes
    ----------
    by_size : tuple of SizeRisk
        One for each number of columns, from 1.
    contributions : dict
        For each column the mean increase of the risk when it becomes known.
    """

    by_size: tuple
    contributions: dict

    @property
    def most(self) -> Any:
        """The column that contributes most, or None."""
        return most_contributing(self.contributions)


def subset_linkage_risk(
    released: ArrayLike,
    *,
    size: int = 3,
    n_draws: int = 100,
    original: ArrayLike | None = None,
    nominal: Sequence[int] | None = None,
    copies: ArrayLike | None = None,
    random_state: Any = None,
) -> SubsetLinkageRisk:
    """Risk from intruders who know a subset of the quasi-identifiers.

    An intruder who knows the released values of some columns is left with the records
    that share them; knowing more makes such a class smaller. All subsets of up to
    `size` columns are looked at, and `n_draws` random ones of each larger size, or all
    where there are no more. Of a release of means nobody knows values, but the original
    ones; with `original` the intruder links by distance in the known columns, as in
    `distance_linkage_risk`, and subsets are compared by that.

    The contribution of a column is the mean increase of the risk when it becomes known
    after others: the mean over subsets of one size without it, then over sizes from 0
    to `size` - 1. If `size` is the number of columns, it is the Shapley value [1]_, and
    contributions add up to the risk of all columns less that of none, 1 / n_samples.

    Records that are equal in all columns are counted once, with their number. A subset
    costs one pass of hashing over the m distinct records, O(m), thus O(m c) for c
    subsets, with c = sum over sizes s of the binomial coefficient of n_columns and s; a
    linkage by distance costs far more than that. Memory is O(m size).

    Parameters
    ----------
    released : array-like or dataframe of shape (n_samples, n_columns)
        Released quasi-identifiers, numbers, text, missing values.
    size : int, default=3
        All subsets of up to so many columns are looked at.
    n_draws : int, default=100
        How many subsets of each larger size are drawn; 0 for none.
    original : array-like or dataframe of the same shape, optional
        What the intruder knows, the same records in the same order, for linkage by
        distance. Scale arrays like the release first; numbers of dataframes are divided
        by their standard deviation, and a mismatch of other values is one unit.
    nominal : sequence of int, optional
        Columns of codes, of arrays with an original.
    copies : array-like of int of shape (n_samples,), optional
        How many records each row stands for, if equal ones were counted already; not
        with an original.
    random_state : int, RandomState or Generator, optional
        For the subsets that are drawn.

    Returns
    -------
    risk : SubsetLinkageRisk

    References
    ----------
    .. [1] Shapley (1953). A value for n-person games. Contributions to the Theory of
       Games II, 307-317.

    Examples
    --------
    >>> released = [[30, "f"], [30, "m"], [40, "f"], [50, "f"]]
    >>> risk = subset_linkage_risk(released)
    >>> [(known.worst.columns, known.worst.average) for known in risk.by_size]
    [((0,), 0.75), ((0, 1), 1.0)]
    >>> risk.contributions, risk.most
    ({0: 0.5, 1: 0.25}, 0)
    """
    names, codes = code_columns(released)
    copies = _checked_copies(copies, len(codes), original)
    n_samples, n_columns = int(copies.sum()), codes.shape[1]
    size = min(check_count(size, 1, "size"), n_columns)
    n_draws = check_count(n_draws, 0, "n_draws")
    link = _linkage_by_distance(original, released, nominal)
    classes, first = distinct_records(codes)
    counts = np.bincount(classes, weights=copies).astype(np.int64)
    counter = ClassCounter(codes[first], counts)

    def risk_of(columns: Sequence[Any], sizes: np.ndarray) -> SubsetRisk:
        return SubsetRisk(
            columns=tuple(names[j] for j in columns),
            unique=float(np.sum(sizes == 1) / n_samples),
            average=float(sizes.size / n_samples),
            highest=float(1 / sizes.min()),
            linkage=None if link is None else link(columns),
        )

    exact = {columns: risk_of(columns, sizes) for columns, sizes in counter.up_to(size)}
    by_size = []
    for subsets, is_all in subsets_by_size(n_columns, size, n_draws, random_state):
        found = [
            exact.get(columns) or risk_of(columns, counter.sizes(columns))
            for columns in subsets
        ]
        by_size.append(size_risk(found, exact=is_all))
    risks = {columns: risk.risk for columns, risk in exact.items()}
    risks[()] = 1 / n_samples
    increases = mean_increases(risks, n_columns, size)
    return SubsetLinkageRisk(
        tuple(by_size), dict(zip(names, increases.tolist(), strict=True))
    )


class ClassCounter:
    """Sizes of the classes of subsets of columns.

    Parameters
    ----------
    codes : ndarray of shape (n_distinct, n_columns)
        Distinct records.
    copies : ndarray of shape (n_distinct,)
        How many records each stands for.
    """

    def __init__(self, codes: np.ndarray, copies: np.ndarray) -> None:
        self.codes = codes
        self.copies = copies

    def refine(self, classes: np.ndarray, column: int) -> np.ndarray:
        """Classes divided by the values of one more column."""
        return distinct_records(np.column_stack([classes, self.codes[:, column]]))[0]

    def _sizes(self, classes: np.ndarray) -> np.ndarray:
        return np.bincount(classes, weights=self.copies).astype(np.int64)

    def sizes(self, columns: Any) -> Any:
        """Records of each class of these columns."""
        return self._sizes(distinct_records(self.codes[:, list(columns)])[0])

    def up_to(self, size: int) -> Iterator[Any]:
        """Every subset of up to `size` columns with the sizes of its classes.

        Classes of a subset are those of the subset without its last column, divided:
        one hashing of two columns each, and no more than `size` arrays at a time.
        """
        n_distinct, n_columns = self.codes.shape

        def deeper(columns: Sequence[Any], classes: np.ndarray) -> Iterator[Any]:
            for column in range(columns[-1] + 1 if columns else 0, n_columns):
                finer = self.refine(classes, column)
                yield (*columns, column), self._sizes(finer)
                if len(columns) + 1 < size:
                    yield from deeper((*columns, column), finer)

        return deeper((), np.zeros(n_distinct, dtype=np.int64))


def _checked_copies(copies: Any, n_rows: int, original: Any) -> np.ndarray:
    """How many records each row stands for; by default one."""
    if copies is None:
        return np.ones(n_rows, dtype=np.int64)
    copies = np.asarray(copies)
    if original is not None:
        raise InputError(
            "Rows that stand for several records cannot be linked with an original.",
            option="copies",
            hint=["Give all records, or no ", Option("original"), "."],
        )
    whole = copies.dtype.kind in "iu" and copies.shape == (n_rows,)
    if not whole or (copies < 1).any():
        raise InputError(
            f"Copies must be a whole number from 1 for each of the {n_rows} rows.",
            option="copies",
        )
    return copies


def _linkage_by_distance(original: Any, released: Any, nominal: Any) -> Any:
    """Share of records that are found by their values in some columns, or None."""
    if original is None:
        if nominal is not None:
            raise InputError(
                "Columns of codes matter for linkage by distance only.",
                option="nominal",
                hint=["Give ", Option("original"), " as well."],
            )
        return None
    tables = {"original table": original, "released table": released}
    _, (X, X_released), coded = comparable_numbers(tables, nominal)
    if X.shape != X_released.shape:
        raise InputError(
            "Original and release must have the same records. "
            f"Got {X.shape[0]} and {X_released.shape[0]} of them.",
            option="original",
        )

    def link(columns: Any) -> Any:
        columns = list(columns)
        return distance_linkage_risk(
            X[:, columns],
            X_released[:, columns],
            nominal=[place for place, j in enumerate(columns) if j in coded],
        )

    return link


def subsets_by_size(
    n_columns: int, size: int, n_draws: int, random_state: Any = None
) -> Iterator[tuple[list[tuple[int, ...]], bool]]:
    """Subsets of 1, 2, ... columns, and whether they are all of that size.

    All of up to `size` columns; of larger sizes `n_draws` random ones, none if that is
    0, and all where they are no more.
    """
    rng = random_generator(random_state, ATTACKS)
    for known in range(1, n_columns + 1 if n_draws else size + 1):
        if known <= size or comb(n_columns, known) <= n_draws:
            yield list(combinations(range(n_columns), known)), True
        else:
            drawn = (
                rng.choice(n_columns, known, replace=False) for _ in range(n_draws)
            )
            yield [tuple(sorted(columns.tolist())) for columns in drawn], False


def affordable_subsets(n_columns: int, n_distinct: int) -> tuple[int, int]:
    """Up to which size all subsets can be looked at in good time, and how many beyond.

    Examples
    --------
    >>> affordable_subsets(5, 1_000), affordable_subsets(20, 1_000_000)
    ((3, 20), (1, 3))
    >>> affordable_subsets(120, 10)
    (2, 20)
    """
    size = n_subsets = 0
    while size < min(MAX_SUBSET_COLUMNS, n_columns):
        more = n_subsets + comb(n_columns, size + 1)
        if size and (
            more > MAX_SUBSETS_TRIED or more * n_distinct > MAX_COUNTED_SUBSETS
        ):
            break
        size, n_subsets = size + 1, more
    drawn = max(MAX_COUNTED_SUBSETS // n_distinct - n_subsets, 0) // max(
        n_columns - size, 1
    )
    return size, min(max(drawn, MIN_DRAWN_SUBSETS), DRAWN_SUBSETS)


def size_risk(found: Sequence[SubsetRisk], *, exact: bool) -> SizeRisk:
    """What subsets of one size say together; `exact` if they are all there are."""
    risks = np.array([subset.risk for subset in found])
    mean = float(risks.mean())
    low, high = (mean, mean) if exact else mean_interval(risks)
    if np.isnan(low):  # a single draw says nothing of the others
        low, high = 0.0, 1.0
    return SizeRisk(
        size=len(found[0].columns),
        n_subsets=len(found),
        exact=exact,
        worst=found[int(risks.argmax())],
        mean=mean,
        low=max(low, 0.0),
        high=min(high, 1.0),
    )


def mean_increases(
    risks: Mapping[tuple[Any, ...], float], n_columns: int, size: int
) -> np.ndarray:
    """Mean increase by each column, over subsets of a size and then over sizes.

    Parameters
    ----------
    risks : dict
        Of every subset of up to `size` columns, by their places; of none too.
    n_columns, size : int

    Returns
    -------
    increases : ndarray of shape (n_columns,)
    """
    total = np.zeros(n_columns)
    for columns, risk in risks.items():
        among = comb(n_columns - 1, len(columns) - 1) if columns else 1
        for j in columns:
            without = tuple(other for other in columns if other != j)
            total[j] += (risk - risks[without]) / among
    return total / size
