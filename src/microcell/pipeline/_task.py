"""Task: a recipe for a table that is seen part by part, before anything is learnt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from microcell.columns import (
    DECIMAL_OF_OTHERS,
    ENCODERS,
    Encoder,
    Marks,
    Options,
    Reading,
    as_marks,
    check_reading,
    check_releasable,
    decimal_of_others,
    is_missing,
    is_text_table,
    marks_of,
)
from microcell.exceptions import absent_column
from microcell.io import Layout
from microcell.pipeline._beside import Beside, alike_values, sampled_numbers
from microcell.pipeline._column_summary import learn_column, resolved_encoder
from microcell.pipeline._job import Job
from microcell.pipeline._make_job import make_job
from microcell.pipeline._order_statistics import learnt_limits
from microcell.pipeline._parts_of_text import TextTypes, learn_types, record_numbers
from microcell.pipeline._people import (
    check_allowed,
    unnamed_numbers,
    written_alike,
)
from microcell.pipeline._plan import (
    all_promises,
    column_options,
    confidential_reading,
)
from microcell.pipeline._refuse import refuse_measures, refuse_recipe
from microcell.pipeline._sample import Sample, person_of, row_hash
from microcell.pipeline._sampled import (
    SAMPLED,
    SAMPLED_BESIDE,
    FirstPass,
    sampled_column,
)
from microcell.pipeline._table_summary import TableSummary
from microcell.pipeline._values import Values, columns_of, of_people
from microcell.privacy import CellModel
from microcell.recipe import RECORDS, Recipe

VALUES_OF_IDENTIFIERS = 200_000  # in which a value that repeats is looked for
MAX_READ_CHARACTERS = 200  # characters of a text that tell what it is


class Task:
    """What is to be done with a table, and how its parts are looked at.

    Parts are polars dataframes with the columns of `needs`; how the table is split,
    and in which order parts come, changes nothing.

    Parameters
    ----------
    recipe : Recipe
        What shards cannot do is refused here.
    table : mapping of str to polars.DataType, or narwhals.DataFrame
        All columns of the table; or the table itself, if it is in memory as a whole:
        then nothing that needs all of its records is refused, and all of its values are
        looked at.
    as_text : bool
        Whether it comes from a text file: columns of text are read as what they stand
        for.
    notices : sequence of str
        What was found out before, for the owner.
    remember : bool, default=False
        Whether a sample of the records stays beside the release, for its report.

    Attributes
    ----------
    needs : list of str
        Columns to be read.
    """

    def __init__(
        self,
        recipe: Recipe,
        table: Mapping[str, Any] | nw.DataFrame,
        as_text: bool = False,
        notices: Sequence[str] = (),
        remember: bool = False,
    ) -> None:
        self.whole = isinstance(table, nw.DataFrame)
        if not self.whole:
            refuse_recipe(recipe)
            refuse_measures(recipe)
        self.recipe = recipe
        self.schema = dict(table.schema if isinstance(table, nw.DataFrame) else table)
        self.notices = list(notices)
        self.remember = remember
        columns = list(self.schema)
        self.released = recipe.schema.released(columns)
        self.left_out = recipe.schema.left_out(columns)
        self.masked = list(recipe.schema.quasi_identifiers)
        self.carried = [name for name in self.released if name not in self.masked]
        if isinstance(table, nw.DataFrame):
            known, all_text = table, is_text_table(table)
        else:
            known = nw.from_native(pl.DataFrame(schema=self.schema), eager_only=True)
            all_text = all(dtype == pl.String for dtype in self.schema.values())
        self.as_text = as_text or all_text
        self.marks: Marks = marks_of(recipe.missing_marks, self.as_text, self.masked)
        self.reading = Reading(recipe.decimal, recipe.dates)
        text = [*self.masked, *recipe.schema.confidential]
        check_reading([known], text, self.reading)
        self.comparing = confidential_reading(recipe)
        check_allowed(recipe, columns)
        self.unnamed = unnamed_numbers(known, recipe)
        beside = {*recipe.strata, recipe.weights} - {None}
        for option, names in (("strata", recipe.strata), ("weights", [recipe.weights])):
            for name in names:
                if name is not None and name not in columns:
                    raise absent_column(name, option, columns)
        looked_at = {*self.released, *recipe.schema.identifiers, *self.unnamed, *beside}
        self.needs = [name for name in columns if name in looked_at]
        for name in () if self.whole else self.released:
            check_releasable(known[name])
        self.types: TextTypes | None = None
        self.learnt: list[Encoder] = []  # from all records, where they are in memory
        self.limits: dict[str, tuple[float, float]] = {}

    @property
    def unit(self) -> str | None:
        """The column that says whose each record is, if a person may have several.

        Then a part has all records of each of its people.
        """
        return None if self.recipe.unit == RECORDS else self.recipe.unit

    @property
    def layouts(self) -> dict[str, Layout]:
        """How columns of text wrote their numbers and dates."""
        return {} if self.types is None else self.types.layouts

    def bucket(self, frame: pl.DataFrame, n_buckets: int) -> pl.Series:
        """Which part each record belongs to, by whose it is, however that is spelt."""
        alike = written_alike(frame[str(self.unit)])
        return (person_of(alike).reinterpret(signed=False) % n_buckets).cast(pl.Int32)

    def people(self, frame: pl.DataFrame) -> pl.Series | None:
        """Whose each record is, as a number; None where every record is a person."""
        return None if self.unit is None else person_of(frame[self.unit])

    @property
    def needs_first_pass(self) -> bool:
        """Whether `first_pass` of all parts, and `typed`, come before `learn`."""
        return self.types is None and bool(self._texts)

    @property
    def _texts(self) -> list[str]:
        """Quasi-identifiers of text that may stand for numbers or dates."""
        texts = [name for name in self.masked if self.schema[name] == pl.String]
        if self.as_text:
            return texts
        kinds = self.recipe.schema.kinds
        declared = [
            name
            for name in texts
            if ENCODERS.of(self.reading.kind(name, kinds)).measured
        ]
        return texts if self.reading.decimal is not None else declared

    @property
    def _beside(self) -> list[str]:
        """Columns that are released as they are, where they say the decimal mark."""
        if not self.as_text or self.recipe.decimal is not None:
            return []
        return [name for name in self.carried if self.schema[name] == pl.String]

    def first_pass(self, frame: pl.DataFrame) -> FirstPass:
        """Some of the distinct texts of a part; they add up."""
        texts = Sample.of(frame.select(self._texts), SAMPLED)
        if not self._beside:
            return FirstPass(texts)
        beside = Sample.of(frame.select(self._beside), SAMPLED_BESIDE)
        for name in self._beside:
            beside = beside.shortened(name, MAX_READ_CHARACTERS)
        return FirstPass(texts, beside)

    def typed(self, seen: FirstPass) -> Task:
        """The task with what the texts of a table stand for."""
        kinds = self.recipe.schema.kinds
        known = seen.texts.frame.select(self._texts)
        done = object.__new__(Task)
        done.__dict__ = dict(self.__dict__)
        if seen.beside is not None and decimal_of_others(known, seen.beside.frame):
            done.recipe = replace(self.recipe, decimal=",")
            done.reading = done.reading._replace(decimal=",")
            done.comparing = confidential_reading(done.recipe)
            done.notices = [*self.notices, DECIMAL_OF_OTHERS]
        done.types = learn_types(known, kinds, self.marks, done.reading, self.as_text)
        return done

    def learn(self, frame: pl.DataFrame, first: int | None = 0) -> TableSummary:
        """What a part says of the whole; summaries add up.

        Parameters
        ----------
        frame : polars.DataFrame
        first : int, optional
            Number of records before this part, for errors; None if not known.
        """
        table, absent, kept = self._taking_part(frame, first)
        n_missing = {name: int(mask.sum()) for name, mask in absent.items()}
        options = self.options()
        records = record_numbers(frame.height, first)[kept]
        carried = table.to_native()
        people = self.people(carried)
        columns, sampled = [], [] if people is None else [people]
        for j, name in enumerate(self.masked):
            there = ~absent[name][kept]
            kind = self.recipe.schema.kinds.get(name)
            summary, values = learn_column(
                table[name],
                there,
                kind,
                options[name],
                records,
                people,
                self.recipe.rare == "merge",
                self.limits.get(name),
            )
            columns.append(summary)
            of_part = kind if isinstance(kind, str) or kind is None else "ordinal"
            if summary.encoder is not None:
                of_part = summary.encoder.kind
            sampled.append(
                sampled_column(j, name, of_part or "nominal", values, table[name])
            )
        return TableSummary(
            frame.height,
            n_missing,
            columns,
            Sample.of(pl.DataFrame(sampled), SAMPLED),
            [
                Values.of(
                    of_people(carried, names, people),
                    list(names),
                    reading=self.comparing,
                )
                for names in self.promised_columns()
            ],
            Beside.of(self, table, people, len(table)),
        )

    def learn_again(self, summary: TableSummary) -> Task | None:
        """The task with limits that are percentages of all records; None without any.

        What lies beyond them is known only when all parts were seen, so that all are
        learnt once more.
        """
        limits = learnt_limits(self, summary)
        if not limits:
            return None
        done = object.__new__(Task)
        done.__dict__ = self.__dict__ | {"limits": limits}
        return done

    def numbers(self, name: str, frame: pl.DataFrame) -> np.ndarray:
        """Hashes of an identifier of a part, in ascending order, to find repeats."""
        table = self._taking_part(frame, None)[0]
        marks = as_marks(self.marks).also("")
        return np.sort(
            row_hash(alike_values(table.to_native(), name, marks)).to_numpy()
        )

    def _taking_part(
        self, frame: pl.DataFrame, first: int | None
    ) -> tuple[nw.DataFrame, dict[str, np.ndarray], np.ndarray]:
        """Records that take part, what is missing in all, and which of them do."""
        table = self.read(frame, first)
        absent = self.absent(table)
        kept = self.kept(absent, frame.height)
        return table if kept.all() else table.filter(kept.tolist()), absent, kept

    def sampled_numbers(self, summary: TableSummary) -> list[str]:
        """Identifiers with more values than `summary` has looked at."""
        return sampled_numbers(self, summary.beside)

    def plan(self, summary: TableSummary) -> Job:
        """What every engine runs, from the statistics of the whole table."""
        return make_job(self, summary)

    def read(self, frame: pl.DataFrame, first: int | None = 0) -> nw.DataFrame:
        """A part with its text read as what it stands for."""
        table = nw.from_native(frame, eager_only=True)
        return table if self.types is None else self.types.read(table, first)

    def absent(self, table: nw.DataFrame) -> dict[str, np.ndarray]:
        """Which values of each quasi-identifier are missing."""
        return {name: is_missing(table[name], self.marks) for name in self.masked}

    def kept(self, absent: Mapping[str, np.ndarray], n_records: int) -> np.ndarray:
        """Which records take part."""
        if self.recipe.missing != "drop":
            return np.ones(n_records, dtype=bool)
        return ~np.logical_or.reduce(list(absent.values()))

    def options(self) -> dict[str, Options]:
        """What was declared of each quasi-identifier beside its kind."""
        options = column_options(self.recipe)
        for name, given in options.items():
            if given.clip is not None:  # percentages are learnt from all records
                options[name] = given._replace(clip=given.clip.of_values())
        for name, source in self.recipe.schema.hierarchies.items():
            options[name] = options[name]._replace(hierarchy=source)
        for name, layout in self.layouts.items():
            if name in options:
                options[name] = options[name]._replace(layout=layout)
        return options

    def encoders(self, summary: TableSummary) -> list[Encoder]:
        """What is learnt of each quasi-identifier from the whole table."""
        options, kinds = self.options(), self.recipe.schema.kinds
        found = [copy(encoder) for encoder in self.learnt] or [
            resolved_encoder(column, kinds.get(column.name), options[column.name])
            for column in summary.columns
        ]
        for encoder in found:
            if encoder.name in self.limits:
                limits = self.limits[encoder.name]
                encoder.extras = encoder.extras._replace(limits=limits)
        return found

    def promised_columns(self) -> list[tuple[str, ...]]:
        """Columns that something is promised of, alone or together."""
        promises = all_promises(self.recipe)
        return sorted({columns_of(p) for p in promises if isinstance(p, CellModel)})

    def may_name_people(self) -> list[str]:
        """Columns whose values may be those of one person each."""
        stated = self.recipe.unit is not None  # or records are said to be people
        identifiers = [] if stated else list(self.recipe.schema.identifiers)
        return list(dict.fromkeys([*identifiers, *self.unnamed, *self.carried]))
