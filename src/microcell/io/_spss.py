"""SPSS files, with labels, measurement levels and user-missing values."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from microcell.io._format import Dialect, Format
from microcell.io._limits import before, shown_without_empty
from microcell.io._notes import ColumnNotes, notes_in
from microcell.io._statistics import (
    ENDS_IN_SPACE,
    Program,
    as_stored,
    longer_than,
    same_names,
    unholdable,
    value_labels,
    write_statistics,
)

SPSS_PROGRAM = Program(
    "SPSS", "read_sav", "write_sav", stamp=b"01 Jan 0000:00:00", places=(92,)
)
FIRST_DAY_OF_SPSS = datetime.date(1582, 10, 15)  # of the calendar that SPSS counts in
MAX_NAME_BYTES = 64
RESERVED_IN_SPSS = "all and by eq ge gt le lt ne not or to with".split()
NUMBER_FORMAT = re.compile(r"^(F|COMMA|DOT|DOLLAR|PCT|N|E)[0-9]")  # formats of numbers


noted_in_spss = partial(notes_in, program=SPSS_PROGRAM.name)


def shown_in_spss(frame: pl.DataFrame, layouts: Mapping[str, Any]) -> pl.DataFrame:
    """Values, and the codes of those that are missing."""
    return shown_without_empty(with_codes(frame, layouts), layouts)


def with_codes(frame: pl.DataFrame, layouts: Mapping[str, Any]) -> pl.DataFrame:
    """A table with the codes that stood for missing values in an SPSS file."""
    coded = [
        _coalesced(frame[name], notes.kinds)
        for name, notes in noted_in_spss(layouts, frame).items()
        if notes.kinds is not None
    ]
    return frame.with_columns(coded)


def _coalesced(series: pl.Series, kinds: pl.Series) -> pl.Series:
    both = pl.DataFrame([series.alias("values"), kinds.alias("kinds")])
    return both.select(pl.coalesce("values", "kinds")).to_series().alias(series.name)


def not_in_spss(frame: pl.DataFrame, dialect: Dialect) -> dict[str, str]:
    """Columns of which SPSS would change a value or the name."""
    limits = [
        longer_than(32_767),
        ENDS_IN_SPACE,
        before(FIRST_DAY_OF_SPSS, "dates before 1582"),
    ]
    return unholdable(frame, limits, _is_name) | same_names(frame)


def _is_name(name: str) -> bool:
    plain = re.fullmatch(r"[^\W\d_][\w.$#@]*", name) and not name.endswith((".", "_"))
    short = len(name.encode()) <= MAX_NAME_BYTES
    return bool(plain) and short and name.lower() not in RESERVED_IN_SPSS


def write_spss(
    frame: pl.DataFrame,
    path: str | Path,
    layouts: Mapping[str, Any],
    dialect: Dialect,
    compress: bool,
) -> None:
    """Write a .sav or .zsav file; labels of values that occur, and nothing else."""
    notes = noted_in_spss(layouts, frame)
    shown = shown_in_spss(frame, layouts)
    stored = as_stored(shown)
    labels = {n: value_labels(shown[n], notes.get(n), stored[n]) for n in shown.columns}
    write_statistics(
        stored,
        path,
        SPSS_PROGRAM,
        notes,
        variable_value_labels={n: said for n, said in labels.items() if said},
        missing_ranges={n: _ranges(m) for n, m in notes.items() if m.missing},
        variable_measure={n: m.measure for n, m in notes.items() if m.measure},
        variable_format=_formats(notes, stored),
        compress=compress,
    )


def _ranges(note: ColumnNotes) -> list[Any]:
    return [
        low if isinstance(low, str) else {"lo": float(low), "hi": float(high)}
        for low, high in note.missing
    ]


def _formats(notes: Mapping[str, ColumnNotes], stored: pl.DataFrame) -> dict[str, str]:
    """Formats as they were read, and whole numbers without decimals.

    The width of text is its own, and that of numbers leaves room for means.
    """
    formats = {
        name: "F8.0" for name, dtype in stored.schema.items() if dtype == pl.Int32
    }
    for name, note in notes.items():
        of_number = bool(NUMBER_FORMAT.match(note.format))
        if note.format and (of_number or stored[name].dtype.is_temporal()):
            formats[name] = note.format
    return formats


def _format(name: str, suffix: str, compress: bool) -> Format:
    return SPSS_PROGRAM.format(
        name,
        suffix,
        write=partial(write_spss, compress=compress),
        shown=shown_in_spss,
        cannot_hold=not_in_spss,
        holds_kinds=SPSS_PROGRAM.name,
        noted=noted_in_spss,
    )


SPSS = _format("SPSS", ".sav", compress=False)
ZSAV = _format("compressed SPSS", ".zsav", compress=True)
