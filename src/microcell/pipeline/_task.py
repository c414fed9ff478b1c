"""Task: a recipe for a table that is seen part by part, before anything is learnt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from microcell.columns import (
    DECIMAL_OF_OTHERS,
    ENCODERS,
    Marks,
    Options,
    Reading,
    as_marks,
    check_reading,
    check_releasable,
    decimal_of_others,
    is_missing,
    marks_of,
)
from microcell.pipeline._column_summary import learn_column
from microcell.pipeline._job import Job, make_job
from microcell.pipeline._parts_of_text import TextTypes, learn_types, record_numbers
from microcell.pipeline._people import (
    MAX_READ_VALUES,
    check_allowed,
    may_number_people,
    written_alike,
)
from microcell.pipeline._people_in_parts import sampled_numbers
from microcell.pipeline._plan import (
    all_promises,
    column_options,
    confidential_reading,
)
from microcell.pipeline._refuse import refuse_measures, refuse_recipe
from microcell.pipeline._sample import Sample, row_hash
from microcell.pipeline._sampled import (
    SAMPLED,
    SAMPLED_BESIDE,
    FirstPass,
    sampled_column,
)
from microcell.pipeline._table_summary import TableSummary
from microcell.pipeline._values import Values, columns_of
from microcell.privacy import CellModel
from microcell.recipe import Recipe

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
    schema : mapping of str to polars.DataType
        All columns of the table.
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
        schema: Mapping[str, Any],
        as_text: bool = False,
        notices: Sequence[str] = (),
        remember: bool = False,
    ) -> None:
        refuse_recipe(recipe)
        refuse_measures(recipe)
        self.recipe = recipe
        self.schema = dict(schema)
        self.notices = list(notices)
        self.remember = remember
        columns = list(schema)
        self.released = recipe.schema.released(columns)
        self.left_out = recipe.schema.left_out(columns)
        self.masked = list(recipe.schema.quasi_identifiers)
        self.carried = [name for name in self.released if name not in self.masked]
        self.as_text = as_text or all(t == pl.String for t in schema.values())
        self.marks: Marks = marks_of(recipe.missing_marks, self.as_text, self.masked)
        self.reading = Reading(recipe.decimal, recipe.dates)
        empty = nw.from_native(pl.DataFrame(schema=self.schema), eager_only=True)
        text = [*self.masked, *recipe.schema.confidential]
        check_reading([empty], text, self.reading)
        self.comparing = confidential_reading(recipe)
        check_allowed(recipe, columns)
        self.unnamed = self._unnamed(empty)
        looked_at = {*self.released, *recipe.schema.identifiers, *self.unnamed}
        self.needs = [name for name in columns if name in looked_at]
        for name in self.released:
            check_releasable(empty[name])
        self.types: TextTypes | None = None

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
        columns, sampled = [], []
        for j, name in enumerate(self.masked):
            there = ~absent[name][kept]
            kind = self.recipe.schema.kinds.get(name)
            summary, values = learn_column(
                table[name], there, kind, options[name], records
            )
            columns.append(summary)
            of_part = kind if isinstance(kind, str) or kind is None else "ordinal"
            if summary.encoder is not None:
                of_part = summary.encoder.kind
            sampled.append(
                sampled_column(j, name, of_part or "nominal", values, table[name])
            )
        carried = table.to_native()
        return TableSummary(
            frame.height,
            int(kept.sum()),
            n_missing,
            columns,
            Sample.of(pl.DataFrame(sampled), SAMPLED),
            [
                Values.of(carried, list(names), reading=self.comparing)
                for names in self.promised_columns()
            ],
            {name: self._held(table, name) for name in self.may_name_people()},
        )

    def numbers(self, name: str, frame: pl.DataFrame) -> np.ndarray:
        """Hashes of an identifier of a part, in ascending order, to find repeats."""
        table = self._taking_part(frame, None)[0]
        return np.sort(row_hash(self._alike(table, name)).to_numpy())

    def _taking_part(
        self, frame: pl.DataFrame, first: int | None
    ) -> tuple[nw.DataFrame, dict[str, np.ndarray], np.ndarray]:
        """Records that take part, what is missing in all, and which of them do."""
        table = self.read(frame, first)
        absent = self.absent(table)
        kept = self.kept(absent, frame.height)
        return table if kept.all() else table.filter(kept.tolist()), absent, kept

    def _known(self, table: nw.DataFrame, name: str) -> pl.DataFrame:
        """Values of a column that are there."""
        known = ~is_missing(table[name], as_marks(self.marks).also(""))
        values = table.select(name).to_native().filter(known)
        if values.schema[name] in (pl.Categorical, pl.Enum):
            values = values.cast(pl.String)
        return values

    def _alike(self, table: nw.DataFrame, name: str) -> pl.DataFrame:
        """Values of a column that are there, however they are written."""
        return self._known(table, name).select(pl.col(name).map_batches(written_alike))

    def _held(self, table: nw.DataFrame, name: str) -> Sample:
        """Values of a column that may name people, those of identifiers unseen."""
        if name not in self.carried:
            alike = self._alike(table, name)
            return Sample.of(alike, VALUES_OF_IDENTIFIERS).without_values()
        values = self._known(table, name)
        sample = Sample.of(values, MAX_READ_VALUES)
        if values.schema[name] == pl.String:
            sample = sample.shortened(name, MAX_READ_CHARACTERS)
        return sample

    def sampled_numbers(self, summary: TableSummary) -> list[str]:
        """Identifiers with more values than `summary` has looked at."""
        return sampled_numbers(self, summary)

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
        for name, source in self.recipe.schema.hierarchies.items():
            options[name] = options[name]._replace(hierarchy=source)
        layouts = {} if self.types is None else self.types.layouts
        for name, layout in layouts.items():
            if name in options:
                options[name] = options[name]._replace(layout=layout)
        return options

    def promised_columns(self) -> list[tuple[str, ...]]:
        """Columns that something is promised of, alone or together."""
        promises = all_promises(self.recipe)
        return sorted({columns_of(p) for p in promises if isinstance(p, CellModel)})

    def may_name_people(self) -> list[str]:
        """Columns whose values may be those of one person each."""
        stated = self.recipe.unit is not None
        identifiers = [] if stated else list(self.recipe.schema.identifiers)
        return list(dict.fromkeys([*identifiers, *self.unnamed, *self.carried]))

    def _unnamed(self, empty: nw.DataFrame) -> list[str]:
        """Columns without a role that may number people, where nobody said whom."""
        schema = self.recipe.schema
        if self.recipe.unit is not None:
            return []
        return [
            name
            for name in schema.unnamed(empty.columns)
            if may_number_people(name, empty[name].dtype, self.recipe)
        ]
