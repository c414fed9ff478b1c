"""SQLite: tables of a file, read and written by the standard library.

SQLite keeps a type for each value and none for dates, so that the declared types of
columns say how values are read: dates and moments are ISO text, booleans 0 and 1,
decimals numbers of the declared scale.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import polars as pl
import pyarrow as pa

from microcell import _interrupts
from microcell.exceptions import InputError
from microcell.io._address import Address
from microcell.io._outbox import Outbox, check_target
from microcell.io._sqlite_types import as_declared, as_values, declared_type
from microcell.io._staged_table import (
    CountedClasses,
    StagedTable,
    counting,
    quoted,
    unused_name,
)
from microcell.io._storable import check_repeated_names
from microcell.io._table_errors import no_such_table, table_exists

ROWS_AT_A_TIME = 10_000  # records
WAIT = 10.0  # seconds for somebody else's lock


def read(address: Address) -> pl.DataFrame:
    """The records of a table or a query."""
    with _reading(address) as connection:
        return _read(connection, _select(connection, address), str(address))


def columns(address: Address) -> list[str]:
    """Names of the columns of a table or a query."""
    with _reading(address) as connection:
        return list(_declared(connection, _select(connection, address), str(address)))


def tables_read(address: Address) -> set[tuple[str, ...]]:
    """What a table, a view or a query is made of, to compare with an output."""
    touched: set[tuple[str, ...]] = set()
    file = os.path.realpath(address.database)

    def note(action: int, name: str | None, *rest: Any) -> int:
        if action == sqlite3.SQLITE_READ and name:
            touched.add((file, name.lower()))
        return sqlite3.SQLITE_OK

    with _reading(address) as connection:
        select = _select(connection, address)
        connection.set_authorizer(note)
        connection.execute(f"SELECT * FROM (\n{select}\n) LIMIT 0")
    return touched


def check_table(address: Address, overwrite: bool) -> tuple[str, ...]:
    """What an output is, after checking that it can be written."""
    name = address.target
    if name.lower().startswith("sqlite_"):
        raise InputError(f"SQLite keeps names such as {name!r} for itself.")
    file = check_target(address.database, overwrite=True)
    if file.exists():
        if not os.access(file, os.W_OK):
            raise PermissionError(f"{file} cannot be written to. Choose another.")
        with _errors(address), _connected(file, "rw") as connection:
            _check_free(connection, address, overwrite)
    return (str(file), name.lower())


def stage(address: Address, outbox: Outbox) -> StagedTable:
    """A new table, in a transaction of the file or in a file that is new too."""
    check_table(address, outbox.overwrite)
    if os.path.exists(address.database):
        return _TableOfFile(address, outbox.overwrite)
    return _NewFile(address, outbox.stage(address.database, overwrite=False))


class _TableOfFile(StagedTable):
    def __init__(self, address: Address, overwrite: bool) -> None:
        self.name = str(address)
        self._address, self._overwrite = address, overwrite
        self._table = unused_name()
        self._declared: dict[str, str] = {}
        self._connection = self._connect()
        _interrupts.at_end.append(self._give_up)
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        with self._or_explain():
            # views on the table that is replaced are looked at when it is there again
            self._connection.execute("PRAGMA legacy_alter_table = ON")
            self._connection.execute("PRAGMA secure_delete = ON")
            self._connection.execute("BEGIN IMMEDIATE")

    def _connect(self) -> sqlite3.Connection:
        return _open(self._address.database, "rw")

    def _or_explain(self) -> contextlib.AbstractContextManager[None]:
        return _errors(self._address)

    def write(self, frame: pl.DataFrame) -> None:
        self._declared = {n: declared_type(t) for n, t in frame.schema.items()}
        made = ", ".join(f"{quoted(n)} {t}" for n, t in self._declared.items())
        fields = ", ".join("?" * frame.width)
        into = f"INSERT INTO {quoted(self._table)} VALUES ({fields})"
        with self._or_explain():
            self._connection.execute(f"CREATE TABLE {quoted(self._table)} ({made})")
            for part in as_values(frame).iter_slices(ROWS_AT_A_TIME):
                self._connection.executemany(into, part.rows())

    def read(self) -> pl.DataFrame:
        with self._or_explain():
            cursor = self._connection.execute(f"SELECT * FROM {quoted(self._table)}")
            return _fetched(cursor, self._declared, self.name)

    def count(self, columns: Sequence[str]) -> CountedClasses:
        with self._or_explain():
            sql = counting(quoted(self._table), columns)
            return CountedClasses(*self._connection.execute(sql).fetchone())

    def finish(self) -> None:
        target = quoted(self._address.target)
        with self._or_explain():
            _check_free(self._connection, self._address, self._overwrite)
            if self._overwrite:
                self._connection.execute(f"DROP TABLE IF EXISTS {target}")
            rename = f"ALTER TABLE {quoted(self._table)} RENAME TO {target}"
            self._connection.execute(rename)

    def publish(self) -> None:
        with self._or_explain():
            self._connection.execute("COMMIT")

    def close(self) -> None:
        if self._give_up in _interrupts.at_end:
            _interrupts.at_end.remove(self._give_up)
        self._connection.close()  # which undoes what was not committed

    def _give_up(self, _: int = 0) -> None:
        """Undo at once, from another thread, so that no journal stays behind."""
        self._connection.interrupt()
        self._connection.rollback()


class _NewFile(_TableOfFile):
    """A table in a file that is not there yet: made in memory, staged as a file."""

    def __init__(self, address: Address, staged: str) -> None:
        self._staged = staged
        super().__init__(address, overwrite=False)

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(":memory:", isolation_level=None)

    def finish(self) -> None:
        super().finish()
        with self._or_explain():
            self._connection.execute("COMMIT")
        contents = self._connection.serialize()
        Path(self._staged).write_bytes(contents)
        if Path(self._staged).read_bytes() != contents:
            raise OSError(f"{self._address.database} was not written whole.")

    def publish(self) -> None:
        """Nothing to do: the file is published with the others."""

    def _give_up(self, _: int = 0) -> None:
        """Nothing to do: memory ends with the process."""


@contextlib.contextmanager
def _reading(address: Address) -> Iterator[sqlite3.Connection]:
    """A connection that cannot change the file."""
    path = address.database
    if not os.path.isfile(path):
        raise FileNotFoundError(f"There is no file {path}.")
    with _errors(address), _connected(path, "ro") as connection:
        yield connection


@contextlib.contextmanager
def _connected(path: str | Path, mode: str) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(_open(path, mode)) as connection:
        yield connection


def _open(path: str | Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{quote(os.path.abspath(path))}?mode={mode}",
        uri=True,
        isolation_level=None,
        timeout=WAIT,
        check_same_thread=False,  # a signal is handled in another
    )


def _select(connection: sqlite3.Connection, address: Address) -> str:
    if address.query is not None:
        return address.query
    names = _relations(connection)
    if str(address.table).lower() not in map(str.lower, names):
        raise no_such_table(address, list(names))
    return f"SELECT * FROM {quoted('main', address.table)}"


def _relations(connection: sqlite3.Connection) -> dict[str, str]:
    """Tables and views by name."""
    found = connection.execute(
        "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    return dict(found.fetchall())


def _check_free(
    connection: sqlite3.Connection, address: Address, overwrite: bool
) -> None:
    """Refuse a name that is taken; only a table is ever replaced."""
    kinds = dict(connection.execute("SELECT lower(name), type FROM sqlite_master"))
    kind = kinds.get(address.target.lower())
    if kind is not None and not (overwrite and kind == "table"):
        raise table_exists(address, kind)


def _declared(connection: sqlite3.Connection, select: str, name: str) -> dict[str, str]:
    """Columns of a query and the types that tables declare for them.

    A temporary view, which is no part of the file, has them both.
    """
    view = unused_name()
    connection.execute(f"CREATE TEMP VIEW {view} AS {select}")  # nothing but a query
    rows = connection.execute(f"PRAGMA temp.table_info({view})").fetchall()
    connection.execute(f"DROP VIEW temp.{view}")
    with contextlib.closing(connection.execute(select)) as cursor:
        names = [column[0] for column in cursor.description]
    check_repeated_names(names, name)
    return dict(zip(names, (str(row[2] or "") for row in rows), strict=True))


def _read(connection: sqlite3.Connection, select: str, name: str) -> pl.DataFrame:
    declared = _declared(connection, select, name)
    return _fetched(connection.execute(select), declared, name)


def _fetched(
    cursor: sqlite3.Cursor, declared: dict[str, str], name: str
) -> pl.DataFrame:
    """All records, as columns of the declared types."""
    parts: dict[str, list[pa.Array]] = {column: [] for column in declared}
    while rows := cursor.fetchmany(ROWS_AT_A_TIME):
        for column, values in zip(declared, zip(*rows, strict=True), strict=True):
            parts[column].append(_array(values, column, name))
    return pl.DataFrame(
        [
            as_declared(_joined(parts[column], column, name), type)
            for column, type in declared.items()
        ]
    )


def _array(values: Sequence[Any], column: str, name: str) -> pa.Array:
    try:
        array = pa.array(values)
    except (pa.ArrowException, OverflowError):
        raise _mixed(column, name) from None
    if pa.types.is_binary(array.type) and any(isinstance(v, str) for v in values):
        raise _mixed(column, name)  # Arrow would make bytes of text
    return array


def _joined(parts: list[pa.Array], column: str, name: str) -> pl.Series:
    types = {part.type for part in parts} - {pa.null()}
    if types == {pa.int64(), pa.float64()}:
        types = {pa.float64()}
    if len(types) > 1:
        raise _mixed(column, name)
    type = types.pop() if types else pa.string()
    try:
        whole = pa.chunked_array([part.cast(type) for part in parts], type)
    except pa.ArrowException:  # an integer that a float cannot hold
        raise _mixed(column, name) from None
    return pl.Series(column, whole)


def _mixed(column: str, name: str) -> InputError:
    return InputError(
        f"Column {column!r} of {name} mixes text, numbers or bytes.",
        column=column,
        hint="Read it by a query that makes one kind of them: CAST(... AS TEXT).",
    )


@contextlib.contextmanager
def _errors(address: Address) -> Iterator[None]:
    """Say what SQLite found wrong, without its words: they may quote a value."""
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(f"{address}: {_reason(error)}.") from None


def _reason(error: sqlite3.Error) -> str:
    code = str(getattr(error, "sqlite_errorname", "") or type(error).__name__)
    words = {
        "SQLITE_BUSY": "somebody else is writing to the file; try again later",
        "SQLITE_LOCKED": "somebody else is writing to the file; try again later",
        "SQLITE_NOTADB": "the file is no database of SQLite",
        "SQLITE_CORRUPT": "the file is damaged",
        "SQLITE_CANTOPEN": "the file cannot be opened",
        "SQLITE_READONLY": "the file cannot be written to",
        "SQLITE_FULL": "there is no room left",
        "SQLITE_AUTH": "this is not allowed",
    }
    for begin, said in words.items():
        if code.startswith(begin):
            return said
    named = re.fullmatch(r"(no such (?:table|column|function): [\w.]+)", str(error))
    if named:
        return named[1]
    if "syntax error" in str(error) or "one statement at a time" in str(error):
        return "the query is not one statement of SQL that SQLite understands"
    if "decode" in str(error):
        return "it has text that is not UTF-8"
    return f"SQLite cannot do it ({code})"
