"""SAS files: .sas7bdat is read, transport files (.xpt) are also written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from microcell.io._format import Dialect, Source
from microcell.io._limits import shown_without_empty
from microcell.io._notes import notes_in
from microcell.io._statistics import (
    ENDS_IN_SPACE,
    Program,
    as_stored,
    longer_than,
    read_statistics,
    same_names,
    unholdable,
    write_statistics,
)

SAS_PROGRAM = Program("SAS", "read_sas7bdat")
TRANSPORT = Program(
    "SAS",
    "read_xport",
    "write_xport",
    keeps_missing=False,
    stamp=b"01JAN00:00:00:00",
    places=(144, 160, 464, 480),
)
MAX_NAME_LETTERS = 32
MAX_IBM_FLOAT, MIN_IBM_FLOAT = (
    7.2e75,
    5.4e-79,
)  # numbers of transport files are those of IBM


def read_sas(path: str | Path, name: str | Path, dialect: Dialect) -> Source:
    """The table of a .sas7bdat file; labels of values from the catalog beside it."""
    catalog = Path(path).with_suffix(".sas7bcat")
    beside = {"catalog_file": str(catalog)} if catalog.is_file() else {}
    return read_statistics(path, name, dialect, SAS_PROGRAM, **beside)


def not_in_transport(frame: pl.DataFrame, dialect: Dialect) -> dict[str, str]:
    """Columns of which a transport file would change a value or the name."""
    limits = [longer_than(32_767), ENDS_IN_SPACE, ("numbers beyond 1e75", _beyond)]
    return unholdable(frame, limits, _is_name) | same_names(frame)


def _beyond(series: pl.Series) -> bool:
    if not series.dtype.is_float():
        return False
    size = series.abs()
    return bool(((size > MAX_IBM_FLOAT) | ((size < MIN_IBM_FLOAT) & (size > 0))).any())


def _is_name(name: str) -> bool:
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None
    return plain and len(name) <= MAX_NAME_LETTERS


def write_transport(
    frame: pl.DataFrame, path: str | Path, layouts: Mapping[str, Any], dialect: Dialect
) -> None:
    """Write a transport file of version 8; it has no labels of values."""
    notes = notes_in(layouts, frame, TRANSPORT.name)
    stored = as_stored(shown_without_empty(frame, layouts))
    formats = {
        n: note.format
        for n, note in notes.items()
        if note.format and stored[n].dtype.is_temporal()
    }
    write_statistics(stored, path, TRANSPORT, notes, variable_format=formats)


SAS = SAS_PROGRAM.format("SAS", ".sas7bdat", read=read_sas)
XPT = TRANSPORT.format(
    "SAS transport",
    ".xpt",
    write=write_transport,
    shown=shown_without_empty,
    cannot_hold=not_in_transport,
)
