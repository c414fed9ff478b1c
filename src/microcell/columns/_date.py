"""Dates and times: as microseconds; means at the resolution of the original.

Times of day are microseconds since midnight: 23:50 and 0:10 are far apart, and their
mean is noon.
"""

from __future__ import annotations

import datetime
import zoneinfo
from typing import TYPE_CHECKING, Any, Self

import narwhals as nw
import numpy as np
import polars as pl
import pyarrow as pa

from microcell.columns._encoder import MeasuredEncoder
from microcell.columns._releasable import type_name
from microcell.columns._series import series_like
from microcell.columns._steps import calendar_unit
from microcell.exceptions import column_error
from microcell.io import DateLayout

if TYPE_CHECKING:
    from microcell.columns._encoder import Options


EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
SECOND = 1_000_000  # microseconds
STEPS = (86_400 * SECOND, 3_600 * SECOND, 60 * SECOND, SECOND)
ONE_DAY = STEPS[0]
BY_MONTH, BY_YEAR = "month", "year"  # steps that are not all of one length
CALENDAR = {BY_YEAR: "datetime64[Y]", BY_MONTH: "datetime64[M]"}
LENGTHS = {BY_MONTH: 2_629_746 * SECOND, BY_YEAR: 31_556_952 * SECOND}  # usual ones
COARSEST_FIRST = (BY_YEAR, BY_MONTH, *STEPS, 1)


