"""Part: what a table that does not fit into memory is read in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from microcell.exceptions import InputError


@dataclass(frozen=True)
class Part:
    """A part of a table.

    Attributes
    ----------
    index : int
        Its place among the parts, the same whenever the table is read.
    first : int or None
        Number of records before it; None if not known.
    n_records : int
        Its records.
    load : callable
        Gives its records, a polars.DataFrame; may be called in another thread.
    """

    index: int
    first: int | None
    n_records: int
    load: Callable[[], pl.DataFrame]


class Parts(Protocol):
    """A table on disk.

    Attributes
    ----------
    files : sequence of Path
        The files that hold it.
    schema : mapping of str to polars.DataType
        Its columns.
    as_text : bool
        Whether its columns are text whose types nobody said.
    n_records : int or None
        Its records, if that is known without reading it.
    notices : tuple of str
        What was found out and the owner should know.
    """

    @property
    def files(self) -> Sequence[Path]: ...
    @property
    def schema(self) -> Mapping[str, Any]: ...
    @property
    def as_text(self) -> bool: ...
    @property
    def n_records(self) -> int | None: ...
    @property
    def notices(self) -> tuple[str, ...]: ...

    def read(
        self, columns: Sequence[str], skip: Collection[int] = ()
    ) -> Iterator[Part]:
        """Parts with some columns, without those whose index is in `skip`."""

    def values_bytes(self, columns: Sequence[str]) -> int:
        """About how many bytes the values of some columns take in memory."""


def loaded(frame: pl.DataFrame) -> Callable[[], pl.DataFrame]:
    """How a part is loaded that is there already."""
    return lambda: frame


def check_columns(
    here: Iterable[str], there: Iterable[str], file: Path, first: Path
) -> None:
    """Refuse a file that has other columns than the first; their order may differ."""
    for name in dict.fromkeys([*there, *here]):
        for names, where, elsewhere in ((here, file, first), (there, first, file)):
            if name not in names:
                raise InputError(
                    f"{where} has no column {name!r}, and {elsewhere} has one.",
                    column=name,
                    hint="Write all files with the same columns.",
                )
