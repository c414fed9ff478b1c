"""SAS files: .sas7bdat is read, transport files (.xpt) are also written."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

from microcell.io._format import Dialect, Source
from microcell.io._statistics import (
    ENDS_IN_SPACE,
    Notes,
    Program,
    longer_than,
    read_statistics,
)

SAS_PROGRAM = Program("SAS", "read_sas7bdat")
MAX_NAME_LETTERS = 32
MAX_IBM_FLOAT, MIN_IBM_FLOAT = 7.2e75, 5.4e-79  # numbers of transport files


def read_sas(path: str | Path, name: str | Path, dialect: Dialect) -> Source:
    """The table of a .sas7bdat file; labels of values from the catalog beside it."""
    catalog = Path(path).with_suffix(".sas7bcat")
    beside = {"catalog_file": str(catalog)} if catalog.is_file() else {}
    return read_statistics(path, name, dialect, SAS_PROGRAM, **beside)


def _beyond(series: pl.Series) -> bool:
    if not series.dtype.is_float():
        return False
    size = series.abs()
    return bool(((size > MAX_IBM_FLOAT) | ((size < MIN_IBM_FLOAT) & (size > 0))).any())


def _is_name(name: str) -> bool:
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None
    return plain and len(name) <= MAX_NAME_LETTERS


def _options(notes: Notes, stored: pl.DataFrame, labels: object) -> dict[str, object]:
    """Formats of moments; transport files have no labels of values."""
    return {
        "variable_format": {
            n: note.format
            for n, note in notes.items()
            if note.format and stored[n].dtype.is_temporal()
        }
    }


SAS = SAS_PROGRAM.format("SAS", ".sas7bdat", read=read_sas)
XPT = Program(
    "SAS",
    "read_xport",
    "write_xport",
    keeps_missing=False,
    stamp=b"01JAN00:00:00:00",
    places=(144, 160, 464, 480),
    limits=(longer_than(32_767), ENDS_IN_SPACE, ("numbers beyond 1e75", _beyond)),
    is_name=_is_name,
    options=_options,
).format("SAS transport", ".xpt")
