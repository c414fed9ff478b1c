"""Types of columns in PostgreSQL: what is declared, and how values are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import pyarrow as pa

from microcell.exceptions import InputError
from microcell.io._connection import quoted
from microcell.io._storable import years_fit

TYPE_NAMES = {
    pl.Boolean: "boolean",
    pl.Int16: "smallint",
    pl.Int32: "integer",
    pl.Int64: "bigint",
    pl.Float32: "real",
    pl.Float64: "double precision",
    pl.Date: "date",
    pl.Time: "time",
    pl.Binary: "bytea",
}
AS_THEY_ARE = (
    "bool int2 int4 int8 float4 float8 text varchar bpchar name char date time "
    "timestamp timestamptz bytea"
).split()
NOT_READ = ("interval", "timetz", "money", "bit", "varbit", "xml")
SYSTEM_COLUMNS = ("ctid", "xmin", "xmax", "cmin", "cmax", "tableoid")
MAX_DECIMAL_DIGITS = 38  # digits of a decimal


def declared_type(dtype: Any) -> str:
    """What a column is declared as.

    Examples
    --------
    >>> declared_type(pl.Int16()), declared_type(pl.Decimal(10, 2))
    ('smallint', 'numeric(10, 2)')
    """
    if isinstance(dtype, pl.Decimal):
        return f"numeric({dtype.precision}, {dtype.scale})"
    if isinstance(dtype, pl.Datetime):
        return "timestamp" if dtype.time_zone is None else "timestamptz"
    return TYPE_NAMES.get(type(dtype), "text")


def not_kept(column: pl.Series) -> str:
    """What a column holds that PostgreSQL has not; empty if there is nothing."""
    if column.dtype == pl.String and column.str.contains("\0", literal=True).any():
        return "text with a NUL character"
    return ""


def as_kept(frame: pl.DataFrame) -> pl.DataFrame:
    """A table as PostgreSQL gives it back: as it is."""
    return frame


def fits_as_name(name: str) -> bool:
    """Whether PostgreSQL takes a name whole; a longer one it would cut."""
    return 1 <= len(name.encode()) <= 63 and "\0" not in name


def bad_names(names: Sequence[str]) -> dict[str, str]:
    """Columns that cannot be called so in PostgreSQL."""
    return {
        name: "a name of no or more than 63 bytes, or one that is taken"
        for name in names
        if name in SYSTEM_COLUMNS or not fits_as_name(name)
    }


def type_of(field: pa.Field) -> str:
    """What PostgreSQL calls the type of a column."""
    return (field.metadata or {}).get(b"POSTGRESQL:type", b"").decode()


def read_by(field: pa.Field, name: str) -> str:
    """SQL that reads a column: decimals, enumerations and the like as text."""
    kind = type_of(field)
    if kind in AS_THEY_ARE:
        return quoted(field.name)
    if kind == "oid":
        return f"{quoted(field.name)}::bigint AS {quoted(field.name)}"
    if kind in NOT_READ or kind.startswith("_") or pa.types.is_nested(field.type):
        raise InputError(
            f"Column {field.name!r} of {name} is of type {kind.lstrip('_')!r}"
            f"{' (several)' if kind.startswith('_') else ''}, which is not read.",
            column=field.name,
            hint="Read it by a query that casts it: ...::text.",
        )
    return f"{quoted(field.name)}::text AS {quoted(field.name)}"


def as_read(table: pa.Table, described: pa.Schema, name: str) -> pl.DataFrame:
    """The table with its types, from what the driver gives."""
    plain = table.replace_schema_metadata(None)
    plain = plain.cast(pa.schema([pa.field(f.name, f.type) for f in plain.schema]))
    frame = pl.DataFrame(plain)
    columns = []
    for field, column in zip(described, frame.iter_columns(), strict=True):
        if type_of(field) == "numeric":
            column = _decimals(column, field, name)
        if column.dtype in (pl.Date, pl.Datetime) and not years_fit(column):
            raise InputError(
                f"Column {field.name!r} of {name} has dates before year 1 or after "
                "9999, or an infinite one.",
                column=field.name,
                hint="Read it by a query that leaves them out or makes NULL of them.",
            )
        columns.append(column)
    return pl.DataFrame(columns)


def _decimals(column: pl.Series, field: pa.Field, name: str) -> pl.Series:
    """Text of decimals as such, with the declared scale or the one they have."""
    modifier = int((field.metadata or {}).get(b"POSTGRESQL:typmod", b"-1"))
    if modifier >= 4:
        precision, scale = (modifier - 4) >> 16, (modifier - 4) & 0x7FF
    else:
        fraction = column.str.extract(r"\.(\d+)$").str.len_chars()
        precision, scale = MAX_DECIMAL_DIGITS, int(fraction.max() or 0)  # type: ignore[arg-type]
    if scale <= precision <= MAX_DECIMAL_DIGITS:
        read = column.cast(pl.Decimal(precision, scale), strict=False)
        if read.null_count() == column.null_count():
            return read
    raise InputError(
        f"Column {field.name!r} of {name} has NaN, or decimals of more than "
        f"{MAX_DECIMAL_DIGITS} digits.",
        column=field.name,
        hint="Read it by a query that casts it: ...::double precision.",
    )
