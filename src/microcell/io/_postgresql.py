"""PostgreSQL: tables of a server, through ADBC, which moves whole columns."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

import polars as pl
import pyarrow as pa

from microcell.exceptions import InputError
from microcell.io._address import Address
from microcell.io._outbox import Outbox
from microcell.io._postgresql_types import (
    as_read,
    declared_type,
    fits_as_name,
    read_by,
)
from microcell.io._staged_table import (
    CountedClasses,
    StagedTable,
    counting,
    quoted,
    unused_name,
)
from microcell.io._storable import check_repeated_names
from microcell.io._table_errors import no_such_table, table_exists

STORED_ORDER = (
    # records come in the order in which they are stored
    "SET LOCAL max_parallel_workers_per_gather = 0",
    "SET LOCAL synchronize_seqscans = off",
)
ENCRYPTED = ("require", "verify-ca", "verify-full")  # values of sslmode
PASSWORD_VARIABLES = ("MICROCELL_DB_PASSWORD", "PGPASSWORD")  # in the environment
RELATIONS = {"r": "table", "p": "table", "v": "view", "m": "materialized view"}


def read(address: Address) -> pl.DataFrame:
    """The records of a table or a query, in a transaction that cannot write."""
    with _reading(address) as cursor:
        return _read(cursor, _select(cursor, address), str(address))


def columns(address: Address) -> list[str]:
    """Names of the columns of a table or a query."""
    with _reading(address) as cursor:
        return _described(cursor, _select(cursor, address), str(address)).names


def tables_read(address: Address) -> set[tuple[str, ...]]:
    """What a table, a view or a query is made of, to compare with an output.

    A transaction holds a lock on each until it ends.
    """
    with _reading(address) as cursor:
        _described(cursor, _select(cursor, address), str(address))
        server = _server(cursor)
        found = _rows(
            cursor,
            "SELECT relation::text FROM pg_locks WHERE pid = pg_backend_pid() "
            "AND relation IS NOT NULL",
        )
        return {(*server, oid) for (oid,) in found}


def check_table(address: Address, overwrite: bool) -> tuple[str, ...]:
    """What an output is, after checking that it can be written."""
    if not fits_as_name(address.target):
        raise InputError(
            f"A table cannot be called {address.target!r} in PostgreSQL, where names "
            "have 1 to 63 bytes.",
            hint="Choose another name.",
        )
    with _errors(address), _connected(address) as cursor:
        schema = _schema(cursor, address)
        oid = _check_free(cursor, address, schema, overwrite)
        return (*_server(cursor), oid)


def stage(address: Address, outbox: Outbox) -> StagedTable:
    """A new table in a transaction."""
    return _StagedTable(address, outbox.overwrite)


class _StagedTable(StagedTable):
    def __init__(self, address: Address, overwrite: bool) -> None:
        self.name = str(address)
        self._address, self._overwrite = address, overwrite
        self._table = unused_name()
        self._open = contextlib.ExitStack()
        with _errors(address):
            self._cursor = self._open.enter_context(_connected(address))
            try:
                self._schema = _schema(self._cursor, address)
                _check_free(self._cursor, address, self._schema, overwrite)
            except BaseException:
                self._open.close()
                raise

    @property
    def _staged(self) -> str:
        return quoted(self._schema, self._table)

    def write(self, frame: pl.DataFrame) -> None:
        made = ", ".join(
            f"{quoted(n)} {declared_type(t)}" for n, t in frame.schema.items()
        )
        with _errors(self._address):
            self._cursor.execute(f"CREATE TABLE {self._staged} ({made})")
            self._cursor.adbc_ingest(
                self._table,
                frame.to_arrow(),
                mode="append",
                db_schema_name=self._schema,
            )

    def read(self) -> pl.DataFrame:
        with _errors(self._address):
            select = f"SELECT * FROM {self._staged}"
            return _read(self._cursor, select, self.name)

    def count(self, columns: Sequence[str]) -> CountedClasses:
        with _errors(self._address):
            sql = counting(self._staged, columns)
            return CountedClasses(*map(int, _rows(self._cursor, sql)[0]))

    def finish(self) -> None:
        target = quoted(self._schema, self._address.target)
        with _errors(self._address):
            _check_free(self._cursor, self._address, self._schema, self._overwrite)
            if self._overwrite:
                self._cursor.execute(f"DROP TABLE IF EXISTS {target}")
            name = quoted(self._address.target)
            self._cursor.execute(f"ALTER TABLE {self._staged} RENAME TO {name}")

    def publish(self) -> None:
        from adbc_driver_postgresql import dbapi

        try:
            self._cursor.connection.commit()
        except dbapi.Error as error:
            if _state(error):
                raise InputError(f"{self.name}: {_reason(error)}.") from None
            raise OSError(
                f"The connection was lost while {self.name} was published: look "
                "whether it is there."
            ) from None

    def close(self) -> None:
        self._open.close()


@contextlib.contextmanager
def _reading(address: Address) -> Iterator[Any]:
    with _errors(address), _connected(address) as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield cursor


@contextlib.contextmanager
def _connected(address: Address) -> Iterator[Any]:
    """A cursor in a transaction that is undone at the end, unless it is committed."""
    dbapi = _driver()
    with contextlib.closing(dbapi.connect(connection_url(address))) as connection:
        with contextlib.closing(connection.cursor()) as cursor:
            for setting in STORED_ORDER:
                cursor.execute(setting)
            yield cursor


def connection_url(address: Address) -> str:
    """What the driver gets: encrypted off this machine, with the password if any.

    libpq by itself falls back to clear text, where whoever answers can ask for the
    password in clear text too.
    """
    added = {}
    if not address.is_local:
        said = address.settings.get("sslmode") or os.environ.get("PGSSLMODE")
        if said is None and address.by_service:
            raise InputError(
                f"{address} takes its server from a service file.",
                hint="Say in the address how it is encrypted: sslmode=verify-full or "
                "sslmode=require.",
            )
        if said is None:
            added["sslmode"] = "require"
        elif said not in ENCRYPTED and (address.by_service or _has_password()):
            raise InputError(
                f"{address}: with sslmode={said} the password could cross the network "
                "in clear text.",
                hint="Leave sslmode out, or say sslmode=verify-full.",
            )
    password = os.environ.get("MICROCELL_DB_PASSWORD")
    if password:
        added["password"] = quote(password, safe="")
    mark = "&" if "?" in address.database else "?"
    more = "&".join(f"{name}={value}" for name, value in added.items())
    return f"{address.database}{mark}{more}" if more else address.database


def _has_password() -> bool:
    """Whether there is one for a server that asks, also in the file of libpq."""
    file = os.environ.get("PGPASSFILE") or os.path.expanduser("~/.pgpass")
    return os.path.exists(file) or any(map(os.environ.get, PASSWORD_VARIABLES))


def _driver() -> Any:
    try:
        from adbc_driver_postgresql import dbapi
    except ImportError:
        raise ImportError(
            "PostgreSQL needs more packages. Install them: pip install "
            "'microcell[postgresql]'."
        ) from None
    return dbapi


def _rows(cursor: Any, sql: str, *values: str) -> list[tuple[Any, ...]]:
    cursor.execute(sql, values or None)
    return list(cursor.fetchall())


def _server(cursor: Any) -> tuple[str, ...]:
    """What tells this database from all others, by whatever address it is reached."""
    sql = "SELECT pg_postmaster_start_time()::text, current_database()::text"
    return tuple(_rows(cursor, sql)[0])


def _schema(cursor: Any, address: Address) -> str:
    """The schema that a new table goes to."""
    if address.schema is not None:
        sql = "SELECT nspname::text FROM pg_namespace WHERE nspname = $1"
        found = _rows(cursor, sql, address.schema)
        if not found:
            raise InputError(f"There is no schema {address.schema!r} in the database.")
    else:
        found = _rows(cursor, "SELECT current_schema()::text")
        if found[0][0] is None:
            raise InputError(
                f"{address} names no schema, and this user has none of its own.",
                hint="Name one: schema.table.",
            )
    schema = str(found[0][0])
    allowed = _rows(cursor, "SELECT has_schema_privilege($1, 'CREATE')", schema)
    if not allowed[0][0]:
        raise PermissionError(
            f"This user may not make tables in the schema {schema!r}. Choose another."
        )
    return schema


def _select(cursor: Any, address: Address) -> str:
    if address.query is not None:
        return address.query
    found = _rows(
        cursor,
        "SELECT 1 FROM pg_class WHERE oid = to_regclass($1)",
        quoted(address.schema, address.table),
    )
    if not found:
        names = _rows(
            cursor,
            "SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm') "
            "AND pg_table_is_visible(oid)",
        )
        raise no_such_table(address, [name for (name,) in names])
    return f"SELECT * FROM {quoted(address.schema, address.table)}"


def _check_free(cursor: Any, address: Address, schema: str, overwrite: bool) -> str:
    """The number of the table that is there, or nothing; only tables are replaced."""
    found = _rows(
        cursor,
        "SELECT c.oid::text, c.relkind::text FROM pg_class c JOIN pg_namespace n "
        "ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2",
        schema,
        address.target,
    )
    for oid, letter in found:
        kind = RELATIONS.get(letter, "something else")
        if not (overwrite and kind == "table"):
            raise table_exists(address, kind)
        return str(oid)
    return ""


def _described(cursor: Any, select: str, name: str) -> pa.Schema:
    """The columns of a query, without its records."""
    cursor.execute(f"SELECT * FROM (\n{select}\n) AS q LIMIT 0")
    schema = cursor.fetch_arrow_table().schema
    check_repeated_names(schema.names, name)
    return schema


def _read(cursor: Any, select: str, name: str) -> pl.DataFrame:
    schema = _described(cursor, select, name)
    fields = ", ".join(read_by(field, name) for field in schema)
    cursor.execute(f"SELECT {fields} FROM (\n{select}\n) AS q")
    return as_read(cursor.fetch_arrow_table(), schema, name)


@contextlib.contextmanager
def _errors(address: Address) -> Iterator[None]:
    """Say what the server found wrong, without its words: they may quote a value."""
    dbapi = _driver()
    try:
        yield
    except dbapi.Error as error:
        if _state(error) == "42P07":
            raise table_exists(address, "table") from None
        raise InputError(f"{address}: {_reason(error)}.") from None


def _state(error: Any) -> str:
    """The code that SQL has for an error; empty if no server answered."""
    return str(getattr(error, "sqlstate", None) or "")


REASONS = {
    "25006": "it is only read here, and the query would write",
    "2BP01": "other things depend on the table that would be replaced, such as a view",
    "28P01": "the password is wrong or missing",
    "3D000": "there is no such database",
    "42501": "permission denied",
    "42601": "the query is not one statement of SQL",
    "42703": "the query names a column that is not there",
    "42P01": "the query names a table that is not there",
    "42883": "the query names a function that is not there, or types do not fit",
    "53100": "there is no room left",
    "55P03": "somebody else holds a lock; try again later",
    "57014": "it was cancelled",
}
CONNECTING = {
    r"password authentication failed|no password supplied": (
        "the password is wrong or missing. Give it in PGPASSWORD, "
        "MICROCELL_DB_PASSWORD or ~/.pgpass"
    ),
    r'FATAL:\s+role ".*" does not exist': "there is no such user",
    r'FATAL:\s+database ".*" does not exist': "there is no such database",
    r"no pg_hba.conf entry": "the server does not let this user in from here",
    r"could not translate host name": "there is no such host",
    r"refused|No such file": "no server answers there",
    r"timeout": "the server does not answer in time",
    r"SSL|certificate": (
        "no encrypted connection could be made, and none without is tried off this "
        "machine unless the address says sslmode"
    ),
}


def _reason(error: Any) -> str:
    state = _state(error)
    if state:
        return REASONS.get(state, f"PostgreSQL cannot do it (SQLSTATE {state})")
    for pattern, words in CONNECTING.items():
        if re.search(pattern, str(error)):
            return words
    return "the connection failed"
