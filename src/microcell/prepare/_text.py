"""Text columns of a dataframe that stand for numbers or dates."""

import datetime
import re

import narwhals as nw
import numpy as np

from microcell._patterns import (
    BEYOND,
    LARGEST_EXACT_INTEGER,
    NUMBER,
    WHOLE,
    sighting,
)
from microcell.base import SchemaError
from microcell.prepare._series import dictionary


def number_or_none(value):
    """The number that a text stands for.

    Examples
    --------
    >>> number_or_none(" 12 "), number_or_none("1e3"), number_or_none("1_000")
    (12.0, 1000.0, None)
    """
    text = value.strip() if isinstance(value, str) else ""
    return float(text) if re.match(NUMBER, text) else None


def numbers_of_text(series, records=None):
    """A text column as numbers: integers if all of it is written as integers.

    Parameters
    ----------
    series : narwhals.Series
        Text without missing values.
    records : ndarray of shape (n_samples,), optional
        Number of each record in the table; by default they are counted from 1.
    """
    codes, texts = dictionary(series)
    numbers = [number_or_none(text) for text in texts]
    if None in numbers:
        raise SchemaError(
            f"Column {series.name!r} is declared numeric but holds "
            f"{first_sighting(texts, codes, numbers.index(None), records)}. If that "
            "marks a missing value, name it in the missing marks; else correct it, or "
            "declare the column nominal."
        )
    whole = [bool(re.match(WHOLE, text.strip())) for text in texts]
    if any(map(is_beyond, texts, numbers, whole)):
        raise SchemaError(f"Column {series.name!r} {BEYOND}")
    kind = (np.int64, nw.Int64()) if all(whole) else (np.float64, nw.Float64())
    values = np.array(numbers).astype(kind[0])[codes]
    return nw.new_series(series.name, values, kind[1], backend=series.implementation)


def is_beyond(text, number, whole):
    """Whether a text is a whole number that floats cannot hold."""
    if not whole or abs(number) < LARGEST_EXACT_INTEGER:
        return False
    return abs(number) > LARGEST_EXACT_INTEGER or abs(int(text)) > LARGEST_EXACT_INTEGER


def dates_of_text(series, records=None):
    """A text column of days in ISO form (2024-12-31) as dates."""
    codes, texts = dictionary(series)
    days = [day_or_none(text) for text in texts]
    if None in days:
        raise SchemaError(
            f"Column {series.name!r} is declared a date but holds "
            f"{first_sighting(texts, codes, days.index(None), records)}. "
            "Write dates as 2024-12-31, or declare the column nominal."
        )
    moments = np.array(days, dtype="datetime64[D]").astype("datetime64[us]")[codes]
    moments = nw.new_series(
        series.name, moments, nw.Datetime("us"), backend=series.implementation
    )
    # numpy's pandas has no dates without a time
    return moments if series.implementation.is_pandas() else moments.cast(nw.Date())


def day_or_none(text):
    """The day that a text of the form 2024-12-31 stands for."""
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None


def first_sighting(values, codes, code, records=None):
    """Where the value of a code stands first, and its pattern."""
    row = int(np.argmax(codes == code))
    return sighting(values[code], row + 1 if records is None else int(records[row]))
