"""Parquet files: every type that a table here can hold, and a clear no to others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet

from microcell.exceptions import InputError
from microcell.io._format import Dialect, Format


def read_parquet(path: str | Path, name: str | Path, dialect: Dialect) -> pl.DataFrame:
    """The table of a Parquet file.

    Extension types (JSON, UUID) are read as what they are stored as.

    Parameters
    ----------
    path : path
        The file.
    name : path
        What the file is called in errors.
    dialect : Dialect
        None: it is no text.
    """
    with reading(name, "Parquet"):
        check_types(pyarrow.parquet.read_schema(str(path)), name)
        table = pyarrow.parquet.read_table(str(path))
    return converted(table, name)


@contextmanager
def reading(name: str | Path, kind: str) -> Iterator[None]:
    """Say what is wrong with a file that Arrow cannot read, and no value of it."""
    try:
        yield
    except pa.ArrowNotImplementedError as error:
        raise InputError(
            f"{name} has a column of a type that cannot be read ({error}). Convert it."
        ) from None
    except (pa.ArrowInvalid, OSError) as error:
        if "magic bytes" in str(error) or "footer" in str(error):
            raise InputError(f"{name} is not a {kind} file.") from None
        raise InputError(
            f"{name} is a damaged {kind} file, or it has a column of a type that "
            "cannot be read. Write it again."
        ) from None


def check_types(schema: pa.Schema, name: str | Path) -> None:
    """Refuse names that repeat, and decimals that no table here can hold."""
    repeated = sorted(column for column, n in Counter(schema.names).items() if n > 1)
    if repeated:
        raise InputError(
            f"{name} has repeated column names: {repeated}. Rename the columns."
        )
    wide = [
        f.name for f in schema if any(map(pa.types.is_decimal256, types_in(f.type)))
    ]
    if wide:  # polars would not raise but panic
        raise InputError(
            f"Columns {wide} of {name} are decimals of more than 38 digits. "
            "Convert them."
        )


def types_in(kind: pa.DataType) -> Iterator[pa.DataType]:
    """A type and those inside it: of lists, dictionaries, maps and structures.

    Examples
    --------
    >>> [str(t) for t in types_in(pa.list_(pa.struct([("a", pa.int8())])))]
    ['list<item: struct<a: int8>>', 'struct<a: int8>', 'int8']
    """
    yield kind
    if pa.types.is_struct(kind):
        inside = [field.type for field in kind]
    elif pa.types.is_map(kind):
        inside = [kind.key_type, kind.item_type]
    else:
        inside = [kind.value_type] if hasattr(kind, "value_type") else []
    for part in inside:
        yield from types_in(part)


def _stored(table: pa.Table) -> pa.Table:
    for index, field in enumerate(table.schema):
        if isinstance(field.type, pa.BaseExtensionType):
            chunks = [chunk.storage for chunk in table.column(index).chunks]
            column = pa.chunked_array(chunks, field.type.storage_type)
            table = table.set_column(index, field.name, column)
    return table


def converted(table: pa.Table, name: str | Path) -> pl.DataFrame:
    """An Arrow table in polars, or an error that names the columns that do not go."""
    table = _stored(table)
    try:
        return pl.DataFrame(table)
    except Exception as error:
        unreadable = []
        for column in table.column_names:
            try:
                pl.DataFrame(table.select([column]))
            except Exception:
                unreadable.append(f"{column!r} ({table.schema.field(column).type})")
        if not unreadable:
            raise
        raise InputError(
            f"{name} has columns of types that cannot be read: "
            f"{', '.join(unreadable)}. Convert them, or leave them out."
        ) from error


def parquet_columns(path: str | Path, name: str | Path, dialect: Dialect) -> list[str]:
    """Names of the columns, from the schema."""
    try:
        return list(pyarrow.parquet.read_schema(str(path)).names)
    except (pa.ArrowException, OSError):
        raise InputError(f"{name} is not a Parquet file.") from None


def write_parquet(
    frame: pl.DataFrame, path: str | Path, layouts: Mapping[str, Any], dialect: Dialect
) -> None:
    """Write Parquet; numbers and moments have types.

    In one piece, so that row groups do not tell how the source was stored.
    """
    frame.rechunk().write_parquet(path)


PARQUET = Format(
    name="Parquet",
    suffixes=(".parquet",),
    typed=True,
    read=read_parquet,
    columns=parquet_columns,
    write=write_parquet,
    reader="pyarrow",
)
