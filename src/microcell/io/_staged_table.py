"""StagedTable: a table of a database that is written but not yet to be seen."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import polars as pl


class CountedClasses(NamedTuple):
    """What a database counted: records, classes of equal ones, and the smallest."""

    records: int
    classes: int
    smallest: int


class StagedTable(ABC):
    """A new table in an open transaction: nobody else sees it before `publish`.

    A process that is killed leaves nothing: the database undoes what was not published.

    Attributes
    ----------
    name : str
        What it is called in messages.
    """

    name: str

    @abstractmethod
    def write(self, frame: pl.DataFrame) -> None:
        """Create the table under a name that nobody uses and fill it."""

    @abstractmethod
    def read(self) -> pl.DataFrame:
        """The table as the database has it, records in the order of writing."""

    @abstractmethod
    def count(self, columns: Sequence[str]) -> CountedClasses:
        """Let the database count the records that are equal in some columns."""

    @abstractmethod
    def finish(self) -> None:
        """Give the table its name, still unseen; the one before is dropped."""

    @abstractmethod
    def publish(self) -> None:
        """Let everybody see it."""

    @abstractmethod
    def close(self) -> None:
        """Undo what was not published."""


def unused_name() -> str:
    """A name of a table that nobody uses."""
    return f"microcell_{secrets.token_hex(8)}"


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
