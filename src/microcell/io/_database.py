"""Databases: tables at an address, read like files and written in a transaction."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from microcell.exceptions import InputError
from microcell.io._address import Address, address_of, is_address
from microcell.io._connection import Connection, StagedTable
from microcell.io._format import Dialect, Format
from microcell.io._outbox import Outbox
from microcell.io._postgresql import PostgreSQL
from microcell.io._sqlite import SQLite
from microcell.io._storable import check_came_back, not_storable, storable

DATABASES: dict[str, type[Connection]] = {"sqlite": SQLite, "postgresql": PostgreSQL}


def database_format(path: str | Path) -> Format:
    """A table of a database as a format that is read and written like a file.

    Examples
    --------
    >>> database_format("sqlite:///clinic.db::patients").name
    'SQLite'
    """
    address, database = _of(path)
    return Format(
        name=database.kind,
        suffixes=(),
        typed=True,
        read=partial(_read, address),
        columns=partial(_columns, address),
        write=_write,
        shown=lambda frame, layouts: _kept(database, frame),
        cannot_hold=lambda frame, dialect: _cannot_hold(database, frame),
    )


def write_staged(
    outbox: Outbox, path: str, frame: pl.DataFrame
) -> tuple[StagedTable, pl.DataFrame]:
    """Write a table that `outbox` publishes with its files, and read it back.

    Parameters
    ----------
    outbox : Outbox
    path : str
        The address of the table.
    frame : polars.DataFrame

    Returns
    -------
    staged, found : StagedTable, polars.DataFrame
        What is there, not yet to be seen; `finish` it before it is published.
    """
    address, database = _of(path)
    database_format(path).check_holds(frame, Dialect())
    staged = database.stage(address, outbox)
    outbox.join(staged)
    kept = _kept(database, frame)
    staged.write(kept)
    found = staged.read()
    check_came_back(kept, found, database.kind)
    return staged, found


def check_table_output(path: str, inputs: list[str | Path], overwrite: bool) -> None:
    """Refuse a table as an output that cannot be written, or that is read too."""
    address, database = _of(path)
    written = database.check_output(address, overwrite)
    for source in filter(is_address, inputs):
        read = address_of(str(source))
        if read.scheme == address.scheme:
            with database.opened(read) as connection:
                if written in connection.tables_of(connection.select()):
                    raise InputError(
                        f"The output {address} is also an input.",
                        hint="Choose another name.",
                    )


def file_of(path: str | Path) -> str | None:
    """The real path of the file that holds a table; None if a server holds it.

    Examples
    --------
    >>> os.path.basename(file_of("sqlite:///clinic.db::patients"))
    'clinic.db'
    """
    if not is_address(path):
        return os.path.realpath(path)
    address = address_of(str(path))
    return os.path.realpath(address.database) if address.scheme == "sqlite" else None


def table_of(path: str | Path) -> dict[str, str]:
    """What a certificate says of where a table is: nothing of who or which server."""
    address, database = _of(path)
    return {"database": database.kind, "name": address.target}


def _of(path: str | Path) -> tuple[Address, type[Connection]]:
    address = address_of(str(path))
    return address, DATABASES[address.scheme]


def _read(
    address: Address, path: str | Path, name: str | Path, dialect: Dialect
) -> pl.DataFrame:
    with DATABASES[address.scheme].opened(address) as connection:
        frame = connection.fetch(connection.select())
    if frame.height == 0:
        raise InputError(f"{address} has no records.")
    return frame


def _columns(
    address: Address, path: str | Path, name: str | Path, dialect: Dialect
) -> list[str]:
    with DATABASES[address.scheme].opened(address) as connection:
        return connection.names(connection.select())


def _write(
    frame: pl.DataFrame, path: str | Path, layouts: Mapping[str, Any], dialect: Dialect
) -> None:
    with Outbox() as outbox:
        staged, _ = write_staged(outbox, str(path), frame)
        staged.finish()
        outbox.publish()


def _kept(database: type[Connection], frame: pl.DataFrame) -> pl.DataFrame:
    """The table as a database gives it back; what it cannot hold stays as it is."""
    bad = not_storable(frame)
    fine = [name for name in frame.columns if name not in bad]
    kept = database.types.as_kept(storable(frame.select(fine)))
    return frame.with_columns(kept.iter_columns())


def _cannot_hold(database: type[Connection], frame: pl.DataFrame) -> dict[str, str]:
    reasons = not_storable(frame)
    for column in frame.iter_columns():
        said = reasons.get(column.name) or database.types.not_kept(column)
        if said:
            reasons[column.name] = said
    return reasons | database.types.bad_names(frame.columns)
