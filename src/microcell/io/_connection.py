"""What both databases do: tables are found, read, and written in one transaction."""

from __future__ import annotations

import contextlib
import difflib
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import polars as pl

from microcell.exceptions import InputError, OutputExistsError
from microcell.io._address import Address
from microcell.io._outbox import Outbox, exists_already


class Types(Protocol):
    """What a module knows of the types of a database."""

    def declared_type(self, dtype: Any) -> str:
        """What a column is declared as."""

    def as_kept(self, frame: pl.DataFrame) -> pl.DataFrame:
        """A table as the database gives it back."""

    def not_kept(self, column: pl.Series) -> str:
        """What a column holds that the database has not; empty if nothing."""

    def bad_names(self, names: Sequence[str]) -> dict[str, str]:
        """Columns that cannot be called so, with the reason."""


class CountedClasses(NamedTuple):
    """What a database counted: records, classes of equal ones, and the smallest."""

    records: int
    classes: int
    smallest: int


class Connection(ABC):
    """A connection to the database of an address, in a transaction.

    A kind of database says here how it is reached, what its catalogue holds, and how
    records go in and come out. A new one is one file that does, and one line in
    `io/_database.py`.

    Parameters
    ----------
    address : Address
    writes : bool, default=False
        Whether a table is to be written.

    Attributes
    ----------
    kind : str
        What people call the database.
    types : Types
    schema : str or None
        Where its table is.
    """

    kind: ClassVar[str]
    types: ClassVar[Types]

    def __init__(self, address: Address, *, writes: bool = False) -> None:
        self.address = address
        self.schema = address.schema

    @classmethod
    @contextlib.contextmanager
    def opened(cls, address: Address, *, writes: bool = False) -> Iterator[Self]:
        """A connection for a block, whose errors are said in our words."""
        with cls.explained(address):
            with contextlib.closing(cls(address, writes=writes)) as connection:
                yield connection

    @classmethod
    @contextlib.contextmanager
    def explained(cls, address: Address) -> Iterator[None]:
        """Say what went wrong without the driver's words: they may quote a value."""
        driver_error = cls.driver_error()
        try:
            yield
        except driver_error as error:
            if cls.says_exists(error):
                raise exists_already(address) from None
            raise InputError(f"{address}: {cls.reason(error)}.") from None

    @classmethod
    @abstractmethod
    def driver_error(cls) -> type[Exception]:
        """What the driver raises."""

    @classmethod
    @abstractmethod
    def reason(cls, error: Any) -> str:
        """What went wrong, in words that quote nothing."""

    @classmethod
    def says_exists(cls, error: Any) -> bool:
        """Whether an error says that somebody has made the table meanwhile."""
        return False

    @classmethod
    @abstractmethod
    def check_output(cls, address: Address, overwrite: bool) -> tuple[str, ...]:
        """What an output is, after checking that it can be written."""

    @classmethod
    def stage(cls, address: Address, outbox: Outbox) -> StagedTable:
        """A new table in a transaction."""
        with cls.explained(address):
            return StagedTable(cls(address, writes=True), outbox.overwrite)

    @abstractmethod
    def rows(self, sql: str, *values: str) -> list[tuple[Any, ...]]:
        """Execute a statement; what it gives."""

    @abstractmethod
    def names(self, select: str) -> list[str]:
        """Names of the columns of a query, each of which must be another."""

    @abstractmethod
    def fetch(self, select: str) -> pl.DataFrame:
        """The records of a query, with the types that tables declare."""

    @abstractmethod
    def insert(self, table: str, frame: pl.DataFrame) -> None:
        """Fill an empty table of `schema`."""

    @abstractmethod
    def relations(self) -> list[str]:
        """Names of tables and views that can be read without a schema."""

    @abstractmethod
    def is_there(self) -> bool:
        """Whether there is a table or a view of the address's name."""

    @abstractmethod
    def taken(self) -> tuple[str, str] | None:
        """Number and kind of what has the name of the table to be written."""

    @abstractmethod
    def tables_of(self, select: str) -> set[tuple[str, ...]]:
        """What a query reads from, as `check_output` calls it."""

    @abstractmethod
    def commit(self) -> None:
        """Let everybody see what was written."""

    @abstractmethod
    def close(self) -> None:
        """End the connection, and undo what was not committed."""

    def select(self) -> str:
        """The query of the address, or one for all of its table."""
        address = self.address
        if address.query is not None:
            return address.query
        if not self.is_there():
            near = difflib.get_close_matches(
                str(address.table), self.relations(), n=1, cutoff=0.5
            )
            guess = f"Did you mean {near[0]!r}?" if near else ""
            raise InputError(f"There is no table {address}.", hint=guess)
        return f"SELECT * FROM {quoted(self.schema, address.table)}"

    def check_free(self, overwrite: bool) -> str:
        """The number of the table that is there, or nothing; a view always stays."""
        number, kind = self.taken() or ("", "table")
        if kind != "table":
            raise OutputExistsError(
                f"{self.address} is there, and it is no table ({kind}).",
                hint="Choose another name.",
            )
        if number and not overwrite:
            raise exists_already(self.address)
        return number


