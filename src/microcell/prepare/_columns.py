"""One quasi-identifier: its values as numbers, and released numbers as values.

Each kind of column encodes a series as floats, one per record, and decodes what an
aggregator made of them into a series of the same library.
"""

import datetime

import narwhals as nw
import numpy as np

from microcell._patterns import BEYOND, LARGEST_EXACT_INTEGER
from microcell.base import SchemaError
from microcell.prepare._releasable import type_name
from microcell.prepare._series import (
    dictionary,
    first_rows,
    ordered_categories,
    series_like,
    without_unused_categories,
)
from microcell.prepare._text import dates_of_text, first_sighting, numbers_of_text

MOST_CATEGORIES = 100  # each is a coordinate, and the mode of so many says little
LARGEST_VALUE = 1e100
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
SECOND = 1_000_000  # microseconds
STEPS = (86_400 * SECOND, 3_600 * SECOND, 60 * SECOND, SECOND)
DAY = STEPS[0]


class NumericColumn:
    """Numbers; the mean of integers is a float unless it is to be rounded."""

    kind = "numeric"

    def __init__(self, series, integers, records=None):
        self.series = as_numbers(series, records)
        self.round = self.series.dtype.is_integer() and integers == "round"
        self.values = exact_numbers(self.series)

    def encode(self, series):
        return finite_numbers(as_numbers(series))

    def decode(self, values):
        if self.round:
            rounded = np.rint(values).astype(np.int64)
            return series_like(self.series, rounded, self.series.dtype)
        same = self.series.dtype.is_float()
        return series_like(
            self.series, values, self.series.dtype if same else nw.Float64()
        )

    def text(self, value):
        whole = self.series.dtype.is_integer()
        return str(int(value)) if whole else repr(float(value))

    def number(self, text):
        return float(text)


