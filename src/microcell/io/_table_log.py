"""Tables with a log: folders whose Parquet files are not all part of the table.

Delta, Iceberg and Hudi keep files of deleted and replaced records beside the live
ones; only the log says which are which. Read as plain Parquet, such a folder gives
back people who were deleted, and the same person several times.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from microcell.exceptions import InputError
from microcell.io._format import Dialect, Format
from microcell.io._parquet import check_types, converted

# Where a log is, below the folder of its table, as a pattern for names.
LOGS = {
    "Delta": "_delta_log/*",
    "Iceberg": "metadata/*.metadata.json*",
    "Hudi": ".hoodie/*",
}
# v3.metadata.json, 00002-<uuid>.metadata.json, either with gzip: not any metadata.
ICEBERG_NAME = re.compile(r"(v\d+|\d{5,}-.+)(\.gz)?\.metadata\.json(\.gz)?")
WAY_OUT = (
    "Read its current state with its own reader and give that table to anonymize, "
    "or write it as plain Parquet first."
)


class Logged(NamedTuple):
    """A table that has a log: what it is called, and its folder."""

    kind: str
    folder: str


def log_in(folder: str | Path) -> Logged | None:
    """The table whose log is in a folder, if there is one.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> log_in(folder)
    >>> (folder / "_delta_log").mkdir()
    >>> log_in(folder).kind
    'Delta'
    """
    for kind, pattern in LOGS.items():
        log = os.path.join(folder, os.path.dirname(pattern))
        if not os.path.isdir(log):
            continue
        if kind != "Iceberg" or any(map(ICEBERG_NAME.fullmatch, os.listdir(log))):
            return Logged(kind, str(folder))
    return None


def log_above(path: str | Path) -> Logged | None:
    """The table that a file or folder is a part of, whatever links lead to it."""
    for start in (os.path.abspath(path), os.path.realpath(path)):
        for folder in Path(start).parents:
            found = log_in(folder)
            if found is not None:
                return found
    return None


def refuse_logged(path: str | Path) -> None:
    """Refuse a folder with a log in it or above it, or a file inside such a table."""
    found = (log_in(path) if os.path.isdir(path) else None) or log_above(path)
    if found is not None:
        raise logged_error(path, found)


def logged_error(path: str | Path, found: Logged) -> InputError:
    """The error for what only the log of a table can read."""
    here = os.path.realpath(path) == os.path.realpath(found.folder)
    what = "is" if here else f"is inside {found.folder},"
    return InputError(
        f"{path} {what} a table of {found.kind}: its files also hold records that "
        "were deleted or replaced, and only its log says which.",
        hint=WAY_OUT,
    )


def logged_format(path: str | Path) -> Format | None:
    """The format of a folder with a log; None if it is a folder of plain files.

    Which state of a table of Iceberg is the current one is known to its catalogue, not
    to its folder, and Hudi has no reader in Python: they are refused.
    """
    found = log_in(path)
    if found is None:
        refuse_logged(path)
        return None
    if found.kind != "Delta":
        raise logged_error(path, found)
    return DELTA


def is_folder_of_files(path: str | Path) -> bool:
    """Whether a table is all files of a folder; what a log has to say is refused."""
    return os.path.isdir(path) and logged_format(path) is None


def _dataset(path: str | Path, name: str | Path) -> Any:
    """The live records of a table of Delta, by its own reader."""
    try:
        from deltalake import DeltaTable
    except ModuleNotFoundError:
        raise InputError(
            f"{name} is a table of Delta, and its reader, the module 'deltalake', is "
            "not installed.",
            hint="Install it with pip install 'deltalake[pyarrow]', or write the "
            "table's current state as plain Parquet.",
        ) from None
    try:
        return DeltaTable(str(path)).to_pyarrow_dataset()
    except Exception as error:  # features of tables that the reader does not know
        raise InputError(
            f"{name} is a table of Delta that deltalake cannot read ({error}).",
            hint=WAY_OUT,
        ) from error


def read_delta(path: str | Path, name: str | Path, dialect: Dialect) -> pl.DataFrame:
    """The records that a table of Delta has now."""
    dataset = _dataset(path, name)
    check_types(dataset.schema, name)
    return converted(dataset.to_table(), name)


def delta_columns(path: str | Path, name: str | Path, dialect: Dialect) -> list[str]:
    """Names of the columns, from the log."""
    return list(_dataset(path, name).schema.names)


DELTA = Format(
    name="Delta",
    suffixes=(),
    typed=True,
    read=read_delta,
    columns=delta_columns,
    write=None,
    reader="deltalake",
)