class StagedTable:
    """A new table in an open transaction: nobody else sees it before `publish`.

    A process that is killed leaves nothing: the database undoes what was not published.

    Attributes
    ----------
    name : str
        What it is called in messages.
    """

    def __init__(self, connection: Connection, overwrite: bool) -> None:
        self.name = str(connection.address)
        self._connection, self._overwrite = connection, overwrite
        self._table = f"microcell_{secrets.token_hex(8)}"  # which nobody uses
        self._staged = quoted(connection.schema, self._table)
        try:
            connection.check_free(overwrite)
        except BaseException:
            self.close()
            raise

    def write(self, frame: pl.DataFrame) -> None:
        """Create the table under a name that nobody uses and fill it."""
        declared = self._connection.types.declared_type
        columns = [f"{quoted(n)} {declared(t)}" for n, t in frame.schema.items()]
        with self._explained():
            self._connection.rows(f"CREATE TABLE {self._staged} ({', '.join(columns)})")
            self._connection.insert(self._table, frame)

    def read(self) -> pl.DataFrame:
        """The table as the database has it, records in the order of writing."""
        with self._explained():
            return self._connection.fetch(f"SELECT * FROM {self._staged}")

    def count(self, columns: Sequence[str]) -> CountedClasses:
        """Let the database count the records that are equal in some columns."""
        with self._explained():
            (counted,) = self._connection.rows(counting(self._staged, columns))
            return CountedClasses(*map(int, counted))

    def finish(self) -> None:
        """Give the table its name, still unseen; the one before is dropped."""
        target = self._connection.address.target
        with self._explained():
            self._connection.check_free(self._overwrite)
            if self._overwrite:
                old = quoted(self._connection.schema, target)
                self._connection.rows(f"DROP TABLE IF EXISTS {old}")
            self._connection.rows(
                f"ALTER TABLE {self._staged} RENAME TO {quoted(target)}"
            )

    def publish(self) -> None:
        """Let everybody see it."""
        with self._explained():
            self._connection.commit()

    def close(self) -> None:
        """Undo what was not published."""
        self._connection.close()

    def _explained(self) -> contextlib.AbstractContextManager[None]:
        return self._connection.explained(self._connection.address)


def quoted(*names: str | None) -> str:
    """A name as SQL has it, whatever marks it holds; schema first.

    Examples
    --------
    >>> print(quoted(None, 'a"b; drop table c'))
    "a""b; drop table c"
    """
    parts = [name.replace('"', '""') for name in names if name is not None]
    return ".".join(f'"{part}"' for part in parts)


def counting(table: str, columns: Sequence[str]) -> str:
    """SQL that counts the records of a table that are equal in some columns.

    Examples
    --------
    >>> print(counting('"t"', ["age"]))
    SELECT coalesce(sum(n), 0), count(*), coalesce(min(n), 0)
    FROM (SELECT count(*) AS n FROM "t" GROUP BY "age") AS classes
    """
    by = f" GROUP BY {', '.join(quoted(name) for name in columns)}" if columns else ""
    return (
        "SELECT coalesce(sum(n), 0), count(*), coalesce(min(n), 0) "
        f"FROM (SELECT count(*) AS n FROM {table}{by}) AS classes"
    )


def check_repeated_names(names: Sequence[str], where: Address) -> None:
    """Refuse a query that gives two columns the same name."""
    repeated = sorted({name for name in names if list(names).count(name) > 1})
    if repeated:
        raise InputError(
            f"{where} gives several columns the name {repeated}.",
            column=repeated[0],
            hint='Give each its own with "AS".',
        )
