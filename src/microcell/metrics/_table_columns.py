"""Columns of an array or a dataframe, as codes or as numbers that can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
import pyarrow as pa

from microcell._forked import refuse_polars_after_fork
from microcell.exceptions import InputError, absent_column
from microcell.metrics._homogeneity import value_codes


def open_columns(table: Any, role: str = "released table") -> Any:
    """Columns of a table by name; those of an array by their place.

    Examples
    --------
    >>> open_columns([[1, 2], [3, 4]])
    {0: array([1, 3]), 1: array([2, 4])}
    """
    frame = nw.from_native(table, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        if frame.implementation.is_polars():
            refuse_polars_after_fork()
        columns: dict[Any, Any] = {name: frame[name] for name in frame.columns}
        shape = frame.shape
    else:
        values = np.asarray(table)
        shape = values.shape
        columns = dict(enumerate(values.T)) if values.ndim == 2 else {}
    if len(shape) != 2 or 0 in shape:
        raise InputError(
            f"The {role} must have records and columns. Got shape {shape} instead."
        )
    return columns


def is_labels(labels_or_released: Any) -> bool:
    """Whether these are labels, one for each record, and not a table."""
    frame = nw.from_native(labels_or_released, eager_only=True, pass_through=True)
    return not isinstance(frame, nw.DataFrame) and np.ndim(labels_or_released) == 1


def as_frame(table: Any, role: str = "released table") -> Any:
    """A table as a dataframe, columns of an array named by their place."""
    columns = open_columns(table, role)
    if isinstance(next(iter(columns.values())), nw.Series):
        return table
    return pl.DataFrame({str(name): values for name, values in columns.items()})


def code_columns(table: Any) -> tuple[list[int], np.ndarray]:
    """Names of the columns, and a number for each value, shape (n_samples, n_columns).

    Examples
    --------
    >>> code_columns([["f", "x"], ["m", "x"]])
    ([0, 1], array([[0, 0], [1, 0]]))
    """
    columns = open_columns(table)
    codes = [value_codes(values, name) for name, values in columns.items()]
    return list(columns), np.column_stack(codes).astype(np.int64)


def comparable_numbers(
    tables: Any, nominal: Any = None
) -> tuple[list[int], list[np.ndarray], list[Any]]:
    """Tables of the same columns as numbers, and which columns hold codes.

    Numbers of dataframes are divided by their standard deviation in the first table,
    and other columns become codes, equal for equal values of all tables. Arrays are
    taken as they are, with `nominal` for columns of codes.

    Parameters
    ----------
    tables : dict
        From the name of a role, for messages, to an array or dataframe.
    nominal : sequence of int or None
        Columns of arrays that hold codes; dataframes show it by their types.

    Returns
    -------
    names : list
    arrays : list of ndarray of shape (n_samples, n_columns)
    nominal : list of int
    """
    opened = {role: open_columns(table, role) for role, table in tables.items()}
    first_role, first = next(iter(opened.items()))
    for role, columns in opened.items():
        if set(map(type, columns)) != set(map(type, first)):
            raise InputError(
                f"The {first_role} and the {role} must both be arrays or dataframes."
            )
        for name in first:
            if name not in columns:
                raise absent_column(str(name), role, [str(c) for c in columns])
        if len(columns) > len(first):
            extra = next(name for name in columns if name not in first)
            raise absent_column(str(extra), first_role, [str(c) for c in first])
    if not isinstance(next(iter(first.values())), nw.Series):
        arrays = [_numbers(columns, role) for role, columns in opened.items()]
        return list(first), arrays, list(nominal or ())
    if nominal is not None:
        raise InputError(
            "Columns of codes are named for arrays only; those of a dataframe are "
            "known by their types.",
            option="nominal",
            hint="Turn columns of codes into text.",
        )
    columns, coded = [], []
    for place, name in enumerate(first):
        series = [found[name] for found in opened.values()]
        kinds = {values.dtype.is_numeric() for values in series}
        if len(kinds) > 1:
            raise InputError(
                f"Column {name!r} holds numbers in one table and other values in the "
                "other, so that they cannot be compared.",
                column=name,
                hint="Release midpoints instead of intervals, or leave it out.",
            )
        if kinds == {True}:
            columns.append(_in_deviations(series, name, tuple(opened)))
        else:
            coded.append(place)
            columns.append(_common_codes(series, name))
    arrays = [np.column_stack(parts) for parts in zip(*columns, strict=True)]
    return list(first), arrays, coded


def _numbers(columns: Mapping[int, np.ndarray], role: str) -> np.ndarray:
    try:
        X = np.column_stack(list(columns.values())).astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"An array must hold numbers; that of the {role} does not.",
            hint="Give text in a dataframe.",
        ) from None
    if not np.isfinite(X).all():
        raise InputError(f"The {role} contains NaN or infinity.")
    return X


def _in_deviations(series: Any, name: Any, roles: Any) -> Any:
    found = []
    for values, role in zip(series, roles, strict=True):
        numbers = values.to_numpy().astype(np.float64)
        if not np.isfinite(numbers).all():
            raise InputError(
                f"Column {name!r} of the {role} has missing or infinite values.",
                column=name,
                hint="Leave these records out of all tables first.",
            )
        found.append(numbers)
    spread = found[0].std() if np.ptp(found[0]) > 0 else 1.0
    return [numbers / spread for numbers in found]


def _common_codes(series: Any, name: Any) -> Any:
    """Codes of several columns, equal for values that are the same as text."""
    columns = [pa.chunked_array(_arrow_text(values)) for values in series]
    joined = pa.chunked_array([chunk for column in columns for chunk in column.chunks])
    codes = value_codes(joined.combine_chunks(), name).astype(np.float64)
    return np.split(codes, np.cumsum([len(column) for column in columns])[:-1])


def _arrow_text(values: Any) -> Any:
    arrow = values.to_arrow()
    chunks = arrow.chunks if isinstance(arrow, pa.ChunkedArray) else [arrow]
    return [chunk.cast(pa.large_string()) for chunk in chunks]
