"""Dates and times: as microseconds; means at the resolution of the original."""

import datetime
import zoneinfo

import narwhals as nw
import numpy as np

from microcell.exceptions import SchemaError
from microcell.prepare._encoder import Encoder
from microcell.prepare._releasable import type_name
from microcell.prepare._series import series_like
from microcell.prepare._steps import calendar_unit

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
SECOND = 1_000_000  # microseconds
STEPS = (86_400 * SECOND, 3_600 * SECOND, 60 * SECOND, SECOND)
ONE_DAY = STEPS[0]


class DateEncoder(Encoder):
    """Dates, and how fine they are.

    Attributes
    ----------
    step : int
        Microseconds that all values are multiples of: means are rounded to whole days,
        hours, minutes or seconds of UTC if all values of the original are.
    """

    kind = "date"

    def __init__(self, like, step):
        super().__init__(like)
        self.step = step

    @classmethod
    def fit(cls, series, options, records=None):
        """Learn the coarsest step that all dates keep to."""
        if series.dtype != nw.Date and series.dtype != nw.Datetime:
            raise SchemaError(
                f"Column {series.name!r} is declared a date but has data type "
                f"{type_name(series)}.",
                column=series.name,
                hint="Convert it to dates, or declare the column nominal.",
            )
        stamps = series.dt.timestamp("us").to_numpy()
        return cls(series, next((s for s in STEPS if not (stamps % s).any()), 1))

    def encode(self, series):
        """Microseconds since 1970."""
        if series.dtype != nw.Date and series.dtype != nw.Datetime:
            raise SchemaError(
                f"Column {self.name!r} holds dates in the original and data of type "
                f"{type_name(series)} in the release.",
                column=self.name,
            )
        return series.dt.timestamp("us").to_numpy().astype(np.float64)

    def decode(self, values):
        """Dates of the same type, rounded to the step."""
        dtype = self.like.dtype
        stamps = (np.rint(values / self.step) * self.step).astype(np.int64)
        if dtype == nw.Date:
            days = stamps // ONE_DAY
            moments = days.astype("datetime64[D]").astype("datetime64[us]")
        else:
            moments = stamps.astype("datetime64[us]")
        new = series_like(self.like, moments, nw.Datetime("us"))
        if dtype == nw.Date:
            return new.cast(nw.Date())
        if dtype.time_zone is not None:
            new = new.dt.replace_time_zone("UTC").dt.convert_time_zone(dtype.time_zone)
        return new.cast(nw.Datetime(dtype.time_unit, dtype.time_zone))

    def merge(self, other):
        """Each step divides the coarser ones, so the finer is that of both."""
        both = type(self)(self.like, min(self.step, other.step))
        return both.with_extras_of(self, other)

    @property
    def resolution(self):
        """Moments are multiples of the step."""
        return self.step

    def outer(self, ends):
        """First and last moment of whole days, months, years, ..., of UTC."""
        if self.extras.spread is None:
            return ends
        unit = calendar_unit(self.extras.spread.deviation, self.step)
        return np.column_stack([unit.down(ends[:, 0]), unit.up(ends[:, 1])])

    def text(self, value):
        """ISO form, in the column's own time zone."""
        moment = EPOCH + datetime.timedelta(microseconds=int(value))
        if self.like.dtype != nw.Date and self.like.dtype.time_zone is not None:
            return moment.astimezone(self._zone()).isoformat()
        shown = moment.replace(tzinfo=None).isoformat()
        return shown[:10] if self.step == ONE_DAY else shown

    def _zone(self):
        """The column's time zone; a fixed offset has no name that zoneinfo knows."""
        zone = self.like.dtype.time_zone
        try:
            return zoneinfo.ZoneInfo(zone)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError):
            offset = zone.removeprefix("UTC")
            sign = -1 if offset.startswith("-") else 1
            hours, minutes = offset.lstrip("+-").split(":")[:2]
            offset = datetime.timedelta(hours=int(hours), minutes=int(minutes))
            return datetime.timezone(sign * offset)

    def number(self, text):
        """Microseconds of a date in ISO form."""
        moment = datetime.datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)
        return float((moment - EPOCH) // datetime.timedelta(microseconds=1))

    def to_dict(self):
        """With the step, in microseconds."""
        return super().to_dict() | {"step": self.step}
