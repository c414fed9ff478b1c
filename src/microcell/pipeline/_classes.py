"""Classes of a release that was written in parts: counted part by part, then merged.

Groups of equal records go to buckets by a hash of what makes them equal, so that a
bucket has whole classes, whatever files they were written to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from microcell.columns import AS_IT_IS, ConfidentialReading
from microcell.pipeline._disclosure import GivenAway
from microcell.pipeline._known_columns import KnownColumns
from microcell.pipeline._sample import COUNT, row_hash
from microcell.pipeline._values import ShownValues, Values, columns_of
from microcell.privacy import (
    CellModel,
    Finding,
    KAnonymity,
    Promise,
    as_polars,
    cell_values,
    class_codes,
)

BUCKET = "\0bucket"


class CheckedFinding(NamedTuple):
    """What was found of a promise, and whether more of it is better."""

    finding: Finding
    at_least: bool = True


@dataclass(frozen=True)
class ClassView:
    """Columns that make classes, and the promises that are counted on them.

    Attributes
    ----------
    columns : tuple of str
        Columns that make records equal.
    promises : list of (int, Promise)
        Promises with their place among all.
    reading : ConfidentialReading
        As what the values that promises are about are compared.
    shown : tuple of str
        Columns of which it is counted what classes give away.
    """

    columns: tuple[str, ...]
    promises: list[tuple[int, Promise]]
    reading: ConfidentialReading = AS_IT_IS
    shown: tuple[str, ...] = ()

    @property
    def valued(self) -> list[tuple[str, ...]]:
        """Columns whose values promises are about, alone or together."""
        models = [p for _, p in self.promises if isinstance(p, CellModel)]
        return sorted({columns_of(model) for model in models})

    def groups(self, frame: pl.DataFrame, n_buckets: int) -> pl.DataFrame:
        """Distinct records of a part of the release, with counts and buckets."""
        others = {*self.shown, *(name for names in self.valued for name in names)}
        keys = [*self.columns, *sorted(others - set(self.columns))]
        counted = as_polars(frame, keys).group_by(keys).agg(pl.len().alias(COUNT))
        hashes = row_hash(counted.select(self.columns))
        bucket = (hashes % n_buckets).cast(pl.Int32).alias(BUCKET)
        return counted.with_columns(bucket, pl.col(COUNT).cast(pl.Int64))

    def values(self, groups: pl.DataFrame) -> WrittenValues:
        """Values that classes are compared by, in these groups."""
        return WrittenValues(
            [
                Values.of(groups, list(names), COUNT, self.reading)
                for names in self.valued
            ],
            [ShownValues.of(groups, name) for name in self.shown],
        )

    def verify(self, groups: pl.DataFrame, values: WrittenValues) -> Verdict:
        """Count what the classes of whole buckets keep.

        Parameters
        ----------
        groups : polars.DataFrame
            As `groups` gives them, of any parts together.
        values : WrittenValues
            Those of the whole release.
        """
        if groups.is_empty():
            return Verdict()
        cells = class_codes(groups, self.columns)
        counts = groups[COUNT].to_numpy()
        sizes = np.bincount(cells, weights=counts).astype(np.int64)
        of = {tuple(known.columns): known for known in values.known}
        findings: dict[int, CheckedFinding] = {}
        for place, promise in self.promises:
            if isinstance(promise, KAnonymity):
                findings[place] = CheckedFinding(promise.check(sizes))
            elif isinstance(promise, CellModel):
                known = of[columns_of(promise)]
                model = known.resolve(promise)
                codes, totals = known.codes(model, groups), known.totals(model)
                checked = model.check(cell_values(cells, codes, totals, counts))
                findings[place] = CheckedFinding(checked, model.at_least)
        size, number = np.unique(sizes, return_counts=True)
        histogram = dict(zip(size.tolist(), number.tolist(), strict=True))
        return Verdict(
            findings,
            {self.columns: histogram},
            {
                name: known.given_away(cells, groups, self.reading)
                for name, known in zip(self.shown, values.shown, strict=True)
            },
        )


@dataclass(frozen=True)
class WrittenValues:
    """Values of a whole release that classes are compared by; they add up.

    Attributes
    ----------
    known : list of Values
        Those that promises are about.
    shown : list of ShownValues
        Those of confidential columns.
    """

    known: list[Values]
    shown: list[ShownValues] = field(default_factory=list)

    def __add__(self, other: WrittenValues) -> WrittenValues:
        known = zip(self.known, other.known, strict=True)
        shown = zip(self.shown, other.shown, strict=True)
        return WrittenValues([a + b for a, b in known], [a + b for a, b in shown])


@dataclass(frozen=True)
class Verdict:
    """What parts of a release keep; verdicts add up.

    Attributes
    ----------
    findings : dict of int to CheckedFinding
        By the place of the promise.
    sizes : dict
        For each set of columns that make classes, how many classes have how many
        records.
    given_away : dict of str to GivenAway
        What classes give away of each confidential column.
    known_columns : KnownColumns or None
        Who shares what an intruder knows, where a report is to tell it.
    """

    findings: dict[int, CheckedFinding] = field(default_factory=dict)
    sizes: dict[tuple[str, ...], dict[int, int]] = field(default_factory=dict)
    given_away: dict[str, GivenAway] = field(default_factory=dict)
    known_columns: KnownColumns | None = None

    def __add__(self, other: Verdict) -> Verdict:
        findings = added_findings(self.findings, other.findings)
        sizes = {columns: dict(known) for columns, known in self.sizes.items()}
        for columns, counted in other.sizes.items():
            own = sizes.setdefault(columns, {})
            for size, number in counted.items():
                own[size] = own.get(size, 0) + number
        given_away = dict(self.given_away)
        for name, found in other.given_away.items():
            before = given_away.get(name)
            given_away[name] = found if before is None else before + found
        known, more = self.known_columns, other.known_columns
        if known is not None and more is not None:
            more = known + more
        return Verdict(findings, sizes, given_away, more or known)

    def class_sizes(self, columns: Sequence[str]) -> np.ndarray:
        """Sizes of all classes over some columns, in ascending order."""
        known = sorted(self.sizes[tuple(columns)].items())
        return np.repeat([size for size, _ in known], [number for _, number in known])


def class_size_counts(people: Any, records: Any = None) -> dict[int, tuple[int, int]]:
    """How many classes have so many people, and the records of these.

    Parameters
    ----------
    people : array of int of shape (n_classes,)
        People of each class.
    records : array of int of shape (n_classes,), optional
        Its records, where people have several.

    Examples
    --------
    >>> class_size_counts([5, 7, 5])
    {5: (2, 10), 7: (1, 7)}
    """
    people = np.asarray(people)
    sizes, place, counts = np.unique(people, return_inverse=True, return_counts=True)
    sums = np.bincount(place, people if records is None else records)
    every = zip(
        sizes.tolist(), counts.tolist(), sums.astype(np.int64).tolist(), strict=True
    )
    return {size: (number, total) for size, number, total in every}


def added_findings(
    one: Mapping[int, CheckedFinding], other: Mapping[int, CheckedFinding]
) -> dict[int, CheckedFinding]:
    """What was found in two parts of a release, by the place of the promise."""
    both = dict(one)
    for place, checked in other.items():
        if place in both:
            finding = worse(both[place].finding, checked.finding, checked.at_least)
            checked = checked._replace(finding=finding)
        both[place] = checked
    return both


def worse(one: Finding, other: Finding, at_least: bool) -> Finding:
    """What two parts of a release keep together, of which no class is in both.

    Of levels that are at least something the lower is found, of others the higher.
    """
    found = (min if at_least else max)(one.found, other.found)
    failing = one.records_failing + other.records_failing
    return replace(one, found=found, records_failing=failing)


def views_of(
    promises: Sequence[Promise],
    known: Sequence[str],
    reading: ConfidentialReading = AS_IT_IS,
    shown: Sequence[str] = (),
) -> list[ClassView]:
    """The sets of columns that classes are counted over, the known ones first.

    On these it is counted what they give away of the columns that are `shown`.
    """
    views: dict[tuple[str, ...], list[tuple[int, Promise]]] = {tuple(known): []}
    for place, promise in enumerate(promises):
        if promise.over != "classes":
            continue
        columns = getattr(promise, "columns", None)
        names = tuple(known) if columns is None else tuple(columns)
        views.setdefault(names, []).append((place, promise))
    return [
        ClassView(columns, own, reading, () if place else tuple(shown))
        for place, (columns, own) in enumerate(views.items())
    ]
