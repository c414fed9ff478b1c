"""Types of columns in SQLite: what is declared, and what values are stored as."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import polars as pl

ISO_DATE, ISO_TIME = "%Y-%m-%d", "%H:%M:%S"
KEPT_DIGITS = 15  # of a decimal that a float keeps
SCALED = re.compile(r"(?:DECIMAL|NUMERIC)\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)")
IN_UTC = ("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ")


def declared_type(dtype: Any) -> str:
    """What a column is declared as.

    Examples
    --------
    >>> declared_type(pl.Int16()), declared_type(pl.Decimal(10, 2))
    ('INTEGER', 'DECIMAL(10, 2)')
    """
    if isinstance(dtype, pl.Decimal):
        return f"DECIMAL({dtype.precision}, {dtype.scale})"
    if isinstance(dtype, pl.Datetime):
        return "TIMESTAMP" if dtype.time_zone is None else IN_UTC[0]
    if dtype.is_integer() or dtype.is_float():
        return "INTEGER" if dtype.is_integer() else "REAL"
    named = {pl.Boolean: "BOOLEAN", pl.Date: "DATE", pl.Time: "TIME", pl.Binary: "BLOB"}
    return named.get(type(dtype), "TEXT")


def as_kept(frame: pl.DataFrame) -> pl.DataFrame:
    """A table as SQLite gives it back: one type of integers and one of floats.

    It keeps 0.0 and -0.0 as the same number.
    """
    return frame.with_columns(
        pl.col(pl.Int16, pl.Int32).cast(pl.Int64),
        pl.col(pl.Float32, pl.Float64).cast(pl.Float64) + 0.0,
    )


def not_kept(column: pl.Series) -> str:
    """What a column holds that SQLite would change; empty if there is nothing."""
    if column.dtype.is_float() and column.is_nan().any():
        return "NaN"
    if isinstance(column.dtype, pl.Decimal):
        digits = column.cast(pl.String).str.replace_all(r"[-.]", "")
        if (digits.str.strip_chars_start("0").str.len_chars() > KEPT_DIGITS).any():
            return f"decimals of more than {KEPT_DIGITS} digits"
    return ""


def bad_names(names: Sequence[str]) -> dict[str, str]:
    """Columns that cannot be called so in SQLite, for which A and a are the same.

    Examples
    --------
    >>> list(bad_names(["age", "Age", "sex"]))
    ['age', 'Age']
    """
    plain = [name.lower() for name in names]
    return {
        name: "the same name in capitals, or one with a NUL character"
        for name in names
        if plain.count(name.lower()) > 1 or "\0" in name
    }


def as_values(frame: pl.DataFrame) -> pl.DataFrame:
    """Values as they are stored: dates and moments as ISO text, decimals as text.

    SQLite makes numbers of the text of decimals.
    """
    return frame.with_columns(
        pl.col(pl.Date).dt.strftime(ISO_DATE),
        pl.col(pl.Datetime).dt.strftime(f"{ISO_DATE} {ISO_TIME}%.6f"),
        pl.col(pl.Time).dt.strftime(f"{ISO_TIME}%.6f"),
        pl.col(pl.Decimal).cast(pl.String),
    )


def as_declared(column: pl.Series, declared: str) -> pl.Series:
    """Stored values as what their column was declared; as they are if they do not fit.

    Examples
    --------
    >>> as_declared(pl.Series("born", ["1984-02-29", None]), "date").to_list()
    [datetime.date(1984, 2, 29), None]
    >>> as_declared(pl.Series("born", ["unknown"]), "date").to_list()
    ['unknown']
    """
    declared = declared.upper().strip()
    read = _read_as(column, declared)
    if read is None or read.null_count() != column.null_count():
        return column
    return read


def _read_as(column: pl.Series, declared: str) -> pl.Series | None:
    if column.dtype == pl.String:
        if declared == "DATE":
            return column.str.to_date(ISO_DATE, strict=False, exact=True)
        if declared == "TIME":
            return column.str.to_time(f"{ISO_TIME}%.f", strict=False)
        if declared.startswith(("DATETIME", "TIMESTAMP")):
            moment = f"{ISO_DATE} {ISO_TIME}%.f"
            zone = "UTC" if declared.startswith(IN_UTC) else None
            plain = column.str.replace("T", " ", literal=True)
            read = plain.str.to_datetime(moment, time_unit="us", strict=False)
            return read if zone is None else read.dt.replace_time_zone(zone)
        all_missing = column.null_count() == len(column)
        return column.cast(_of_no_value(declared)) if all_missing else None
    if column.dtype == pl.Int64 and declared.startswith("BOOL"):
        return column.cast(pl.Boolean) if column.is_between(0, 1).all() else None
    scaled = SCALED.fullmatch(declared)
    if scaled and column.dtype in (pl.Int64, pl.Float64):
        return _decimals(column, int(scaled[1]), int(scaled[2]))
    if column.dtype == pl.Int64 and declared in ("REAL", "FLOAT", "DOUBLE"):
        return column.cast(pl.Float64)
    return None


def _of_no_value(declared: str) -> Any:
    """The type of a column without a value, which no value can tell."""
    scaled = SCALED.fullmatch(declared)
    if scaled and int(scaled[1]) <= 38:
        return pl.Decimal(int(scaled[1]), int(scaled[2]))
    named = {"INTEGER": pl.Int64, "REAL": pl.Float64, "BLOB": pl.Binary}
    named |= {"BOOLEAN": pl.Boolean}
    return named.get(declared, pl.String)


def _decimals(column: pl.Series, precision: int, scale: int) -> pl.Series | None:
    if not scale <= precision <= 38:
        return None
    try:
        read = column.cast(pl.Decimal(precision, scale), strict=False)
    except pl.exceptions.PolarsError:
        return None
    same = (read.cast(pl.Float64) == column.cast(pl.Float64)).all()
    return read if same else None
