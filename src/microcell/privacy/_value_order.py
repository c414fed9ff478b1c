"""Confidential values numbered in their order, where they have one."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from microcell._patterns import DATE, MOMENT, NUMBER, UTC_MOMENT
from microcell.exceptions import SchemaError
from microcell.privacy._classes import as_polars

ISO_LAYOUTS = (DATE, MOMENT, UTC_MOMENT)  # of dates whose text sorts as they do


def has_order(table: Any, column: str) -> bool:
    """Whether values are numbers or dates, also if they are written as text.

    Examples
    --------
    >>> table = pl.DataFrame({"pay": ["9", "10", ""], "ill": ["flu", "gout", "flu"]})
    >>> has_order(table, "pay"), has_order(table, "ill")
    (True, False)
    """
    return _sortable(as_polars(table, [column])[column]) is not None


def ordered_codes(
    table: Any, column: str, order: Sequence[Any] | None = None
) -> np.ndarray:
    """Confidential value of each record, numbered in the order of the values.

    Numbers and dates have an order, also as text of a file; ordered categories have
    theirs; other text has the `order` that is given. A missing value comes last.

    Examples
    --------
    >>> ordered_codes(pl.DataFrame({"pay": ["9", "10", "", "9"]}), "pay")
    array([0, 1, 2, 0])
    >>> ordered_codes(pl.DataFrame({"pain": ["no", "much"]}), "pain", ["no", "much"])
    array([0, 1])
    """
    values: Any = as_polars(table, [column])[column]
    order = _categories(table, column) if order is None else order
    if order is None:
        values = _sortable(values)
        if values is None:
            raise SchemaError(
                f"The values of column {column!r} have no order: they are neither "
                "numbers nor dates.",
                column=column,
                option="promises",
                hint="Give their order, or choose the distance 'equal'.",
            )
    else:
        names = [str(value) for value in order]
        hint = "Name all values, from the least to the greatest."
        values = places_of(values, names, column, "order", hint)
    return _ranks(values)


def value_numbers(table: Any, column: str) -> np.ndarray:
    """Values of a column that has an order, as floats; NaN is missing.

    Dates are microseconds, and text is what it stands for.
    """
    values = _sortable(as_polars(table, [column])[column])
    if values is None:
        raise SchemaError(f"Column {column!r} has no numbers.", column=column)
    if values.dtype == pl.String:  # of dates
        values = values.str.replace(r"(Z|\+00:?00)$", "").str.to_datetime(
            time_unit="us", strict=False
        )
    if values.dtype.is_temporal():
        values = values.to_physical()
    return values.cast(pl.Float64).fill_null(np.nan).to_numpy()


def _ranks(values: pl.Series) -> np.ndarray:
    """Place of each value among the distinct ones; what is missing comes last."""
    ranks = values.rank("dense").to_numpy().astype(np.float64)
    last = np.nanmax(ranks, initial=0.0) + 1
    return np.where(np.isnan(ranks), last, ranks).astype(np.int64) - 1


def _sortable(values: pl.Series) -> pl.Series | None:
    """The values as a type that sorts as they do; None if they have no order."""
    if values.dtype.is_float():
        return values.fill_nan(None) + 0.0  # -0.0 is 0.0
    if values.dtype.is_numeric() or values.dtype.is_temporal():
        return values
    if values.dtype != pl.String:
        return None
    values = values.replace("", None)
    present = values.drop_nulls()
    if present.is_empty():
        return values
    if present.str.strip_chars().str.contains(NUMBER).all():
        return values.str.strip_chars().cast(pl.Float64) + 0.0
    is_iso = any(present.str.contains(layout).all() for layout in ISO_LAYOUTS)
    return values if is_iso else None


def _categories(table: Any, column: str) -> list[str] | None:
    """The order of ordered categories; None of other columns."""
    values = nw.from_native(table, eager_only=True)[column]
    if isinstance(values.dtype, nw.Enum):
        return list(values.dtype.categories)
    native = values.to_native()
    if getattr(getattr(native, "dtype", None), "ordered", False):
        return [str(value) for value in native.cat.categories]
    return None


def places_of(
    values: pl.Series, names: Sequence[str], column: str, what: str, hint: str
) -> pl.Series:
    """Place of each value among the names; null where it is missing."""
    texts = values.cast(pl.String).replace("", None)
    places = texts.replace_strict(
        list(names), list(range(len(names))), default=-1, return_dtype=pl.Int64
    )
    places = pl.select(
        pl.when(texts.is_null()).then(None).otherwise(places)
    ).to_series()
    n_absent = int((places == -1).sum())
    if n_absent:
        raise SchemaError(
            f"The {what} of column {column!r} leaves out values of {n_absent} "
            "record(s).",
            column=column,
            option="promises",
            hint=hint,
        )
    return places
