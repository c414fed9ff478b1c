"""What a column becomes in a database, and what no database here can hold."""

from __future__ import annotations

import datetime
from typing import Any

import polars as pl

from microcell.exceptions import InputError

FIRST_DAY, LAST_DAY = datetime.date.min, datetime.date.max
NEXT_LARGER: dict[Any, Any] = {
    pl.Int8: pl.Int16,
    pl.UInt8: pl.Int16,
    pl.Int16: pl.Int16,
    pl.UInt16: pl.Int32,
    pl.Int32: pl.Int32,
}


def storable(frame: pl.DataFrame) -> pl.DataFrame:
    """The table in the types that databases have; values stay what they are.

    Categories and columns without a value are text, unsigned integers the next larger
    type, moments have microseconds, and those with a time zone are told in UTC.

    Examples
    --------
    >>> frame = pl.DataFrame({"a": [1]}, schema={"a": pl.UInt8})
    >>> storable(frame).dtypes
    [Int16]
    """
    return pl.DataFrame([_storable(column) for column in frame.iter_columns()])


def _storable(column: pl.Series) -> pl.Series:
    dtype = column.dtype
    if dtype.is_integer():
        return column.cast(NEXT_LARGER.get(type(dtype), pl.Int64))
    if dtype.is_float() and dtype not in (pl.Float32, pl.Float64):
        return column.cast(pl.Float32)  # half of one
    if dtype in (pl.Categorical, pl.Enum, pl.Null):
        return column.cast(pl.String)
    if isinstance(dtype, pl.Datetime):
        if dtype.time_zone is not None:
            column = column.dt.convert_time_zone("UTC")
        return column.dt.cast_time_unit("us")
    return column


def not_storable(frame: pl.DataFrame) -> dict[str, str]:
    """For columns that no database here can hold: what it is that they hold."""
    reasons = {c.name: _not_storable(c) for c in frame.iter_columns()}
    return {name: reason for name, reason in reasons.items() if reason}


def _not_storable(column: pl.Series) -> str:
    dtype = column.dtype
    if dtype.is_nested() or dtype in (pl.Object, pl.Duration):
        return "lists, structures, objects or durations"
    if dtype in (pl.UInt64, pl.Int128, pl.UInt128):
        fits = column.cast(pl.Int64, strict=False).null_count() == column.null_count()
        return "" if fits else "integers of more than 64 bits with a sign"
    if dtype in (pl.Date, pl.Datetime) and not years_fit(column):
        return "dates before year 1 or after 9999"
    fine = isinstance(dtype, pl.Datetime) and dtype.time_unit == "ns"
    if (fine or dtype == pl.Time) and (column.cast(pl.Int64) % 1000 != 0).any():
        return "parts of a microsecond"
    return ""


def years_fit(column: pl.Series) -> bool:
    """Whether dates are in the years 1 to 9999, as both databases and Python have.

    What PostgreSQL calls infinity is outside of them.
    """
    days = column.cast(pl.Date).to_physical()
    return bool(days.is_between(*pl.Series([FIRST_DAY, LAST_DAY]).to_physical()).all())


def check_came_back(written: pl.DataFrame, found: pl.DataFrame, database: str) -> None:
    """Refuse a table of which a database holds something else than was written."""
    if found.columns != written.columns or found.height != written.height:
        raise RuntimeError(
            f"{found.height} records of {len(found.columns)} columns were read back "
            f"from {database}, but {written.height} of {len(written.columns)} were "
            "written. Nothing is published."
        )
    for name in written.columns:
        if not written[name].equals(found[name], check_dtypes=True, null_equal=True):
            raise InputError(
                f"Column {name!r} does not come back from {database} as it was "
                "written, so nothing is published.",
                column=name,
                hint="Write a .parquet file, or leave it out.",
            )
