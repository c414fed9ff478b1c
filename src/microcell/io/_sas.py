"""SAS files: .sas7bdat is read, transport files (.xpt) are also written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from microcell.io._format import Dialect, Format, Source
from microcell.io._notes import notes_in
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
    writing,
)

SAS_PROGRAM = Program("SAS", "read_sas7bdat")
TRANSPORT = Program("SAS", "read_xport", keeps_missing=False)
WRITTEN_IN_TRANSPORT = (b"01JAN00:00:00:00", (144, 160, 464, 480))  # when, where
LONGEST_IN_SAS = 32
LARGEST, SMALLEST = 7.2e75, 5.4e-79  # numbers of transport files are those of IBM


def read_sas(path: str | Path, name: str | Path, dialect: Dialect) -> Source:
    """The table of a .sas7bdat file; labels of values from the catalog beside it."""
    catalog = Path(path).with_suffix(".sas7bcat")
    if not catalog.is_file():
        return read_statistics(path, name, SAS_PROGRAM)
    return read_statistics(path, name, SAS_PROGRAM, catalog_file=str(catalog))


def read_transport(path: str | Path, name: str | Path, dialect: Dialect) -> Source:
    """The table of a transport file, version 5 or 8."""
    return read_statistics(path, name, TRANSPORT)


def not_in_transport(frame: pl.DataFrame, dialect: Dialect) -> dict[str, str]:
    """Columns of which a transport file would change a value or the name."""
    limits = [longer_than(32_767), ENDS_IN_SPACE, ("numbers beyond 1e75", _beyond)]
    return unholdable(frame, limits, _is_name) | alike_names(frame)


def _beyond(series: pl.Series) -> bool:
    if not series.dtype.is_float():
        return False
    size = series.abs()
    return bool(((size > LARGEST) | ((size < SMALLEST) & (size > 0))).any())


def _is_name(name: str) -> bool:
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None
    return plain and len(name) <= LONGEST_IN_SAS


def write_transport(
    frame: pl.DataFrame, path: str | Path, layouts: Mapping[str, Any], dialect: Dialect
) -> None:
    """Write a transport file of version 8; it has no labels of values."""
    notes = notes_in(layouts, frame, TRANSPORT.name)
    shown = shown_in_statistics(frame, layouts)
    stored = shown.with_columns(storable(series) for series in shown.iter_columns())
    with writing(TRANSPORT.name) as pyreadstat:
        pyreadstat.write_xport(
            stored,
            str(path),
            column_labels={n: note.label for n, note in notes.items() if note.label},
            variable_format={
                n: note.format
                for n, note in notes.items()
                if note.format and stored[n].dtype.is_temporal()
            },
        )
    forget_when(path, *WRITTEN_IN_TRANSPORT)


SAS = Format(
    name="SAS",
    suffixes=(".sas7bdat",),
    typed=True,
    read=read_sas,
    columns=partial(statistics_columns, program=SAS_PROGRAM),
    write=None,
    reader="pyreadstat",
)
XPT = Format(
    name="SAS transport",
    suffixes=(".xpt",),
    typed=True,
    read=read_transport,
    columns=partial(statistics_columns, program=TRANSPORT),
    write=write_transport,
    shown=shown_in_statistics,
    cannot_hold=not_in_transport,
    reader="pyreadstat",
)
