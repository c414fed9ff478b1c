"""PostgreSQL: tables of a server, through ADBC, which moves whole columns."""

from __future__ import annotations

import contextlib
import os
import re
from typing import Any, ClassVar
from urllib.parse import quote

import polars as pl
import pyarrow as pa

from microcell.exceptions import InputError
from microcell.io import _postgresql_types
from microcell.io._address import Address
from microcell.io._connection import Connection, Types, check_repeated_names, quoted
from microcell.io._postgresql_types import as_read, fits_as_name, read_by

STORED_ORDER = (
    # records come in the order in which they are stored
    "SET LOCAL max_parallel_workers_per_gather = 0",
    "SET LOCAL synchronize_seqscans = off",
)
READ_ONLY = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
ENCRYPTED = ("require", "verify-ca", "verify-full")  # values of sslmode
PASSWORD_VARIABLES = ("MICROCELL_DB_PASSWORD", "PGPASSWORD")  # in the environment
RELATIONS = {"r": "table", "p": "table", "v": "view", "m": "materialized view"}
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
    "53100": "the disk is full",
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


class PostgreSQL(Connection):
    """A server; what is read is read in a transaction that cannot write."""

    kind = "PostgreSQL"
    types: ClassVar[Types] = _postgresql_types

    def __init__(self, address: Address, *, writes: bool = False) -> None:
        super().__init__(address)
        connect = _driver().connect
        with contextlib.ExitStack() as opened:
            self._connection = opened.enter_context(
                contextlib.closing(connect(connection_url(address)))
            )
            self._cursor = opened.enter_context(
                contextlib.closing(self._connection.cursor())
            )
            for setting in (*STORED_ORDER, *(() if writes else (READ_ONLY,))):
                self._cursor.execute(setting)
            if writes:
                self.schema = self._schema()
            self._opened = opened.pop_all()

    @classmethod
    def driver_error(cls) -> type[Exception]:
        error: type[Exception] = _driver().Error
        return error

    @classmethod
    def reason(cls, error: Any) -> str:
        state = _state(error)
        if state:
            return REASONS.get(state, f"PostgreSQL cannot do it (SQLSTATE {state})")
        for pattern, words in CONNECTING.items():
            if re.search(pattern, str(error)):
                return words
        return "the connection failed"

    @classmethod
    def says_exists(cls, error: Any) -> bool:
        return _state(error) == "42P07"

    @classmethod
    def check_output(cls, address: Address, overwrite: bool) -> tuple[str, ...]:
        if not fits_as_name(address.target):
            raise InputError(
                f"A table cannot be called {address.target!r} in PostgreSQL, where "
                "names have 1 to 63 bytes.",
                hint="Choose another name.",
            )
        with cls.opened(address, writes=True) as connection:
            return (*connection._server(), connection.check_free(overwrite))

    def rows(self, sql: str, *values: str) -> list[tuple[Any, ...]]:
        self._cursor.execute(sql, values or None)
        return list(self._cursor.fetchall())

    def names(self, select: str) -> list[str]:
        return self._described(select).names

    def fetch(self, select: str) -> pl.DataFrame:
        schema, name = self._described(select), str(self.address)
        fields = ", ".join(read_by(field, name) for field in schema)
        self._cursor.execute(f"SELECT {fields} FROM (\n{select}\n) AS q")
        return as_read(self._cursor.fetch_arrow_table(), schema, name)

    def insert(self, table: str, frame: pl.DataFrame) -> None:
        self._cursor.adbc_ingest(
            table, frame.to_arrow(), mode="append", db_schema_name=self.schema
        )

    def relations(self) -> list[str]:
        found = self.rows(
            "SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm') "
            "AND pg_table_is_visible(oid)"
        )
        return [name for (name,) in found]

    def is_there(self) -> bool:
        return bool(
            self.rows(
                "SELECT 1 FROM pg_class WHERE oid = to_regclass($1)",
                quoted(self.schema, self.address.table),
            )
        )

    def taken(self) -> tuple[str, str] | None:
        found = self.rows(
            "SELECT c.oid::text, c.relkind::text FROM pg_class c JOIN pg_namespace n "
            "ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2",
            str(self.schema),
            self.address.target,
        )
        for oid, letter in found:
            return oid, RELATIONS.get(letter, "something else")
        return None

    def tables_of(self, select: str) -> set[tuple[str, ...]]:
        """A transaction holds a lock on each table until it ends."""
        self._described(select)
        found = self.rows(
            "SELECT relation::text FROM pg_locks WHERE pid = pg_backend_pid() "
            "AND relation IS NOT NULL"
        )
        return {(*self._server(), oid) for (oid,) in found}

    def commit(self) -> None:
        try:
            self._connection.commit()
        except self.driver_error() as error:
            if _state(error):
                raise
            raise OSError(
                f"The connection was lost while {self.address} was published: look "
                "whether it is there."
            ) from None

    def close(self) -> None:
        self._opened.close()

    def _server(self) -> tuple[str, ...]:
        """What tells this database from all others, by whatever address it is met."""
        sql = "SELECT pg_postmaster_start_time()::text, current_database()::text"
        return tuple(self.rows(sql)[0])

    def _schema(self) -> str:
        """The schema that a new table goes to."""
        named = self.schema
        if named is not None:
            sql = "SELECT nspname::text FROM pg_namespace WHERE nspname = $1"
            if not self.rows(sql, named):
                raise InputError(f"There is no schema {named!r} in the database.")
        else:
            ((named,),) = self.rows("SELECT current_schema()::text")
            if named is None:
                raise InputError(
                    f"{self.address} names no schema, and this user has none of its "
                    "own.",
                    hint="Name one: schema.table.",
                )
        ((allowed,),) = self.rows("SELECT has_schema_privilege($1, 'CREATE')", named)
        if not allowed:
            raise PermissionError(
                f"This user may not make tables in the schema {named!r}. Choose "
                "another."
            )
        return named

    def _described(self, select: str) -> pa.Schema:
        """The columns of a query, without its records."""
        self._cursor.execute(f"SELECT * FROM (\n{select}\n) AS q LIMIT 0")
        schema = self._cursor.fetch_arrow_table().schema
        check_repeated_names(schema.names, self.address)
        return schema


def _state(error: Any) -> str:
    """The code that SQL has for an error; empty if no server answered."""
    return str(getattr(error, "sqlstate", None) or "")


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
