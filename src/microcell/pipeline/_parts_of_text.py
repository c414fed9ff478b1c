"""What the text of columns stands for, found out on a sample and held to by all parts.

A column is read as numbers or dates if the sample is; then every text must be one. A
text that does not fit is an error that names its record: nothing is guessed twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from microcell.columns import (
    CODE_WITH_ZERO,
    ENCODERS,
    Marks,
    Reading,
    columns_to_read,
    date_format,
    known_texts,
    read_text,
    read_text_table,
)
from microcell.exceptions import Option, SchemaError
from microcell.io import Layout


def record_numbers(n_records: int, first: int | None) -> np.ndarray:
    """Numbers of the records of a part, for errors; 0 where they are not known.

    Examples
    --------
    >>> record_numbers(3, 40), record_numbers(2, None)
    (array([41, 42, 43]), array([0, 0]))
    """
    if first is None:
        return np.zeros(n_records, dtype=np.int64)
    return np.arange(first + 1, first + 1 + n_records)


@dataclass(frozen=True)
class TextTypes:
    """How columns of text are read.

    Attributes
    ----------
    kinds : dict
        What each column is read as: "numeric", "date", or an order.
    declared : set of str
        Columns whose kind was declared.
    formats : dict
        Formats of dates that are not in ISO form.
    layouts : dict
        How columns wrote their numbers and dates.
    marks : Marks
        What stands for a missing value.
    decimal : str or None
        The decimal mark.
    """

    kinds: dict[str, Any] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)
    formats: dict[str, str] = field(default_factory=dict)
    layouts: dict[str, Layout] = field(default_factory=dict)
    marks: Marks = Marks()
    decimal: str | None = None

    def read(self, table: nw.DataFrame, first: int | None) -> nw.DataFrame:
        """A part of the table with types."""
        records = record_numbers(len(table), first)
        read = []
        for name, kind in self.kinds.items():
            if ENCODERS.of(kind).numbers and name not in self.declared:
                self._refuse_codes(table[name])
            read.append(
                read_text(
                    table[name],
                    kind,
                    self.marks.texts(name),
                    records,
                    decimal=self.decimal,
                    format=self.formats.get(name),
                )
            )
        return table.with_columns(*read)

    def _refuse_codes(self, series: nw.Series) -> None:
        known = known_texts(series, self.marks.texts(series.name))
        if known.str.contains(CODE_WITH_ZERO).any():
            raise SchemaError(
                f"Column {series.name!r} looks like numbers, but some have a zero in "
                "front, as codes do.",
                column=series.name,
                hint=[
                    "Say what it is with ",
                    Option("kinds", {series.name: "nominal"}),
                    " or ",
                    Option("kinds", {series.name: "numeric"}),
                    ".",
                ],
            )


def learn_types(
    sample: pl.DataFrame,
    kinds: Mapping[str, Any],
    marks: Marks,
    reading: Reading,
    as_text: bool,
) -> TextTypes:
    """How the text of a table is read, from distinct texts of its columns."""
    table = nw.from_native(sample, eager_only=True)
    names = list(sample.columns)
    records = record_numbers(sample.height, None)  # which they were, is forgotten
    if not as_text:
        names = columns_to_read(table, names, kinds, marks, reading, records)
    read, layouts = read_text_table(table, names, dict(kinds), marks, reading, records)
    found: dict[str, Any] = {}
    formats: dict[str, str] = {}
    for name in names:
        kind = reading.kind(name, kinds)
        dtype = read[name].dtype
        stays = kind is not None and not ENCODERS.of(kind).ordered
        if dtype == nw.String or stays:
            continue
        found[name] = kind
        if kind is None:
            found[name] = "numeric" if dtype.is_numeric() else "date"
        if ENCODERS.of(found[name]).moments:
            known = known_texts(table[name], marks.texts(name))
            format = reading.dates.get(name) or date_format(known, kind is not None)
            if format is not None:
                formats[name] = format
    declared = {name for name in names if reading.kind(name, kinds) is not None}
    return TextTypes(found, declared, formats, dict(layouts), marks, reading.decimal)