class DateColumn:
    """Dates and times as microseconds.

    Means are rounded to whole days, hours, minutes or seconds of UTC if all values of
    the original are.
    """

    kind = "date"

    def __init__(self, series, records=None):
        self.series = as_dates(series, records)
        self.values = self.encode(self.series)
        self.step = next((s for s in STEPS if not (self.values % s).any()), 1)

    def encode(self, series):
        return as_dates(series).dt.timestamp("us").to_numpy().astype(np.float64)

    def decode(self, values):
        dtype = self.series.dtype
        stamps = (np.rint(values / self.step) * self.step).astype(np.int64)
        if dtype == nw.Date:
            days = stamps // DAY
            moments = days.astype("datetime64[D]").astype("datetime64[us]")
        else:
            moments = stamps.astype("datetime64[us]")
        new = series_like(self.series, moments, nw.Datetime("us"))
        if dtype == nw.Date:
            return new.cast(nw.Date())
        if dtype.time_zone is not None:
            new = new.dt.replace_time_zone("UTC").dt.convert_time_zone(dtype.time_zone)
        return new.cast(nw.Datetime(dtype.time_unit, dtype.time_zone))

    def text(self, value):
        moment = EPOCH + datetime.timedelta(microseconds=int(value))
        if self.series.dtype != nw.Date and self.series.dtype.time_zone is not None:
            return moment.astimezone(self.series[0].tzinfo).isoformat()
        shown = moment.replace(tzinfo=None).isoformat()
        return shown[:10] if self.step == DAY else shown

    def number(self, text):
        moment = datetime.datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)
        return float((moment - EPOCH) // datetime.timedelta(microseconds=1))


class CategoryColumn:
    """Categories as codes; what is released is a category of the original."""

    def __init__(self, series, records=None):
        self.series = series
        self.codes, self.categories = dictionary(series)
        self.place_of = self._places()
        self.values = self._positions(self.codes, self.categories, records)

    def encode(self, series):
        return self._positions(*dictionary(series), of=" of the release")

    def _positions(self, codes, categories, records=None, of=""):
        places = [self.place_of.get(value, -1) for value in categories]
        if -1 in places:
            seen = first_sighting(categories, codes, places.index(-1), records)
            raise SchemaError(
                f"Column {self.series.name!r}{of} holds {seen}, {self.alien}"
            )
        return np.array(places)[codes].astype(np.float64)

    def decode(self, values):
        first = first_rows(self.values.astype(np.int64))
        return without_unused_categories(self.series[first[values.astype(np.int64)]])

    def text(self, value):
        first = first_rows(self.values.astype(np.int64))
        return str(self.series[int(first[int(value)])])

    def number(self, text):
        texts = [str(category) for category in self.categories]
        return float(self.place_of[self.categories[texts.index(text)]])


class NominalColumn(CategoryColumn):
    """Categories without an order, coded as first seen."""

    kind = "nominal"
    alien = "which the original does not have."

    def __init__(self, series, records=None):
        super().__init__(series, records)
        if len(self.categories) > MOST_CATEGORIES:
            raise SchemaError(
                f"Column {series.name!r} has {len(self.categories)} categories, more "
                f"than {MOST_CATEGORIES}. Group them, give them an order in 'kinds', "
                "or treat the column as an identifier."
            )

    def _places(self):
        return {value: code for code, value in enumerate(self.categories)}


class OrdinalColumn(CategoryColumn):
    """Categories with an order, coded by their place in it."""

    kind = "ordinal"
    alien = "which is not in its order. Add it to the order in 'kinds'."

    def __init__(self, series, order=None, records=None):
        self.order = order
        super().__init__(series, records)

    def _places(self):
        order = sorted(self.categories) if self.order is None else self.order
        return {value: place for place, value in enumerate(order)}


def make_column(series, kind, integers, records=None):
    """The column of a quasi-identifier, by its declared kind or its data type.

    Parameters
    ----------
    series : narwhals.Series
    kind : str, sequence or None
    integers : {"mean", "round"}
    records : ndarray of shape (n_samples,), optional
        Number of each record in the table, for errors; by default counted from 1.
    """
    if kind is None:
        kind = kind_of(series)
    if kind == "numeric":
        return NumericColumn(series, integers, records)
    if kind == "date":
        return DateColumn(series, records)
    if kind == "nominal":
        return NominalColumn(series, records)
    return OrdinalColumn(series, order_of(series, kind), records)


def kind_of(series):
    """Kind that a data type stands for; integers of two values are codes."""
    dtype = series.dtype
    if dtype.is_integer() and series.n_unique() <= 2:
        return "nominal"  # sex as 1 and 2 is a code: nobody wants a sex of 1.4
    if dtype.is_numeric():
        return "numeric"
    if dtype == nw.Date or dtype == nw.Datetime:
        return "date"
    if ordered_categories(series) is not None:
        return "ordinal"
    if dtype in (nw.Boolean, nw.String, nw.Categorical):
        return "nominal"
    raise SchemaError(
        f"Column {series.name!r} has data type {type_name(series)}, which cannot be "
        "masked. Convert it to numbers, text, categories or dates."
    )


def order_of(series, kind):
    """Order of an ordinal column: the declared one, or that of its data type.

    Codes of one length that are written in digits, as 03740 and 10001, are text and
    have the order of their numbers.
    """
    if not isinstance(kind, str):
        return declared_order(series, list(kind))
    if ordered_categories(series) is not None:
        return ordered_categories(series)
    if series.dtype.is_numeric() or series.dtype == nw.Boolean:
        return None
    if series.dtype == nw.Date or series.dtype == nw.Datetime:
        return None
    if series.dtype == nw.String and length_of_codes(dictionary(series)[1]):
        return None
    raise SchemaError(
        f"Column {series.name!r} is declared ordinal, but its values have no order of "
        "their own. List them in 'kinds', lowest first."
    )


def declared_order(series, order):
    """The declared order; integers in it stand for codes of text of one length."""
    if series.dtype == nw.String and all(type(value) is int for value in order):
        length = length_of_codes(dictionary(series)[1])
        return [str(value).zfill(length) for value in order]
    return order


def length_of_codes(texts):
    """Length of codes that are written in digits; 0 if they have not all the same."""
    digits = all(text.isascii() and text.isdigit() for text in texts)
    lengths = {len(text) for text in texts}
    return lengths.pop() if digits and len(lengths) == 1 else 0


def as_numbers(series, records=None):
    """The series as numbers; text is read as numbers if all of it can be."""
    dtype = series.dtype
    if dtype.is_decimal():
        return series.cast(nw.Float64())
    if dtype.is_numeric():
        return series
    if dtype == nw.Boolean:
        return series.cast(nw.Int8())
    if dtype == nw.String:
        return numbers_of_text(series, records)
    raise SchemaError(
        f"Column {series.name!r} is declared numeric but has data type "
        f"{type_name(series)}. Convert it to numbers, or declare the column nominal."
    )


def as_dates(series, records=None):
    """The series as dates; text is read as dates in ISO form (2024-12-31)."""
    if series.dtype == nw.Date or series.dtype == nw.Datetime:
        return series
    if series.dtype == nw.String:
        return dates_of_text(series, records)
    raise SchemaError(
        f"Column {series.name!r} is declared a date but has data type "
        f"{type_name(series)}. Convert it to dates, or declare the column nominal."
    )


def exact_numbers(series):
    """Values as float64; integers that floats cannot hold are an error.

    They may be somebody's number, so they are not shown. pandas makes floats of
    integers where one is missing.
    """
    values = finite_numbers(series)
    whole = series.dtype.is_integer() or (values == np.rint(values)).all()
    written = series.to_numpy() if series.dtype.is_integer() else values
    largest = max(abs(int(written.min())), abs(int(written.max()))) if whole else 0
    if largest > LARGEST_EXACT_INTEGER:
        raise SchemaError(f"Column {series.name!r} {BEYOND}")
    return values


def finite_numbers(series):
    """Values as float64; infinity and values whose squares overflow are errors."""
    values = series.to_numpy().astype(np.float64)
    n_infinite = int(np.isinf(values).sum())
    if n_infinite:
        raise SchemaError(
            f"Column {series.name!r} holds infinity in {n_infinite} record(s). Correct "
            "them, or leave those records out."
        )
    if np.abs(values).max(initial=0.0) > LARGEST_VALUE:
        raise SchemaError(
            f"Column {series.name!r} holds values beyond {LARGEST_VALUE:g}, whose "
            "squares overflow. Correct them, or change the unit."
        )
    return values
