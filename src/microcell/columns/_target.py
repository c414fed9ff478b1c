"""The confidential attribute as numbers, for methods that shape cells by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from microcell.columns._confidential import ConfidentialReading, declared_values
from microcell.columns._missing_marks import as_marks
from microcell.columns._numeric import as_numbers, exact_numbers
from microcell.columns._prepared import is_missing
from microcell.columns._series import dictionary
from microcell.exceptions import SchemaError

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
    if series.dtype == nw.String:  # as a text file has them
        marks = as_marks(missing_marks).texts(name)
        read = ConfidentialReading((name,), {}, decimal, marks).column(series)
        if read.dtype.is_numeric():
            return _whole(exact_numbers(as_numbers(read)))
    if series.dtype.is_numeric():
        y = exact_numbers(as_numbers(series))
        return y.astype(np.int64) if series.dtype.is_integer() else y
    return dictionary(series)[0]


def check_kind(
    frame: Any, name: str, kind: Any, missing_marks: Any = (), decimal: Any = None
) -> None:
    """Refuse a kind that a confidential column is declared to be and is not."""
    series = frame[name]
    present = ~is_missing(series, missing_marks)
    if present.any():
        declared_values(series.filter(present.tolist()), kind, decimal)


def _whole(y: Any) -> Any:
    return y.astype(np.int64) if (y == np.rint(y)).all() else y
