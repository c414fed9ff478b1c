"""SPSS files, with labels, measurement levels and user-missing values."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from microcell.io._format import Dialect, Format, Source
from microcell.io._notes import ColumnNotes, notes_in
from microcell.io._statistics import (
    ENDS_IN_SPACE,
    Program,
    alike_names,
    forget_when,
    longer_than,
    read_statistics,
    shown_in_statistics,
    statistics_columns,
    storable,
    unholdable,
    value_labels,
    writing,
)

SPSS_PROGRAM = Program("SPSS", "read_sav")
FIRST_DAY_OF_SPSS = datetime.date(1582, 10, 15)  # of the calendar that SPSS counts in
LONGEST_IN_SPSS = 64  # bytes
WRITTEN_IN_SPSS = (b"01 Jan 0000:00:00", (92,))  # when, and where it stands
RESERVED_IN_SPSS = "all and by eq ge gt le lt ne not or to with".split()
NUMBER_FORMAT = re.compile(r"^(F|COMMA|DOT|DOLLAR|PCT|N|E)[0-9]")  # formats of numbers


def read_spss(path: str | Path, name: str | Path, dialect: Dialect) -> Source:
    """The table of a .sav or .zsav file."""
    return read_statistics(path, name, SPSS_PROGRAM)


noted_in_spss = partial(notes_in, program=SPSS_PROGRAM.name)


def shown_in_spss(frame: pl.DataFrame, layouts: Mapping[str, Any]) -> pl.DataFrame:
    """Values, and the codes of those that are missing."""
    return shown_in_statistics(with_codes(frame, layouts), layouts)


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
    limits = [longer_than(32_767), ENDS_IN_SPACE, ("dates before 1582", _too_early)]
    return unholdable(frame, limits, _is_name) | alike_names(frame)


def _too_early(series: pl.Series) -> bool:
    if series.dtype not in (pl.Date, pl.Datetime):
        return False
    return bool((series.cast(pl.Date) < FIRST_DAY_OF_SPSS).any())


def _is_name(name: str) -> bool:
    plain = re.fullmatch(r"[^\W\d_][\w.$#@]*", name) and not name.endswith((".", "_"))
    short = len(name.encode()) <= LONGEST_IN_SPSS
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
    stored = shown.with_columns(storable(series) for series in shown.iter_columns())
    labels = {n: value_labels(shown[n], notes.get(n), stored[n]) for n in shown.columns}
    with writing(SPSS_PROGRAM.name) as pyreadstat:
        pyreadstat.write_sav(
            stored,
            str(path),
            column_labels={n: note.label for n, note in notes.items() if note.label},
            variable_value_labels={n: said for n, said in labels.items() if said},
            missing_ranges={n: _ranges(m) for n, m in notes.items() if m.missing},
            variable_measure={n: m.measure for n, m in notes.items() if m.measure},
            variable_format=_formats(notes, stored),
            compress=compress,
        )
    forget_when(path, *WRITTEN_IN_SPSS)


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
    return Format(
        name=name,
        suffixes=(suffix,),
        typed=True,
        read=read_spss,
        columns=partial(statistics_columns, program=SPSS_PROGRAM),
        write=partial(write_spss, compress=compress),
        shown=shown_in_spss,
        cannot_hold=not_in_spss,
        reader="pyreadstat",
        holds_kinds=SPSS_PROGRAM.name,
        noted=noted_in_spss,
    )


SPSS = _format("SPSS", ".sav", compress=False)
ZSAV = _format("compressed SPSS", ".zsav", compress=True)
