"""What the text of a CSV column stands for: numbers, dates or categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from microcell.base import SchemaError

MISSING_MARKS = ("", "NA", "N/A", "NaN", "nan", "null", "NULL")
CODE_WITH_ZERO = r"^[+-]?0\d"  # 02139 is a code, not the number 2139
WHOLE = r"^[+-]?\d+$"
DATE = r"^\d{4}-\d{2}-\d{2}$"
MOMENT = r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$"


def type_columns(
    frame: pl.DataFrame,
    names: Sequence[str],
    kinds: Mapping[str, Any] | None = None,
    missing_marks: Sequence[str] = MISSING_MARKS,
    mixed: str = "error",
) -> pl.DataFrame:
    """Give the named text columns the data type that their values stand for.

    Other columns stay as they are, so that what is released as it is keeps its text.

    Parameters
    ----------
    frame : polars.DataFrame
        As `read_table` returns it.
    names : sequence of str
        Columns to look at; those that are not in the frame are left to the schema.
    kinds : mapping, optional
        Declared kinds, as in `Schema`.
    missing_marks : sequence of str
        Texts that stand for a missing value.
    mixed : {"error", "text"}
        What becomes of a column that holds mostly numbers or dates, but not only.

    Returns
    -------
    frame : polars.DataFrame

    Examples
    --------
    >>> frame = pl.DataFrame({"age": ["31", "NA"], "zip": ["02139", "90210"]})
    >>> type_columns(frame, ["age", "zip"]).schema
    Schema([('age', Int64), ('zip', String)])
    """
    kinds = kinds or {}
    typed = [
        _typed_or_text(frame[name], missing_marks)
        if mixed == "text"
        else _typed(frame[name], kinds.get(name), missing_marks)
        for name in names
        if name in frame.columns and frame[name].dtype == pl.String
    ]
    return frame.with_columns(typed)


def _typed_or_text(series: pl.Series, missing_marks: Sequence[str]) -> pl.Series:
    """The typed column if its text can be made again from it to the letter."""
    text = series.set(series.is_in(list(missing_marks)), None)
    try:
        typed = _typed(series, None, missing_marks)
    except SchemaError:
        return text
    return typed if typed.cast(pl.String).equals(text, null_equal=True) else text


def _typed(series: pl.Series, kind: Any, missing_marks: Sequence[str]) -> pl.Series:
    marks = list(missing_marks)
    text = series.set(series.is_in(marks), None)
    values = text.str.strip_chars()
    known = values.drop_nulls()
    if known.is_empty() or kind == "nominal":
        return text
    if kind == "date":
        return _as_date(values) if _all_match(known, DATE) else _as_moment(values, text)
    if kind is not None and kind != "numeric":  # an order: of numbers, or of texts
        numbers = known.cast(pl.Float64, strict=False)
        of_text = _orders_text(kind) or numbers.null_count() > 0
        return text if of_text else _as_number(values, known)
    numbers = known.cast(pl.Float64, strict=False)
    if numbers.null_count() == 0:
        if kind is None and known.str.contains(CODE_WITH_ZERO).any():
            return text
        return _as_number(values, known)
    if kind == "numeric" or numbers.null_count() <= known.len() / 2:
        bad = known.filter(numbers.is_null())[0]
        raise SchemaError(
            f"Column {series.name!r} holds numbers and {bad!r}. If that marks a "
            "missing value, name it in the missing marks; else correct it, or declare "
            "the column nominal."
        )
    if _all_match(known, DATE):
        return _as_date(values)
    if _all_match(known, MOMENT):
        return _as_moment(values, text)
    return text


def _orders_text(kind: Any) -> bool:
    return not isinstance(kind, str) and any(isinstance(value, str) for value in kind)


def _all_match(known: pl.Series, pattern: str) -> bool:
    return bool(known.str.contains(pattern).all())


def _as_number(values: pl.Series, known: pl.Series) -> pl.Series:
    if _all_match(known, WHOLE):
        whole = values.cast(pl.Int64, strict=False)
        if whole.null_count() == values.null_count():
            return whole
    return values.cast(pl.Float64)


def _as_date(values: pl.Series) -> pl.Series:
    dates = values.str.to_date("%Y-%m-%d", strict=False)
    _refuse_impossible(values, dates)
    return dates


def _as_moment(values: pl.Series, text: pl.Series) -> pl.Series:
    if not _all_match(values.drop_nulls(), MOMENT):
        return text  # the column itself says which value is no date
    try:
        moments = values.str.to_datetime(time_unit="us", strict=False)
    except pl.exceptions.ComputeError:  # none of them is possible
        moments = pl.Series(values.name, [None] * len(values), dtype=pl.Datetime("us"))
    _refuse_impossible(values, moments)
    return moments


def _refuse_impossible(values: pl.Series, dates: pl.Series) -> None:
    wrong = values.filter(dates.is_null() & values.is_not_null())
    if not wrong.is_empty():
        raise SchemaError(
            f"Column {values.name!r} holds {wrong[0]!r}, which is no date. Correct it, "
            "or declare the column nominal."
        )
