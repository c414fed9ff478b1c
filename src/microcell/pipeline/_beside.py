"""Beside: what a part of a table says of people, strata, weights and other columns.

What is wrong with them is refused when all parts were added up; a table in memory is
one part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl

from microcell.columns import Marks, as_marks, is_missing
from microcell.pipeline._adds_up import added
from microcell.pipeline._arrivals import OWN
from microcell.pipeline._people import (
    MAX_READ_VALUES,
    Held,
    allowed_first,
    known_values,
    n_written_differently,
    refuse_few_people,
    refuse_links,
    refuse_no_unit,
    repeats_people,
    said_of_released,
    said_of_spelling,
    said_of_unnamed,
    written_alike,
)
from microcell.pipeline._sample import COUNT, PERSON, RECORDS, Sample
from microcell.pipeline._strata import CROSSING, Strata, missing_in
from microcell.pipeline._values import of_people
from microcell.pipeline._weights import read_weights, refuse_weights, said_of_weights
from microcell.privacy import as_polars
from microcell.recipe import APART
from microcell.recognition import MIN_PEOPLE

if TYPE_CHECKING:
    from microcell.pipeline._task import Task

NUMBERS_AT_ONCE = 20_000_000  # hashes of identifiers in memory
VALUES_OF_IDENTIFIERS = 200_000  # in which a value that repeats is looked for
MAX_READ_CHARACTERS = 200  # characters of a text that tell what it is
# What is counted of the unit in a part of a table.
NO_UNIT, SPELT_DIFFERENTLY = "no unit", "spelt differently"
SEVERAL_RECORDS = "several records"


@dataclass(frozen=True)
class Beside:
    """What stands beside the quasi-identifiers of the records that take part.

    Attributes
    ----------
    n_records, n_people : int
        Records, and people whose they are.
    names : dict of str to Sample
        Hashes of values of columns that may name people.
    strata : polars.DataFrame or None
        Values that name strata, how many people each has, and how many of them are
        counted there alone.
    counted : Counter
        What is wrong with units, strata and weights, and how often.
    """

    n_records: int
    n_people: int
    names: dict[str, Sample]
    strata: pl.DataFrame | None = None
    counted: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(
        cls,
        task: Task,
        table: nw.DataFrame,
        people: pl.Series | None,
        n_records: int,
    ) -> Beside:
        """That of a part of a table, which may have no columns, and whose it is."""
        native = table.to_native()
        return cls(
            n_records,
            n_records if people is None else people.n_unique(),
            {name: _held(task, native, name) for name in task.may_name_people()},
            _strata(task, native, people),
            _counted(task, table, people),
        )

    def __add__(self, other: Beside) -> Beside:
        strata = self.strata
        if strata is not None and other.strata is not None:
            both = pl.concat([strata, other.strata], how="vertical_relaxed")
            names = [name for name in both.columns if name not in (COUNT, OWN)]
            strata = both.group_by(names).agg(pl.col(COUNT, OWN).sum())
        return Beside(
            self.n_records + other.n_records,
            self.n_people + other.n_people,
            added(self.names, other.names),
            strata,
            self.counted + other.counted,
        )


def _held(task: Task, table: pl.DataFrame, name: str) -> Sample:
    """Values of a column that may name people, those of identifiers unseen."""
    marks = as_marks(task.marks).also("")
    all_of_them = table.height + 1 if task.whole else 0
    if name not in task.carried:
        alike = alike_values(table, name, marks)
        return Sample.of(alike, all_of_them or VALUES_OF_IDENTIFIERS).without_values()
    values, by = known_values(table[name], marks).to_frame(), None
    if task.unit is not None:  # people and values, each pair once, with its records
        known = ~is_missing(nw.from_native(table[name], series_only=True), marks)
        people = task.people(table.filter(pl.Series(known)))
        each = values.with_columns(people).group_by(name, PERSON)
        values, by = each.agg(pl.len().cast(pl.Int64).alias(RECORDS)), [name]
    sample = Sample.of(values, all_of_them or MAX_READ_VALUES, by=by)
    if values.schema[name] == pl.String:
        sample = sample.shortened(name, MAX_READ_CHARACTERS)
    return sample


def alike_values(table: pl.DataFrame, name: str, marks: Marks) -> pl.DataFrame:
    """Values of a column that are there, however they are written."""
    return written_alike(known_values(table[name], marks)).to_frame()


def _strata(
    task: Task, native: pl.DataFrame, people: pl.Series | None
) -> pl.DataFrame | None:
    names = list(task.recipe.strata)
    if not names:
        return None
    frame = of_people(as_polars(native, names), names, people)
    once = pl.lit(True)
    if people is not None:
        frame, once = frame.sort(names), pl.col(PERSON).is_first_distinct()
    counts = [pl.len().alias(COUNT), pl.col(OWN).sum()]
    counted = frame.with_columns(once.alias(OWN)).group_by(names).agg(counts)
    return counted.cast({COUNT: pl.Int64, OWN: pl.Int64})


def _counted(task: Task, table: nw.DataFrame, people: pl.Series | None) -> Counter[str]:
    """What is wrong with units, strata and weights."""
    recipe, counted = task.recipe, Counter[str]()
    names = list(recipe.strata)
    if recipe.weights is not None:
        codes = None if people is None else np.unique(people, return_inverse=True)[1]
        given = (recipe.weights, task.marks, recipe.decimal, codes)
        counted += read_weights(table, *given)[1]
    for name in names:
        counted[missing_in(name)] = int(is_missing(table[name]).sum())
    if task.unit is not None:
        missing = is_missing(table[task.unit], as_marks(task.marks).also(""))
        counted[NO_UNIT] = int(missing.sum())
        counted[SPELT_DIFFERENTLY] = n_written_differently(table, task.unit)
    if people is not None:
        counted[SEVERAL_RECORDS] = people.filter(people.is_duplicated()).n_unique()
    if names and people is not None:
        frame = of_people(as_polars(table.to_native(), names), names, people)
        crossing = frame.filter(frame[PERSON].is_duplicated())
        counted[CROSSING] = crossing[PERSON].n_unique()
    return +counted


class Checked(NamedTuple):
    """What is to be known of a table that may be released.

    Attributes
    ----------
    decide : list of str
        What is to be decided of columns that are released as they are.
    people, weights : list of str
        What is to be known of people, and of what they weigh.
    strata : Strata or None
    """

    decide: list[str]
    people: list[str]
    weights: list[str]
    strata: Strata | None


def checked(task: Task, beside: Beside, known: Mapping[str, str]) -> Checked:
    """Refuse a table of which people, strata or weights are not as they should be.

    Counts are those of the values with the least hashes: of a table of more values
    than a sample holds, `sampled_numbers` says which identifiers are to be looked
    through.

    Parameters
    ----------
    task : Task
    beside : Beside
        Of the whole table.
    known : mapping of str to str
        What columns that are released as they are tell of others.
    """
    recipe, weights = task.recipe, list[str]()
    refuse_few_people(beside.n_people, recipe)
    people = _refuse_numbers(task, beside)
    said = {}
    for name in task.carried:
        held = Held.of(name, beside.names[name], beside.n_people)
        said[name] = said_of_released(name, held, recipe)
        if recipe.unit_records == APART:
            refuse_links(name, beside.names[name], beside.counted[SEVERAL_RECORDS])
    decide = allowed_first(said, recipe, known)
    if recipe.weights is not None:
        refuse_weights(recipe.weights, beside.counted)
        by_unit = task.unit is not None
        weights = said_of_weights(recipe.weights, beside.counted, recipe.k, by_unit)
    strata = Strata.of(beside.strata, beside.counted, recipe)
    return Checked(decide, people, weights, strata)


def _refuse_numbers(task: Task, beside: Beside) -> list[str]:
    """Refuse identifiers that repeat; what is to be known of columns without a role."""
    recipe, notices = task.recipe, list[str]()
    if task.unit is not None:
        refuse_no_unit(task.unit, beside.counted[NO_UNIT])
        notices += said_of_spelling(task.unit, beside.counted[SPELT_DIFFERENTLY])
    if recipe.unit_records == APART:
        notices.append(
            f"records of one {recipe.unit!r} may be in several classes, each of k "
            "people: who knows several of them looks for people who are in all, "
            "and these may be fewer than k"
        )
    numbered = {n for n in recipe.schema.identifiers if n != recipe.weights}
    counts = {
        name: (_n_values(sample), sample.n_records)
        for name, sample in beside.names.items()
    }
    unique = [n for n in counts if n in numbered and counts[n][0] == beside.n_records]
    for name, (n_values, n_known) in counts.items():
        if name in numbered and n_known > n_values:
            estimated = "" if beside.names[name].complete else "about "
            raise repeats_people(name, f"{estimated}{n_values}", n_known, unique)
        if name in task.unnamed and beside.n_records >= MIN_PEOPLE:
            notices += said_of_unnamed(name, n_values, n_known, recipe)
    return notices


def sampled_numbers(task: Task, beside: Beside) -> list[str]:
    """Identifiers with more values than a sample holds: any may repeat unseen."""
    numbered = [n for n in task.recipe.schema.identifiers if n != task.recipe.weights]
    held = [(n, beside.names[n]) for n in numbered if n in beside.names]
    return [name for name, sample in held if not sample.complete]


def refuse_repeats(name: str, files: Sequence[Path]) -> None:
    """Refuse an identifier of which two hashes are equal, in the files of all parts.

    Of a thousand million values that differ, two have one hash with a chance of 3 %.

    Parameters
    ----------
    name : str
    files : sequence of Path
        Hashes in ascending order, as numpy writes them.
    """
    parts = [np.load(file, mmap_mode="r") for file in files]
    n_known = sum(part.size for part in parts)
    n_ranges = -(-n_known // NUMBERS_AT_ONCE)
    ends = [2**64 * place // n_ranges for place in range(1, n_ranges)]
    cuts = [np.searchsorted(part, np.array(ends, dtype=np.uint64)) for part in parts]
    for place in range(n_ranges):
        some = [
            part[slice(*np.concatenate([[0], cut, [part.size]])[place : place + 2])]
            for part, cut in zip(parts, cuts, strict=True)
        ]
        hashes = np.sort(np.concatenate(some))
        if (hashes[1:] == hashes[:-1]).any():
            raise repeats_people(name, f"fewer than {n_known}", n_known)


def _n_values(sample: Sample) -> int:
    """How many distinct values a column has, by how often those of a sample occur.

    Where none of them repeats they are as many as the records, which an estimate by
    the least hashes would not be.
    """
    if sample.complete:
        return sample.rows.height
    return round(sample.n_records / sample.rows[COUNT].to_numpy().mean())
