"""A release where it goes, before it is to be seen: written, read back, counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from microcell.exceptions import PrivacyError
from microcell.io import (
    Format,
    Layout,
    Outbox,
    check_read_back,
    is_address,
    read_source,
    sha256,
    table_of,
    write_staged,
    write_table,
)
from microcell.privacy import KAnonymity, Promise, View
from microcell.release._content_digest import content_digest

if TYPE_CHECKING:
    import polars as pl

    from microcell.io import StagedTable


class Written(NamedTuple):
    """What was written.

    Attributes
    ----------
    place : str
        "file" or "database".
    frame : polars.DataFrame
        What was read back.
    compare : callable
        ``compare() -> dict``: whether that is what was written, value by value, and
        what a certificate says of it. It may run beside the counting of promises.
    finish : callable
        ``finish(view, promises, compared) -> dict``: last checks, and all that a
        certificate says.
    """

    place: str
    frame: pl.DataFrame
    compare: Callable[[], dict[str, Any]]
    finish: Callable[[View, Sequence[Promise], dict[str, Any]], dict[str, Any]]


def write_release(
    outbox: Outbox,
    path: str | Path,
    frame: pl.DataFrame,
    format: Format,
    layouts: Mapping[str, Layout],
    dialect: Mapping[str, str],
) -> Written:
    """Write a table where `outbox` will publish it, and read it back."""
    if is_address(path):
        return _to_database(outbox, str(path), frame)
    staged = outbox.stage(path)
    write_table(frame, staged, format=format, layouts=layouts, **dialect)
    back = read_source(staged, format=format, name=path, own=True, **dialect)

    def compare() -> dict[str, Any]:
        readers = check_read_back(frame, layouts, format, back, staged, path)
        return {"sha256": sha256(staged), "read_back_by": readers}

    def finish(
        view: View, promises: Sequence[Promise], compared: dict[str, Any]
    ) -> dict[str, Any]:
        return {
            "name": Path(path).name,
            "bytes": Path(staged).stat().st_size,
            "sha256": compared["sha256"],
            "records": back.frame.height,
            "columns": back.frame.columns,
            "format": format.name,
            "read_back_by": compared["read_back_by"],
        }

    return Written("file", back.frame, compare, finish)


def _to_database(outbox: Outbox, path: str, frame: pl.DataFrame) -> Written:
    staged, found = write_staged(outbox, path, frame)

    def compare() -> dict[str, Any]:
        return {"sha256": content_digest(found)}

    def finish(
        view: View, promises: Sequence[Promise], compared: dict[str, Any]
    ) -> dict[str, Any]:
        counted = [_counted(staged, view, promise) for promise in promises]
        staged.finish()
        return {
            **table_of(path),
            "sha256": compared["sha256"],
            "records": found.height,
            "columns": found.columns,
            "counted_by_database": list(filter(None, counted)),
        }

    return Written("database", found, compare, finish)


def _counted(
    staged: StagedTable, view: View, promise: Promise
) -> dict[str, Any] | None:
    """What the database itself counts of a promise of k.

    Raises
    ------
    PrivacyError
        If it counts smaller classes than promised, or others than were read back.
    """
    if not isinstance(promise, KAnonymity):
        return None
    names = list(view.known if promise.columns is None else promise.columns)
    counted = staged.count(names)
    sizes = View(view.table, names).counts().sizes  # records, whomever k counts
    seen = (int(sizes.sum()), len(sizes), int(sizes.min(initial=sizes.sum())))
    too_small = promise.promised and counted.smallest < promise.k
    if counted != seen or too_small:
        raise PrivacyError(
            f"The database counts {counted.records} records in {counted.classes} "
            f"classes, the smallest of {counted.smallest}; {seen[0]}, {seen[1]} and "
            f"{seen[2]} were read back. The release is withheld."
        )
    return {"columns": names, **counted._asdict()}
