"""Tables in files: the registry of formats, the only place that knows suffixes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl

from microcell.exceptions import InputError
from microcell.io._address import is_address
from microcell.io._arrow import ARROW
from microcell.io._database import database_format
from microcell.io._excel import EXCEL, OTHER_WORKBOOKS
from microcell.io._format import Dialect, Format, Source
from microcell.io._outbox import Outbox
from microcell.io._parquet import PARQUET
from microcell.io._sas import SAS, XPT
from microcell.io._spss import SPSS, ZSAV
from microcell.io._stata import STATA
from microcell.io._table_log import DELTA, logged_format, refuse_logged
from microcell.io._text import TEXTS

FORMATS = (*TEXTS, PARQUET, ARROW, EXCEL, OTHER_WORKBOOKS, SPSS, ZSAV, STATA, SAS, XPT)
BY_SUFFIX = {suffix: format for format in FORMATS for suffix in format.suffixes}
PART = "::"  # stands between a workbook and its sheet


def format_of(path: str | Path) -> Format:
    """The format that the suffix of a path stands for.

    Examples
    --------
    >>> format_of("patients.CSV").name, format_of("patients.csv.gz").name
    ('CSV', 'CSV in gzip')
    """
    if is_address(path):
        return database_format(path)
    name = Path(path).name.lower()
    suffixes = Path(name).suffixes
    for several in (2, 1):  # .csv.gz before .gz
        suffix = "".join(suffixes[-several:])
        if suffix in BY_SUFFIX:
            return BY_SUFFIX[suffix]
    raise InputError(
        f"{Path(path).name!r} has the suffix {''.join(suffixes[-1:])!r}.",
        hint=f"Tables are read from and written to {', '.join(BY_SUFFIX)}, or a "
        "database, as in sqlite:///clinic.db::patients.",
    )


def format_named(name: str) -> Format:
    """The format that is called by a suffix without its dot.

    Examples
    --------
    >>> format_named("sav").name
    'SPSS'
    """
    if f".{name}" not in BY_SUFFIX:
        known = ", ".join(suffix[1:] for suffix in BY_SUFFIX)
        raise InputError(
            f"There is no format {name!r}.", option="format", hint=f"There are {known}."
        )
    return BY_SUFFIX[f".{name}"]


def file_and_part(path: str | Path) -> tuple[str | Path, str | None]:
    """A file, and the part of it that is named behind it.

    Examples
    --------
    >>> file_and_part("patients.xlsx::2024"), file_and_part("patients.csv")
    (('patients.xlsx', '2024'), ('patients.csv', None))
    """
    text = str(path)
    if is_address(path) or PART not in text or os.path.exists(path):
        return path, None
    file, _, part = text.rpartition(PART)
    return file, part


def read_source(
    path: str | Path,
    *,
    format: Format | None = None,
    name: str | Path | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    own: bool = False,
) -> Source:
    """Read a table, and what else its file says.

    Parameters
    ----------
    path : path
        The file; that of a workbook may end in ``::sheet``.
    format : Format, optional
        How it is written; by default its suffix says it.
    name : path, optional
        What the file is called in errors, if not by its path.
    delimiter : str, optional
        What separates fields of text; by default it is found out.
    encoding : str, optional
        Encoding of text; by default it is found out.
    sheet : str, optional
        Sheet of a workbook; by default the only one that has cells.
    own : bool, default=False
        Whether the file was written here, so that nobody can have made mistakes in it
        that a person makes (no header, for example).

    Returns
    -------
    source : Source
    """
    file, dialect = _place(path, Dialect(delimiter, encoding, sheet))
    format, name = _opened(file, format, file if name is None else name, own)
    format.refuse_foreign(name, dialect)
    read = format.read(file, name, dialect)
    source = read if isinstance(read, Source) else Source(read)
    if source.frame.height == 0:
        raise InputError(f"{name} has a header but no records.")
    if format.check is not None and not own:
        format.check(source.frame, name)
    return replace(source, format=format)


def read_table(path: str | Path, **options: Any) -> pl.DataFrame:
    """Read a table; text formats give text, exactly as it stands in the file.

    Parameters
    ----------
    path : path
        The file.
    **options
        As in `read_source`.

    Returns
    -------
    table : polars.DataFrame
    """
    return read_source(path, **options).frame


def read_columns(
    path: str | Path,
    *,
    format: Format | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
) -> list[str]:
    """Names of a file's columns, without reading its records."""
    file, dialect = _place(path, Dialect(delimiter, encoding, sheet))
    format, name = _opened(file, format, None)
    format.refuse_foreign(name, dialect)
    return format.columns(file, name, dialect)


def sheets_of(path: str | Path, *, format: Format | None = None) -> list[str]:
    """What the sheets of a workbook are called; none of a file that is no workbook."""
    file, _ = file_and_part(path)
    format, name = _opened(file, format, None)
    return [] if format.sheets is None else format.sheets(file, name)


def write_table(
    table: Any,
    path: str | Path,
    *,
    format: Format | None = None,
    layouts: Mapping[str, Any] | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
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
        How columns of numbers and moments are written in a text format, and what is
        noted of columns in others.
    delimiter, encoding : str, optional
        Dialect of a text format; by default its own delimiter, and UTF-8.
    """
    format = writable(path) if format is None else format
    dialect = Dialect(delimiter, encoding)
    format.refuse_foreign(path, dialect)
    frame = nw.from_native(table, eager_only=True).to_polars()
    format.check_holds(frame, dialect)
    if format.write is None:
        raise _only_read(path, format)
    format.write(frame, path, layouts or {}, dialect)


def save_table(table: Any, path: str | Path, *, overwrite: bool = False) -> None:
    """Write a dataframe to a file that is there whole or not at all."""
    with Outbox(overwrite=overwrite) as outbox:
        write_table(table, outbox.stage(path), format=format_of(path))
        outbox.publish()


def writable(path: str | Path) -> Format:
    """The format of a file to be written, or an error if it is only read."""
    format = format_of(path)
    if format.write is None:
        raise _only_read(path, format)
    return format


def _only_read(path: str | Path, format: Format) -> InputError:
    written = [s for s, format in BY_SUFFIX.items() if format.write is not None]
    return InputError(
        f"{Path(path).name!r} cannot be written: files of {format.name} are only read.",
        hint=f"Tables are written to {', '.join(written)}.",
    )


def _place(path: str | Path, dialect: Dialect) -> tuple[str | Path, Dialect]:
    """The file of a path, and the dialect with the sheet that the path names."""
    file, part = file_and_part(path)
    if part is None:
        return file, dialect
    if dialect.sheet not in (None, part):
        raise InputError(
            f"Two sheets are named: {part!r} and {dialect.sheet!r}.",
            option="sheet",
            hint="Name one.",
        )
    return file, dialect._replace(sheet=part)


def _opened(
    path: str | Path, format: Format | None, name: str | Path | None, own: bool = False
) -> tuple[Format, str | Path]:
    """The format of a file that is there, and what to call it."""
    name = path if name is None else name
    if not is_address(path) and os.path.isdir(path) and logged_format(path) is DELTA:
        return DELTA, name
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
    if format is PARQUET and not own:
        refuse_logged(path)
    return format, name
