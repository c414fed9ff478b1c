"""Tables in files: the registry of formats, the only place that knows suffixes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl

from microcell.exceptions import InputError
from microcell.io._address import is_address
from microcell.io._database import database_format
from microcell.io._format import Dialect, Format
from microcell.io._parquet import PARQUET
from microcell.io._text import CSV, TSV

FORMATS = (CSV, TSV, PARQUET)
BY_SUFFIX = {suffix: format for format in FORMATS for suffix in format.suffixes}


def format_of(path: str | Path) -> Format:
    """The format that the suffix of a path stands for.

    Examples
    --------
    >>> format_of("patients.CSV").name
    'CSV'
    """
    if is_address(path):
        return database_format(path)
    suffix = Path(path).suffix.lower()
    if suffix not in BY_SUFFIX:
        raise InputError(
            f"{Path(path).name!r} has the suffix {suffix!r}.",
            hint=f"Tables are read from and written to {', '.join(BY_SUFFIX)}.",
        )
    return BY_SUFFIX[suffix]


def read_table(
    path: str | Path,
    *,
    format: Format | None = None,
    name: str | Path | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    own: bool = False,
) -> pl.DataFrame:
    """Read a table; text formats give text, exactly as it stands in the file.

    Parameters
    ----------
    path : path
        The file.
    format : Format, optional
        How it is written; by default its suffix says it.
    name : path, optional
        What the file is called in errors, if not by its path.
    delimiter : str, optional
        What separates fields; by default the format's own.
    encoding : str, optional
        Encoding of a text format; by default UTF-8.
    own : bool, default=False
        Whether the file was written here, so that nobody can have made mistakes in it
        that a person makes (no header, for example).

    Returns
    -------
    table : polars.DataFrame
    """
    format, name = _opened(path, format, name)
    frame = format.read(path, name, Dialect(delimiter, encoding))
    if frame.height == 0:
        raise InputError(f"{name} has a header but no records.")
    if format.check is not None and not own:
        format.check(frame, name)
    return frame


def read_columns(
    path: str | Path,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> list[str]:
    """Names of a file's columns, without reading its records."""
    format, name = _opened(path, None, None)
    return format.columns(path, name, Dialect(delimiter, encoding))


def write_table(
    table: Any,
    path: str | Path,
    *,
    format: Format | None = None,
    layouts: Mapping[str, Any] | None = None,
) -> None:
    """Write a dataframe.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table. An index is not written.
    path : path
        The file.
    format : Format, optional
        How it is written; by default its suffix says it.
    layouts : mapping, optional
        How columns of numbers and moments are written in a text format.
    """
    format = format_of(path) if format is None else format
    frame = nw.from_native(table, eager_only=True).to_polars()
    reasons = format.cannot_hold(frame)
    if reasons:
        raise InputError(
            f"Columns {list(reasons)} hold {' and '.join(set(reasons.values()))}, "
            f"which {format.name} cannot.",
            column=next(iter(reasons)),
            hint="Write a .parquet file, or leave them out.",
        )
    format.write(frame, path, layouts or {})


def _opened(
    path: str | Path, format: Format | None, name: str | Path | None
) -> tuple[Format, str | Path]:
    """The format of a file that is there, and what to call it."""
    name = path if name is None else name
    format = format_of(name) if format is None else format
    if is_address(path):
        return format, name
    if "\0" in str(path):
        raise InputError(f"A path holds no NUL character. Got {str(path)!r}.")
    if not os.path.exists(path):
        if os.path.islink(path):
            raise FileNotFoundError(
                f"{path} is a link to itself or to a file that is not there."
            )
        raise FileNotFoundError(f"There is no file {path}.")
    if not os.path.isfile(path):
        raise IsADirectoryError(
            f"{path} is not a file, but a folder, a pipe or a device. Name a file."
        )
    if os.path.getsize(path) == 0:
        raise InputError(f"{name} is empty.")
    return format, name
