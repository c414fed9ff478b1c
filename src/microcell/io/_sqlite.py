"""SQLite: tables of a file, read and written by the standard library.

SQLite keeps a type for each value and none for dates, so that the declared types of
columns say how values are read: dates and moments are ISO text, booleans 0 and 1,
decimals numbers of the declared scale.

ADBC has a driver too, with an SQLite of its own. Where a user's program reads the same
file by Python's, two of them in one process drop each other's locks, and another
process may write in the middle of a transaction; a driver that takes types from the
first records cannot name the column that mixes them.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

import polars as pl
import pyarrow as pa

from microcell import _interrupts
from microcell.exceptions import InputError
from microcell.io import _sqlite_types
from microcell.io._address import Address
from microcell.io._connection import (
    Connection,
    StagedTable,
    Types,
    check_repeated_names,
    quoted,
)
from microcell.io._outbox import Outbox, check_target

ROWS_AT_A_TIME = 10_000  # records
WAIT = 10.0  # seconds for somebody else's lock
REASONS = {
    "SQLITE_BUSY": "somebody else is writing to the file; try again later",
    "SQLITE_LOCKED": "somebody else is writing to the file; try again later",
    "SQLITE_NOTADB": "the file is no database of SQLite",
    "SQLITE_CORRUPT": "the file is damaged",
    "SQLITE_CANTOPEN": "the file cannot be opened",
    "SQLITE_READONLY": "the file cannot be written to",
    "SQLITE_FULL": "the disk is full",
    "SQLITE_AUTH": "this is not allowed",
}


class SQLite(Connection):
    """A file of SQLite; to read, one that cannot be changed."""

    kind = "SQLite"
    types: ClassVar[Types] = _sqlite_types

    def __init__(
        self, address: Address, *, writes: bool = False, is_new: bool = False
    ) -> None:
        super().__init__(address)
        self.schema = "main"
        if not (is_new or os.path.isfile(address.database)):
            raise FileNotFoundError(f"There is no file {address.database}.")
        mode = "memory" if is_new else "rw" if writes else "ro"
        self._connection = sqlite3.connect(
            f"file:{quote(os.path.abspath(address.database))}?mode={mode}",
            uri=True,
            isolation_level=None,
            timeout=WAIT,
            check_same_thread=False,  # a signal is handled in another
        )

    @classmethod
    def driver_error(cls) -> type[Exception]:
        return sqlite3.Error

    @classmethod
    def reason(cls, error: Any) -> str:
        code = str(getattr(error, "sqlite_errorname", "") or type(error).__name__)
        for begin, said in REASONS.items():
            if code.startswith(begin):
                return said
        if re.fullmatch(r"no such (?:table|column|function): [\w.]+", str(error)):
            return str(error)
        if "syntax error" in str(error) or "one statement at a time" in str(error):
            return "the query is not one statement of SQL that SQLite understands"
        if "decode" in str(error):
            return "it has text that is not UTF-8"
        return f"SQLite cannot do it ({code})"

    @classmethod
    def check_output(cls, address: Address, overwrite: bool) -> tuple[str, ...]:
        name = address.target
        if name.lower().startswith("sqlite_"):
            raise InputError(f"SQLite keeps names such as {name!r} for itself.")
        file = check_target(address.database, overwrite=True)
        if file.exists():
            if not os.access(file, os.W_OK):
                raise PermissionError(f"{file} cannot be written to. Choose another.")
            with cls.opened(address, writes=True) as connection:
                connection.check_free(overwrite)
        return (str(file), name.lower())

    @classmethod
    def stage(cls, address: Address, outbox: Outbox) -> StagedTable:
        """A new table, in a transaction of the file or in a file that is new too."""
        cls.check_output(address, outbox.overwrite)
        is_new = not os.path.exists(address.database)
        with cls.explained(address):
            connection = cls(address, writes=True, is_new=is_new)
            if is_new:
                file = outbox.stage(address.database, overwrite=False)
                return _TableOfNewFile(connection, file)
            connection.begin()
            return StagedTable(connection, outbox.overwrite)

    def begin(self) -> None:
        """Begin a transaction in which nobody else writes."""
        _interrupts.at_end.append(self._give_up)
        try:
            # views on the table that is replaced are looked at when it is there again
            self.rows("PRAGMA legacy_alter_table = ON")
            self.rows("PRAGMA secure_delete = ON")
            self.rows("BEGIN IMMEDIATE")
        except BaseException:
            self.close()
            raise

    def rows(self, sql: str, *values: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values).fetchall()

    def names(self, select: str) -> list[str]:
        return list(self._declared(select))

    def fetch(self, select: str) -> pl.DataFrame:
        declared = self._declared(select)
        parts: dict[str, list[pa.Array]] = {column: [] for column in declared}
        cursor = self._connection.execute(select)
        while rows := cursor.fetchmany(ROWS_AT_A_TIME):
            for column, values in zip(declared, zip(*rows, strict=True), strict=True):
                parts[column].append(self._array(values, column))
        return pl.DataFrame(
            [
                _sqlite_types.as_declared(self._joined(parts[column], column), type)
                for column, type in declared.items()
            ]
        )

    def insert(self, table: str, frame: pl.DataFrame) -> None:
        fields = ", ".join("?" * frame.width)
        into = f"INSERT INTO {quoted(table)} VALUES ({fields})"
        for part in _sqlite_types.as_values(frame).iter_slices(ROWS_AT_A_TIME):
            self._connection.executemany(into, part.rows())

    def relations(self) -> list[str]:
        found = self.rows(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
            "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        )
        return [name for (name,) in found]

    def is_there(self) -> bool:
        return str(self.address.table).lower() in map(str.lower, self.relations())

    def taken(self) -> tuple[str, str] | None:
        kinds = dict(self.rows("SELECT lower(name), type FROM sqlite_master"))
        name = self.address.target.lower()
        return (name, kinds[name]) if name in kinds else None

    def tables_of(self, select: str) -> set[tuple[str, ...]]:
        touched: set[tuple[str, ...]] = set()
        file = os.path.realpath(self.address.database)

        def note(action: int, name: str | None, *rest: Any) -> int:
            if action == sqlite3.SQLITE_READ and name:
                touched.add((file, name.lower()))
            return sqlite3.SQLITE_OK

        self._connection.set_authorizer(note)
        self.rows(f"SELECT * FROM (\n{select}\n) LIMIT 0")
        return touched

    def commit(self) -> None:
        self.rows("COMMIT")

    def contents(self) -> bytes:
        """The file that holds what was made in memory."""
        return self._connection.serialize()

    def close(self) -> None:
        if self._give_up in _interrupts.at_end:
            _interrupts.at_end.remove(self._give_up)
        self._connection.close()  # which undoes what was not committed

    def _give_up(self, _: int = 0) -> None:
        """Undo at once, from another thread, so that no journal stays behind."""
        self._connection.interrupt()
        self._connection.rollback()

    def _declared(self, select: str) -> dict[str, str]:
        """Columns of a query and the types that tables declare for them.

        A temporary view, which is no part of the file, has them both.
        """
        view = f"microcell_{secrets.token_hex(8)}"
        self.rows(f"CREATE TEMP VIEW {view} AS {select}")  # nothing but a query
        found = self.rows(f"PRAGMA temp.table_info({view})")
        self.rows(f"DROP VIEW temp.{view}")
        with contextlib.closing(self._connection.execute(select)) as cursor:
            names = [column[0] for column in cursor.description]
        check_repeated_names(names, self.address)
        return dict(zip(names, (str(row[2] or "") for row in found), strict=True))

    def _array(self, values: Sequence[Any], column: str) -> pa.Array:
        try:
            array = pa.array(values)
        except (pa.ArrowException, OverflowError):
            raise self._mixed(column) from None
        if pa.types.is_binary(array.type) and any(isinstance(v, str) for v in values):
            raise self._mixed(column)  # Arrow would make bytes of text
        return array

    def _joined(self, parts: list[pa.Array], column: str) -> pl.Series:
        types = {part.type for part in parts} - {pa.null()}
        if types == {pa.int64(), pa.float64()}:
            types = {pa.float64()}
        if len(types) > 1:
            raise self._mixed(column)
        type = types.pop() if types else pa.string()
        try:
            whole = pa.chunked_array([part.cast(type) for part in parts], type)
        except pa.ArrowException:  # an integer that a float cannot hold
            raise self._mixed(column) from None
        return pl.Series(column, whole)

    def _mixed(self, column: str) -> InputError:
        return InputError(
            f"Column {column!r} of {self.address} mixes text, numbers or bytes.",
            column=column,
            hint="Read it by a query that makes one kind of them: CAST(... AS TEXT).",
        )


class _TableOfNewFile(StagedTable):
    """A table in a file that is not there yet: made in memory, staged as a file."""

    _connection: SQLite

    def __init__(self, connection: SQLite, file: str) -> None:
        super().__init__(connection, overwrite=False)
        self._file = Path(file)

    def finish(self) -> None:
        super().finish()
        contents = self._connection.contents()
        self._file.write_bytes(contents)
        if self._file.read_bytes() != contents:
            database = self._connection.address.database
            raise OSError(f"{database} was not written whole.")

    def publish(self) -> None:
        """Nothing to do: the file is published with the others."""
