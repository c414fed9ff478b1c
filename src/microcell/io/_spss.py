"""SPSS files, with labels, measurement levels and user-missing values."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import polars as pl

from microcell.io._format_limits import before, shown_without_empty
from microcell.io._notes import ColumnNotes, notes_in
from microcell.io._statistics import (
    ENDS_IN_SPACE,
    Notes,
    Program,
    longer_than,
    write_statistics,
)

FIRST_DAY_OF_SPSS = datetime.date(1582, 10, 15)  # of the calendar that SPSS counts in
MAX_NAME_BYTES = 64
RESERVED_IN_SPSS = "all and by eq ge gt le lt ne not or to with".split()
NUMBER_FORMAT = re.compile(r"^(F|COMMA|DOT|DOLLAR|PCT|N|E)[0-9]")  # formats of numbers


noted_in_spss = partial(notes_in, program="SPSS")


def shown_in_spss(frame: pl.DataFrame, layouts: Mapping[str, Any]) -> pl.DataFrame:
    """Values, and the codes of those that are missing."""
    coded = [
        pl.select(pl.coalesce(frame[name], note.kinds)).to_series().alias(name)
        for name, note in noted_in_spss(layouts, frame).items()
        if note.kinds is not None
    ]
    return shown_without_empty(frame.with_columns(coded), layouts)


def _is_name(name: str) -> bool:
    plain = re.fullmatch(r"[^\W\d_][\w.$#@]*", name) and not name.endswith((".", "_"))
    short = len(name.encode()) <= MAX_NAME_BYTES
    return bool(plain) and short and name.lower() not in RESERVED_IN_SPSS


def _options(notes: Notes, stored: pl.DataFrame, labels: Any) -> dict[str, Any]:
    return {
        "variable_value_labels": labels,
        "missing_ranges": {n: _ranges(m) for n, m in notes.items() if m.missing},
        "variable_measure": {n: m.measure for n, m in notes.items() if m.measure},
        "variable_format": _formats(notes, stored),
    }


def _ranges(note: ColumnNotes) -> list[Any]:
    return [
        low if isinstance(low, str) else {"lo": float(low), "hi": float(high)}
        for low, high in note.missing
    ]


def _formats(notes: Notes, stored: pl.DataFrame) -> dict[str, str]:
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


SPSS_PROGRAM = Program(
    "SPSS",
    "read_sav",
    "write_sav",
    stamp=b"01 Jan 0000:00:00",
    places=(92,),
    limits=(
        longer_than(32_767),
        ENDS_IN_SPACE,
        before(FIRST_DAY_OF_SPSS, "dates before 1582"),
    ),
    is_name=_is_name,
    shown=shown_in_spss,
    options=_options,
)
_format = partial(SPSS_PROGRAM.format, holds_kinds="SPSS", noted=noted_in_spss)
SPSS = _format("SPSS", ".sav")
ZSAV = _format(
    "compressed SPSS",
    ".zsav",
    write=partial(write_statistics, program=SPSS_PROGRAM, compress=True),
)
