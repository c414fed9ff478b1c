"""Stata files, with labels, formats and the missing values .a to .z."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from microcell.io._format_limits import shown_without_empty
from microcell.io._notes import ColumnNotes, notes_in
from microcell.io._statistics import Notes, Program, storable

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
        for name, note in notes_in(layouts, frame, "Stata").items()
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


def _lettered(stored: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Letters in the places of missing numbers, as pyreadstat takes them."""
    columns = []
    for name, letters in _kinds(notes).items():
        both = zip(stored[name], letters, strict=True)
        cells = [number if letter is None else letter for number, letter in both]
        columns.append(pl.Series(name, cells, dtype=pl.Object))
    return stored.with_columns(columns)


def _kinds(notes: Notes) -> dict[str, pl.Series]:
    return {n: note.kinds for n, note in notes.items() if note.kinds is not None}


def _options(notes: Notes, stored: pl.DataFrame, labels: Any) -> dict[str, Any]:
    return {
        "variable_value_labels": labels,
        "missing_user_values": {
            n: sorted(kinds.drop_nulls().unique()) for n, kinds in _kinds(notes).items()
        },
        "variable_format": {
            n: note.format
            for n, note in notes.items()
            if note.format and stored[n].dtype != pl.String
        },
    }


STATA = Program(
    "Stata",
    "read_dta",
    "write_dta",
    stamp=b"01 Jan 2000 00:00",
    places=(122,),
    limits=[("numbers beyond 1e307", _too_large)],
    is_name=_is_name,
    ignores_case=False,
    noted=noted_in_stata,
    lettered=_lettered,
    options=_options,
).format(
    "Stata",
    ".dta",
    shown=shown_in_stata,
    second=read_by_pandas,
    holds_kinds="Stata",
    noted=noted_in_stata,
)
