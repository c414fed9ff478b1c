"""The confidential attribute as numbers, for methods that shape cells by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from microcell.exceptions import SchemaError
from microcell.io import number_layout
from microcell.prepare._kinds import fit_encoder
from microcell.prepare._numeric import as_numbers, exact_numbers
from microcell.prepare._prepared import is_missing
from microcell.prepare._series import dictionary
from microcell.prepare._text_types import known_texts, number_or_none, read_text

if TYPE_CHECKING:
    from numpy.typing import NDArray


def target_values(
    frame: Any,
    name: str,
    kind: Any = None,
    missing_marks: Any = (),
    decimal: str | None = None,
) -> NDArray[Any]:
    """Numbers as they are, also if they are written as text; categories as codes.

    Parameters
    ----------
    frame : narwhals.DataFrame
    name : str
        The attribute; it must have no missing values.
    kind : str, sequence or None
        The kind it is declared to be.
    missing_marks : Marks or sequence of str
        What stands for a missing value.
    decimal : {".", ","}, optional
        The decimal mark of numbers that are text.

    Returns
    -------
    y : ndarray of shape (n_samples,)
        Floats for numbers with fractions; integers for whole numbers and categories.
    """
    series = frame[name]
    n_missing = int(is_missing(series, missing_marks).sum())
    if n_missing:
        raise SchemaError(
            f"Column {name!r} is to shape cells but has {n_missing} missing value(s).",
            column=name,
            option="target",
            hint="Fill them, or choose another target or method.",
        )
    if kind is not None:
        return _whole(declared_values(series, kind, decimal))
    if series.dtype == nw.String and decimal is not None:
        series = as_decimals(series, decimal)
    if series.dtype.is_numeric():
        y = exact_numbers(as_numbers(series))
        return y.astype(np.int64) if series.dtype.is_integer() else y
    codes, values = dictionary(series)
    numbers = [number_or_none(value) for value in values]
    if series.dtype == nw.String and None not in numbers:  # as a text file has them
        return _whole(np.array(numbers)[codes])
    return codes


def as_decimals(series: Any, decimal: Any) -> Any:
    """Text that is all numbers with that decimal mark, as numbers; else as it is."""
    known = known_texts(series)
    if not known.str.contains(number_layout(known, decimal).pattern).all():
        return series
    return read_text(series, "numeric", decimal=decimal)


def check_kind(
    frame: Any, name: str, kind: Any, missing_marks: Any = (), decimal: Any = None
) -> None:
    """Refuse a kind that a confidential column is declared to be and is not."""
    series = frame[name]
    present = ~is_missing(series, missing_marks)
    if present.any():
        declared_values(series.filter(present.tolist()), kind, decimal)


def declared_values(series: Any, kind: Any, decimal: Any = None) -> Any:
    """Values of a column that is declared to be of a kind, as floats."""
    if kind in ("numeric", "date") and series.dtype == nw.String:
        series = read_text(series, kind, decimal=decimal)
    return fit_encoder(series, kind).encode(series)


def _whole(y: Any) -> Any:
    return y.astype(np.int64) if (y == np.rint(y)).all() else y
