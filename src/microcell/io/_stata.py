"""Stata files, with labels, formats and the missing values .a to .z."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from microcell.io._format import Dialect
from microcell.io._limits import shown_without_empty
from microcell.io._notes import ColumnNotes, notes_in
from microcell.io._statistics import (
    Program,
    as_stored,
    storable,
    unholdable,
    value_labels,
    write_statistics,
)

STATA_PROGRAM = Program(
    "Stata", "read_dta", "write_dta", stamp=b"01 Jan 2000 00:00", places=(122,)
)
MAX_NAME_CHARACTERS = 32
RESERVED_IN_STATA = (
    "_all _b byte _coef _cons double float if in int long _n _N _pi _pred _rc _skip "
    "strL using with"
).split()


def read_by_pandas(path: str | Path) -> tuple[str, pl.DataFrame] | None:
    """The same by pandas, which has a reader of its own; None if it is not here."""
    try:
        import pandas
    except ModuleNotFoundError:
        return None
    with open(path, "rb") as file:
        frame = pandas.read_stata(file, convert_categoricals=False)
    return "pandas", pl.from_pandas(frame, nan_to_null=True)


def noted_in_stata(
    layouts: Mapping[str, Any], frame: pl.DataFrame
) -> dict[str, ColumnNotes]:
    """Notes as Stata has them: only integers of its own have labels of values."""
    return {
        name: note
        if storable(frame[name]).dtype == pl.Int32
        else note._replace(values={})
        for name, note in notes_in(layouts, frame, STATA_PROGRAM.name).items()
    }


def shown_in_stata(frame: pl.DataFrame, layouts: Mapping[str, Any]) -> pl.DataFrame:
    """Values, and as text the columns whose missing values have letters."""
    lettered = [
        pl.select(
            pl.coalesce(frame[name].cast(pl.String), "." + notes.kinds.cast(pl.String))
        )
        .to_series()
        .alias(name)
        for name, notes in noted_in_stata(layouts, frame).items()
        if notes.kinds is not None
    ]
    return shown_without_empty(frame, layouts).with_columns(lettered)


def not_in_stata(frame: pl.DataFrame, dialect: Dialect) -> dict[str, str]:
    """Columns of which Stata would change a value or the name."""
    return unholdable(frame, [("numbers beyond 1e307", _too_large)], _is_name)


def _too_large(series: pl.Series) -> bool:
    return series.dtype.is_float() and bool((series.abs() > 1e307).any())


def _is_name(name: str) -> bool:
    plain = re.fullmatch(r"[^\W\d]\w*", name) is not None
    numbered = re.fullmatch(r"str[0-9]+", name) is not None
    return (
        plain
        and len(name) <= MAX_NAME_CHARACTERS
        and name not in RESERVED_IN_STATA
        and not numbered
    )


def write_stata(
    frame: pl.DataFrame, path: str | Path, layouts: Mapping[str, Any], dialect: Dialect
) -> None:
    """Write a .dta file; labels of values that occur, and nothing else."""
    notes = noted_in_stata(layouts, frame)
    shown = shown_without_empty(frame, layouts)
    stored = as_stored(shown)
    labels = {
        name: value_labels(shown[name], notes.get(name), stored[name])
        for name, dtype in stored.schema.items()
        if dtype == pl.Int32
    }
    kinds = {n: note.kinds for n, note in notes.items() if note.kinds is not None}
    write_statistics(
        stored.with_columns(_lettered(stored[n], kinds[n]) for n in kinds),
        path,
        STATA_PROGRAM,
        notes,
        variable_value_labels={n: said for n, said in labels.items() if said},
        missing_user_values={
            n: sorted(letters.drop_nulls().unique()) for n, letters in kinds.items()
        },
        variable_format={
            n: note.format
            for n, note in notes.items()
            if note.format and stored[n].dtype != pl.String
        },
    )


def _lettered(series: pl.Series, letters: pl.Series) -> pl.Series:
    """Numbers with letters in the places of missing ones, as pyreadstat takes them."""
    cells = [
        number if letter is None else letter
        for number, letter in zip(series, letters, strict=True)
    ]
    return pl.Series(series.name, cells, dtype=pl.Object)


STATA = STATA_PROGRAM.format(
    "Stata",
    ".dta",
    write=write_stata,
    shown=shown_in_stata,
    cannot_hold=not_in_stata,
    second=read_by_pandas,
    holds_kinds=STATA_PROGRAM.name,
    noted=noted_in_stata,
)