class DateEncoder(MeasuredEncoder):
    """Dates, and how fine they are.

    Attributes
    ----------
    step : int or str
        Microseconds that all values are multiples of: means are rounded to whole days,
        hours, minutes or seconds of UTC if all values of the original are; "month" or
        "year" if all are the first day of one.
    """

    kind = "date"
    moments = True
    limit_help = (
        "Give dates as the column writes them or as 2024-12-31, or percentages of the "
        "records."
    )

    def __init__(self, like: nw.Series[Any], step: int | str) -> None:
        super().__init__(like)
        self.step = step

    @classmethod
    def recognises(cls, series: nw.Series[Any]) -> bool:
        """Dates, moments and times of day."""
        return is_date(series)

    @classmethod
    def fit(cls, series: nw.Series[Any], options: Options, records: Any = None) -> Self:
        """Learn the coarsest step that all dates keep to."""
        if not is_date(series):
            raise column_error(
                series.name,
                f"is declared a date but has data type {type_name(series)}.",
                hint="Convert it to dates, or declare the column nominal.",
            )
        return cls(series, coarsest_step(stamps_of(series), series.dtype))

    def encode(self, series: nw.Series[Any]) -> np.ndarray:
        """Microseconds since 1970; since midnight of times of day."""
        same = (series.dtype == nw.Time) == (self.like.dtype == nw.Time)
        if not (is_date(series) and same):
            words = f"holds dates in the original and data of type {type_name(series)}"
            raise column_error(self.name, f"{words} in the release.")
        return stamps_of(series).astype(np.float64)

    def decode(self, values: np.ndarray) -> nw.Series[Any]:
        """Dates of the same type, rounded to the step."""
        dtype = self.like.dtype
        stamps = rounded(values, self.step)
        if dtype == nw.Time:
            return times_like(self.like, np.minimum(stamps, ONE_DAY - 1))
        if dtype == nw.Date:
            stamps = stamps // ONE_DAY * ONE_DAY
        new = series_like(self.like, stamps.astype("datetime64[us]"), nw.Datetime("us"))
        if dtype == nw.Date:
            return new.cast(nw.Date())
        if dtype.time_zone is not None:
            new = new.dt.replace_time_zone("UTC").dt.convert_time_zone(dtype.time_zone)
        return new.cast(nw.Datetime(dtype.time_unit, dtype.time_zone))

    def merge(self, other: Any) -> Self:
        """Each step divides the coarser ones, so the finer is that of both."""
        finer = max(self.step, other.step, key=COARSEST_FIRST.index)
        return type(self)(self.like, finer).with_extras_of(self, other)

    @property
    def resolution(self) -> int:  # type: ignore[override]
        """Moments are multiples of the step, or of days."""
        return ONE_DAY if isinstance(self.step, str) else self.step

    def outer(self, ends: np.ndarray) -> np.ndarray:
        """First and last moment of whole days, months, years, ..., of UTC."""
        if self.extras.spread is None:
            return ends
        length: Any = LENGTHS.get(self.step, self.step)  # type: ignore[arg-type]
        unit = calendar_unit(self.extras.spread.deviation, length)
        unit = unit._replace(resolution=self.resolution)
        return np.column_stack([unit.down(ends[:, 0]), unit.up(ends[:, 1])])

    def inwards(self, limit: float, deviation: float, from_above: bool) -> float:
        """The beginning or the last moment of a calendar unit."""
        unit = calendar_unit(deviation, self.resolution)
        if from_above:
            return -float(unit.down(np.array([-limit]))[0])
        return float(unit.up(np.array([limit]))[0]) + self.resolution

    def text(self, value: float) -> str:
        """As the text was written; else ISO form, in the column's own time zone."""
        if isinstance(self.layout, DateLayout):
            return self.layout.text(value)
        moment, dtype = (
            EPOCH + datetime.timedelta(microseconds=int(value)),
            self.like.dtype,
        )
        if dtype == nw.Time:
            return moment.time().isoformat()
        if dtype == nw.Datetime and dtype.time_zone is not None:
            return moment.astimezone(self._zone()).isoformat()
        shown = moment.replace(tzinfo=None).isoformat()
        return shown[:10] if self.step in (BY_YEAR, BY_MONTH, ONE_DAY) else shown

    def _zone(self) -> Any:
        """The column's time zone; a fixed offset has no name that zoneinfo knows."""
        zone = self.like.dtype.time_zone
        try:
            return zoneinfo.ZoneInfo(zone)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError):
            of_offset = f"2000-01-01T00:00{zone.removeprefix('UTC')}"
            return datetime.datetime.fromisoformat(of_offset).tzinfo

    def number(self, text: str) -> float:
        """Microseconds of a date as `text` writes it."""
        if isinstance(self.layout, DateLayout):
            return self.layout.number(text)
        return self._iso_number(text)

    def limit(self, given: Any) -> float:
        """A date as the column writes it, or as 2024-12-31."""
        try:
            return float(self.number(str(given)))
        except ValueError:
            return float(self._iso_number(str(given)))

    def _iso_number(self, text: str) -> float:
        if self.like.dtype == nw.Time:
            text = f"1970-01-01T{text}"
        moment = datetime.datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)
        return float((moment - EPOCH) // datetime.timedelta(microseconds=1))

    def to_dict(self) -> dict[str, Any]:
        """With the step, in microseconds or by name."""
        return super().to_dict() | {"step": self.step}


def is_date(series: nw.Series[Any]) -> bool:
    """Whether a column holds dates, moments or times of day."""
    return any(series.dtype == kind for kind in (nw.Date, nw.Datetime, nw.Time))


def stamps_of(series: nw.Series[Any]) -> np.ndarray:
    """Microseconds since 1970, of times of day since midnight, as integers."""
    if series.dtype != nw.Time:
        return series.dt.timestamp("us").to_numpy()
    times = series.to_arrow().cast(pa.time64("us"), safe=False)
    return times.cast(pa.int64()).to_numpy(zero_copy_only=False)


def coarsest_step(stamps: np.ndarray, dtype: Any) -> Any:
    """The coarsest step that all dates keep to.

    Moments of a time zone of their own have no months here, which begin elsewhere at
    other times.
    """
    of_zone = dtype == nw.Datetime and dtype.time_zone is not None
    moments = stamps.astype("datetime64[us]")
    if dtype != nw.Time and not of_zone:
        for unit, code in CALENDAR.items():
            if (moments.astype(code) == moments).all():
                return unit
    return next(step for step in (*STEPS, 1) if not (stamps % step).any())


def rounded(values: np.ndarray, step: int | str) -> np.ndarray:
    """The nearest multiple of a step, as integers.

    Examples
    --------
    >>> days = np.array([14.0, 20.0]) * ONE_DAY  # of January 1970
    >>> rounded(days, BY_MONTH) // ONE_DAY
    array([ 0, 31])
    """
    if step not in CALENDAR:
        return (np.rint(values / step) * step).astype(np.int64)
    stamps = np.rint(values).astype(np.int64)
    unit = stamps.astype("datetime64[us]").astype(CALENDAR[step])
    ends = (unit.astype("datetime64[us]"), (unit + 1).astype("datetime64[us]"))
    low, high = (end.astype(np.int64) for end in ends)
    return np.where(stamps - low <= high - stamps, low, high)


def times_like(like: Any, stamps: Any) -> Any:
    """Times of day from microseconds since midnight, in a column's own type."""
    times = pa.chunked_array([pa.array(stamps, pa.int64()).cast(pa.time64("us"))])
    native = like.to_native()
    if like.implementation.is_pyarrow():
        new = times.cast(native.type, safe=False)
    elif like.implementation.is_polars():
        new = pl.Series(like.name, times)
    else:
        kind = native.dtype.pyarrow_dtype
        array = type(native.array)(times.cast(kind, safe=False))
        new = type(native)(array, name=like.name)
    return nw.from_native(new, series_only=True).alias(like.name)
