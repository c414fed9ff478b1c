"""The confidential attribute as numbers, for methods that shape cells by it."""

import narwhals as nw
import numpy as np

from microcell.exceptions import SchemaError
from microcell.prepare._kinds import fit_encoder
from microcell.prepare._numeric import as_numbers, exact_numbers
from microcell.prepare._prepared import is_missing
from microcell.prepare._series import dictionary
from microcell.prepare._text_types import number_or_none, read_text


def target_values(frame, name, kind=None, missing_marks=()):
    """Numbers as they are, also if they are written as text; categories as codes.

    Parameters
    ----------
    frame : narwhals.DataFrame
    name : str
        The attribute; it must have no missing values.
    kind : str, sequence or None
        The kind it is declared to be.
    missing_marks : sequence of str
        Texts that stand for a missing value.

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
        return _whole(declared_values(series, kind))
    if series.dtype.is_numeric():
        y = exact_numbers(as_numbers(series))
        return y.astype(np.int64) if series.dtype.is_integer() else y
    codes, values = dictionary(series)
    numbers = [number_or_none(value) for value in values]
    if series.dtype == nw.String and None not in numbers:  # as a text file has them
        return _whole(np.array(numbers)[codes])
    return codes


def check_kind(frame, name, kind, missing_marks=()):
    """Refuse a kind that a confidential column is declared to be and is not."""
    series = frame[name]
    present = ~is_missing(series, missing_marks)
    if present.any():
        declared_values(series.filter(present.tolist()), kind)


def declared_values(series, kind):
    """Values of a column that is declared to be of a kind, as floats."""
    if kind in ("numeric", "date") and series.dtype == nw.String:
        series = read_text(series, kind)
    return fit_encoder(series, kind).encode(series)


def _whole(y):
    return y.astype(np.int64) if (y == np.rint(y)).all() else y
