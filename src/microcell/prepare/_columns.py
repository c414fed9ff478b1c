"""One quasi-identifier: its values as numbers, and released numbers as values.

Each kind of column encodes a series as floats, one per record, and decodes what an
aggregator made of them into a series of the same library.
"""

import datetime
import zoneinfo

import narwhals as nw
import numpy as np

from microcell.base import SchemaError
from microcell.prepare._series import (
    dictionary,
    first_rows,
    ordered_categories,
    series_like,
    without_unused_categories,
)

MOST_CATEGORIES = 100  # each is a coordinate, and the mode of so many says little
LARGEST_EXACT_INTEGER = 2**53
LARGEST_VALUE = 1e100
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
SECOND = 1_000_000  # microseconds
STEPS = (86_400 * SECOND, 3_600 * SECOND, 60 * SECOND, SECOND)
DAY = STEPS[0]


class NumericColumn:
    """Numbers; the mean of integers is a float unless it is to be rounded."""

    kind = "numeric"

    def __init__(self, series, integers):
        self.series = as_numbers(series)
        self.round = self.series.dtype.is_integer() and integers == "round"
        self.values = self.encode(self.series)

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

    def __init__(self, series):
        self.series = as_dates(series)
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
        zone = None if self.series.dtype == nw.Date else self.series.dtype.time_zone
        if zone is not None:
            return moment.astimezone(zoneinfo.ZoneInfo(zone)).isoformat()
        shown = moment.replace(tzinfo=None).isoformat()
        return shown[:10] if self.step == DAY else shown

    def number(self, text):
        moment = datetime.datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)
        return float((moment - EPOCH) // datetime.timedelta(microseconds=1))


class CategoryColumn:
    """Categories as codes; what is released is a category of the original."""

    def __init__(self, series):
        self.series = series
        self.codes, self.categories = dictionary(series)
        self.values = self.encode(series)

    def encode(self, series):
        codes, categories = (
            (self.codes, self.categories)
            if series is self.series
            else dictionary(series)
        )
        return self._positions(categories)[codes].astype(np.float64)

    def decode(self, values):
        first = first_rows(self.values.astype(np.int64))
        return without_unused_categories(self.series[first[values.astype(np.int64)]])

    def text(self, value):
        first = first_rows(self.values.astype(np.int64))
        return str(self.series[int(first[int(value)])])

    def number(self, text):
        texts = [str(category) for category in self.categories]
        return float(self._positions([self.categories[texts.index(text)]])[0])


class NominalColumn(CategoryColumn):
    """Categories without an order, coded as first seen."""

    kind = "nominal"

    def __init__(self, series):
        super().__init__(series)
        if len(self.categories) > MOST_CATEGORIES:
            raise SchemaError(
                f"Column {series.name!r} has {len(self.categories)} categories, more "
                f"than {MOST_CATEGORIES}. Group them, give them an order in 'kinds', "
                "or treat the column as an identifier."
            )

    def _positions(self, categories):
        code_of = {value: code for code, value in enumerate(self.categories)}
        unknown = [value for value in categories if value not in code_of]
        if unknown:
            raise SchemaError(
                f"Column {self.series.name!r} holds {unknown[0]!r} in the release, "
                "which the original does not have."
            )
        return np.array([code_of[value] for value in categories])


class OrdinalColumn(CategoryColumn):
    """Categories with an order, coded by their place in it."""

    kind = "ordinal"

    def __init__(self, series, order=None):
        self.order = sorted(dictionary(series)[1]) if order is None else list(order)
        super().__init__(series)

    def _positions(self, categories):
        order = self.order
        place_of = {value: place for place, value in enumerate(order)}
        unknown = [value for value in categories if value not in place_of]
        if unknown:
            raise SchemaError(
                f"Column {self.series.name!r} holds {unknown[0]!r}, which is not in "
                f"its order {order}. Add it to the order in 'kinds'."
            )
        return np.array([place_of[value] for value in categories])


def make_column(series, kind, integers):
    """The column of a quasi-identifier, by its declared kind or its data type."""
    if kind is None:
        kind = kind_of(series)
    if kind == "numeric":
        return NumericColumn(series, integers)
    if kind == "date":
        return DateColumn(series)
    if kind == "nominal":
        return NominalColumn(series)
    return OrdinalColumn(series, order_of(series, kind))


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
        f"Column {series.name!r} has data type {dtype}, which cannot be masked. "
        "Convert it to numbers, text, categories or dates."
    )


def order_of(series, kind):
    """Order of an ordinal column: the declared one, or that of its data type."""
    if not isinstance(kind, str):
        return list(kind)
    if ordered_categories(series) is not None:
        return ordered_categories(series)
    if series.dtype.is_numeric() or series.dtype == nw.Boolean:
        return None
    raise SchemaError(
        f"Column {series.name!r} is declared ordinal, but its values have no order of "
        "their own. List them in 'kinds', lowest first."
    )


def as_numbers(series):
    """The series as numbers; text is read as numbers if all of it can be."""
    dtype = series.dtype
    if dtype.is_decimal():
        return series.cast(nw.Float64())
    if dtype.is_numeric():
        return series
    if dtype == nw.Boolean:
        return series.cast(nw.Int8())
    if dtype == nw.String:
        series = series.str.strip_chars()
        values = [number_or_none(value) for value in series.unique().to_list()]
        if None not in values:
            whole = all(value.is_integer() for value in values)
            numbers = series.cast(nw.Float64())
            return numbers.cast(nw.Int64()) if whole else numbers
    bad = next((v for v in series.to_list() if number_or_none(v) is None), None)
    raise SchemaError(
        f"Column {series.name!r} is declared numeric but holds {bad!r}. Correct it, or "
        "declare the column nominal."
    )


def number_or_none(value):
    try:
        return None if "_" in str(value) else float(value)
    except (TypeError, ValueError):
        return None


def as_dates(series):
    """The series as dates; text is read as dates in ISO form (2024-12-31)."""
    if series.dtype == nw.Date or series.dtype == nw.Datetime:
        return series
    if series.dtype == nw.String:
        for value in series.unique().to_list():
            try:
                if datetime.date.fromisoformat(value).isoformat() != value:
                    raise ValueError
            except ValueError:
                raise SchemaError(
                    f"Column {series.name!r} is declared a date but holds {value!r}. "
                    "Write dates as 2024-12-31, or declare the column nominal."
                ) from None
        return series.str.to_date(format="%Y-%m-%d")
    raise SchemaError(
        f"Column {series.name!r} is declared a date but has data type {series.dtype}."
    )


def finite_numbers(series):
    """Values as float64; infinity and integers that floats cannot hold are errors."""
    values = series.to_numpy()
    if series.dtype.is_integer() and values.size:
        largest = max(abs(int(values.min())), abs(int(values.max())))
        if largest > LARGEST_EXACT_INTEGER:  # the value may be somebody's number
            raise SchemaError(
                f"Column {series.name!r} holds integers beyond 2**53: does it number "
                "the records? Make it an identifier, or nominal."
            )
    values = values.astype(np.float64)
    if np.abs(values[np.isfinite(values)]).max(initial=0.0) > LARGEST_VALUE:
        raise SchemaError(
            f"Column {series.name!r} holds values beyond {LARGEST_VALUE:g}, whose "
            "squares overflow. Correct them, or change the unit."
        )
    n_infinite = int(np.isinf(values).sum())
    if n_infinite:
        raise SchemaError(
            f"Column {series.name!r} holds infinity in {n_infinite} record(s). Correct "
            "them, or leave those records out."
        )
    return values
