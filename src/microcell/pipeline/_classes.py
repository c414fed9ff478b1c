"""Classes of a release that was written in parts: counted part by part, then merged.

Groups of equal records go to buckets by a hash of what makes them equal, so that a
bucket has whole classes, whatever files they were written to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from microcell.columns import AS_IT_IS, ConfidentialReading
from microcell.pipeline._adds_up import AddsUp
from microcell.pipeline._disclosure import GivenAway
from microcell.pipeline._known_columns import KnownColumns
from microcell.pipeline._sample import COUNT, PERSON, WEIGHT, row_hash
from microcell.pipeline._values import (
    ShownValues,
    Values,
    columns_of,
    is_beside,
    people_column,
)
from microcell.privacy import (
    CellModel,
    Finding,
    KAnonymity,
    Promise,
    as_polars,
    cell_values,
    class_codes,
    people_of,
)

BUCKET, UNFOUND = "\0bucket", "\0unfound"
MAX_PEOPLE_FOLLOWED = 3_000_000  # through their classes, so that any visit is counted


@dataclass(frozen=True)
class CheckedFinding:
    """What was found of a promise, and whether more of it is better."""

    finding: Finding
    at_least: bool = True

    def __add__(self, other: CheckedFinding) -> CheckedFinding:
        """What two parts of a release keep together, of which no class is in both.

        Of levels that are at least something the lower is found, of others the higher.
        """
        one, two = self.finding, other.finding
        found = (min if other.at_least else max)(one.found, two.found)
        failing = one.records_failing + two.records_failing
        return replace(
            other, finding=replace(one, found=found, records_failing=failing)
        )


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
    unit : str
        Whose records are counted as one person's; empty if every record is a person.
    n_people : int or None
        People of the whole table then.
    apart : bool
        Whether one may be in several classes.
    """

    columns: tuple[str, ...]
    promises: list[tuple[int, Promise]]
    reading: ConfidentialReading = AS_IT_IS
    shown: tuple[str, ...] = ()
    unit: str = ""
    n_people: int | None = None
    apart: bool = False

    @property
    def valued(self) -> list[tuple[str, ...]]:
        """Columns whose values promises are about, alone or together."""
        models = [p for _, p in self.promises if isinstance(p, CellModel)]
        return sorted({columns_of(model) for model in models})

    def groups(self, frame: pl.DataFrame, n_buckets: int) -> pl.DataFrame:
        """Distinct records of a part of the release, with counts and buckets.

        Of people with several records, and of weights, the sums that stand beside the
        records are kept.
        """
        others = {*self.shown, *(name for names in self.valued for name in names)}
        keys = [*self.columns, *sorted(others - set(self.columns))]
        sums = [pl.len().alias(COUNT)]
        if self.unit:
            names = {people_column(names) for names in self._counted}
            sums += [pl.col(name).sum() for name in sorted(names)]
        if WEIGHT in frame.columns:  # that of a person is the mean of all its records
            sums.append(pl.col(WEIGHT).max() if self.unit else pl.col(WEIGHT).sum())
        beside = [name for name in frame.columns if is_beside(name)]
        if self.unit:
            keys.append(PERSON)
        rows = as_polars(frame, list(dict.fromkeys([*keys, *beside])))
        counted = rows.group_by(keys).agg(sums)
        hashes = row_hash(counted.select(self.columns))
        bucket = (hashes % n_buckets).cast(pl.Int32).alias(BUCKET)
        return counted.with_columns(bucket, pl.col(COUNT).cast(pl.Int64))

    @property
    def _counted(self) -> list[tuple[str, ...]]:
        """Columns of whose values it is counted how many people have each."""
        return [*self.valued, *((name,) for name in self.shown)]

    def values(self, groups: pl.DataFrame) -> WrittenValues:
        """Values that classes are compared by, in these groups."""

        def counts(*names: str) -> str:
            return people_column(names) if self.unit else COUNT

        return WrittenValues(
            [
                Values.of(groups, list(names), counts(*names), self.reading)
                for names in self.valued
            ],
            [ShownValues.of(groups, name, counts(name)) for name in self.shown],
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
        n_records = np.bincount(cells, weights=counts).astype(np.int64)
        people, sizes = None, n_records
        if self.unit:
            people = np.unique(groups[PERSON].to_numpy(), return_inverse=True)[1]
            sizes = people_of(cells, people, len(n_records))
        of = {tuple(known.columns): known for known in values.known}
        findings: dict[int, CheckedFinding] = {}
        for place, promise in self.promises:
            if isinstance(promise, KAnonymity):
                findings[place] = CheckedFinding(
                    promise.check(sizes, self.unit or None)
                )
            elif isinstance(promise, CellModel):
                known = of[columns_of(promise)]
                model = known.resolve(promise)
                codes, totals = known.codes(model, groups), known.totals(model)
                found = cell_values(
                    cells, codes, totals, counts, units=people, n_people=self.n_people
                )
                checked = model.check(found, self.unit)
                findings[place] = CheckedFinding(checked, model.at_least)
        return Verdict(
            findings,
            {self.columns: class_size_counts(sizes, n_records)},
            {
                name: known.given_away(
                    cells, groups, self.reading, people, self.n_people
                )
                for name, known in zip(self.shown, values.shown, strict=True)
            },
            risks=self._risks(cells, groups, n_records, people),
        )

    def _risks(
        self,
        cells: np.ndarray,
        groups: pl.DataFrame,
        n_records: np.ndarray,
        people: np.ndarray | None,
    ) -> dict[tuple[str, ...], SummedRisk | RiskOverClasses]:
        """Risks of households and in the population, of people of whole classes."""
        risks: dict[tuple[str, ...], SummedRisk | RiskOverClasses] = {}
        counts = groups[COUNT].to_numpy()
        if people is not None:
            with np.errstate(divide="ignore"):  # a record alone in its class is found
                unfound = counts * np.log1p(-1 / n_records[cells])
            unfound = np.bincount(people, unfound)
            risks["household", *self.columns] = (
                RiskOverClasses.of(np.unique(groups[PERSON].to_numpy()), unfound)
                if self.apart
                else SummedRisk.of(-np.expm1(unfound))
            )
        if WEIGHT in groups.columns:
            weights = groups[WEIGHT].to_numpy()
            if people is not None:
                first = np.unique(
                    np.column_stack([cells, people]), axis=0, return_index=True
                )[1]
                cells, weights, counts = cells[first], weights[first], np.ones(1, int)
            each = np.minimum(1 / np.bincount(cells, weights), 1)[cells]
            risks["journalist", *self.columns] = SummedRisk.of(each, counts)
        return risks


@dataclass(frozen=True)
class SummedRisk(AddsUp):
    """The highest risk of some people, the sum of all, and how many they are."""

    highest: float = field(metadata={"by": max})
    total: float
    n_people: int

    @classmethod
    def of(cls, risks: np.ndarray, counts: Any = 1) -> SummedRisk:
        """That of risks, each as often as it occurs."""
        number = np.broadcast_to(counts, risks.shape)
        return cls(float(risks.max()), float(risks @ number), int(number.sum()))


@dataclass(frozen=True)
class RiskOverClasses:
    """Chances that people are found, who may be in several classes; they add up.

    Attributes
    ----------
    unfound : polars.DataFrame
        Each person, and the logarithm of the chance that none of their records is
        found; none where there are more than `MAX_PEOPLE_FOLLOWED`.
    complete : bool
        Whether these are all people who were seen.
    """

    unfound: pl.DataFrame
    complete: bool = True

    @classmethod
    def of(cls, people: np.ndarray, unfound: np.ndarray) -> RiskOverClasses:
        """That of some classes, by the people in them."""
        return cls._of(pl.DataFrame({PERSON: people, UNFOUND: unfound}), True)

    @classmethod
    def _of(cls, rows: pl.DataFrame, complete: bool) -> RiskOverClasses:
        rows = rows.group_by(PERSON).agg(pl.col(UNFOUND).sum())
        complete = complete and rows.height <= MAX_PEOPLE_FOLLOWED
        return cls(rows if complete else rows.clear(), complete)

    def __add__(self, other: RiskOverClasses) -> RiskOverClasses:
        both = pl.concat([self.unfound, other.unfound])
        return RiskOverClasses._of(both, self.complete and other.complete)

    @property
    def summed(self) -> SummedRisk | None:
        """The risk of all people; None if they were too many."""
        if not self.complete:
            return None
        return SummedRisk.of(-np.expm1(self.unfound[UNFOUND].sort().to_numpy()))


@dataclass(frozen=True)
class WrittenValues(AddsUp):
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


@dataclass(frozen=True)
class Verdict(AddsUp):
    """What parts of a release keep; verdicts add up.

    Attributes
    ----------
    findings : dict of int to CheckedFinding
        By the place of the promise.
    sizes : dict
        For each set of columns that make classes: of each number of people how many
        classes have so many, and their records.
    given_away : dict of str to GivenAway
        What classes give away of each confidential column.
    known_columns : KnownColumns or None
        Who shares what an intruder knows, where a report is to tell it.
    risks : dict
        Those of people with several records ("household"), and in the population
        ("journalist"), by this name and a set of columns.
    """

    findings: dict[int, CheckedFinding] = field(default_factory=dict)
    sizes: dict[tuple[str, ...], dict[int, tuple[int, int]]] = field(
        default_factory=dict
    )
    given_away: dict[str, GivenAway] = field(default_factory=dict)
    known_columns: KnownColumns | None = None
    risks: dict[tuple[str, ...], SummedRisk | RiskOverClasses] = field(
        default_factory=dict
    )

    def risk(self, name: str, columns: Sequence[str]) -> SummedRisk | None:
        """The risk of this name over some columns; None if it is not known."""
        found = self.risks.get((name, *columns))
        return found.summed if isinstance(found, RiskOverClasses) else found

    def class_sizes(self, columns: Sequence[str]) -> np.ndarray:
        """Sizes of all classes over some columns, in ascending order."""
        known = sorted(self.sizes[tuple(columns)].items())
        numbers = [number for _, (number, _) in known]
        return np.repeat([size for size, _ in known], numbers)


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


def views_of(
    promises: Sequence[Promise],
    known: Sequence[str],
    reading: ConfidentialReading = AS_IT_IS,
    shown: Sequence[str] = (),
    unit: str = "",
    n_people: int | None = None,
    apart: bool = False,
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
        ClassView(
            columns, own, reading, () if place else tuple(shown), unit, n_people, apart
        )
        for place, (columns, own) in enumerate(views.items())
    ]
