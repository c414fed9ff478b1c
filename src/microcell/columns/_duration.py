"""Durations, as a length of stay: numbers of days, as fine as the original is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import narwhals as nw
import numpy as np

from microcell.columns._date import ONE_DAY, STEPS
from microcell.columns._numeric import NumericEncoder
from microcell.columns._releasable import type_name
from microcell.columns._series import series_like
from microcell.exceptions import SchemaError

if TYPE_CHECKING:
    from microcell.columns._kinds import Options


class DurationEncoder(NumericEncoder):
    """Durations, and how fine they are.

    Attributes
    ----------
    step : int
        Microseconds that all are multiples of: means are rounded to whole days, hours,
        minutes or seconds if all of the original are.
    """

    def __init__(self, like: nw.Series[Any], step: int) -> None:
        super().__init__(like)
        self.step = step

    @classmethod
    def fit(cls, series: nw.Series[Any], options: Options, records: Any = None) -> Self:
        """Learn the coarsest step that all durations keep to."""
        lengths = _microseconds(series)
        return cls(series, next(s for s in (*STEPS, 1) if not (lengths % s).any()))

    def encode(self, series: nw.Series[Any]) -> np.ndarray:
        """Days."""
        if series.dtype != nw.Duration:
            raise SchemaError(
                f"Column {self.name!r} holds durations in the original and data of "
                f"type {type_name(series)} in the release.",
                column=self.name,
            )
        return _microseconds(series) / ONE_DAY

    def decode(self, values: np.ndarray) -> Any:
        """Durations of the same type, rounded to the step."""
        steps = np.rint(self.rounded(values) * ONE_DAY / self.step)
        lengths = (steps * self.step).astype("timedelta64[us]")
        new = series_like(self.like, lengths, nw.Duration("us"))
        return new.cast(nw.Duration(self.like.dtype.time_unit))

    def merge(self, other: Any) -> Any:
        """Each step divides the coarser ones, so the finer is that of both."""
        both = type(self)(self.like, min(self.step, other.step))
        return both.with_extras_of(self, other)


def _microseconds(series: nw.Series[Any]) -> Any:
    return series.dt.total_microseconds().to_numpy().astype(np.int64)
