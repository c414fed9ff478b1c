"""Round steps at which numbers and dates are shown, so that none is somebody's."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from microcell.columns import MANTISSAS, Step

SHOWN_DIGITS = 4  # significant ones
ONE_SECOND = 1_000_000  # microseconds
DAYS = 86_400 * ONE_SECOND


def digits(value: float | None) -> float | None:
    """A number with the digits that a report shows; None of what is none.

    Examples
    --------
    >>> digits(1234.56), digits(0.000123456), digits(float("nan"))
    (1235.0, 0.0001235, None)
    """
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{SHOWN_DIGITS}g}") + 0.0


def decimals(value: float | None) -> float | None:
    """A share or a correlation with the decimals that a report shows.

    Small ones have fewer digits, unlike `digits`: whoever knows all but two people of
    a cell solves both from a figure that is exact enough.

    Examples
    --------
    >>> decimals(0.000123456), decimals(-0.25), decimals(float("nan"))
    (0.0001, -0.25, None)
    """
    if value is None or not math.isfinite(value):
        return None
    return round(value, SHOWN_DIGITS) + 0.0


class Bucket(NamedTuple):
    """Values that are shown as one: from `low` to below `high`."""

    low: float
    high: float
    shown: Any


class NumberRuler:
    """Steps of 1, 2 or 5 times a power of ten.

    Parameters
    ----------
    whole : bool
        Whether all values are integers: no step is finer then.

    Examples
    --------
    >>> ruler = NumberRuler(whole=True)
    >>> ruler.edges(Step(5, 0), 17, 35)
    array([20., 25., 30., 35.])
    >>> ruler.bucket(Step(5, 0), 33.0)
    Bucket(low=32.5, high=37.5, shown=35.0)
    """

    def __init__(self, whole: bool) -> None:
        self.whole = whole

    def steps(self, low: float, high: float, parts: float) -> list[Step]:
        """From the spread in so many parts to the whole of it, finest first."""
        spread = high - low
        if not (spread > 0 and math.isfinite(spread)):
            return []
        finest = math.floor(math.log10(spread / parts))
        steps = [
            Step(mantissa, exponent)
            for exponent in range(finest, math.floor(math.log10(spread)) + 2)
            for mantissa in MANTISSAS
        ]
        return [
            step
            for step in steps
            if step.size <= spread and not (self.whole and step.exponent < 0)
        ]

    def edges(self, step: Step, low: float, high: float) -> np.ndarray:
        """Multiples of a step above `low` and up to `high`."""
        first = math.floor(low / step.size)
        last = math.floor(high / step.size) + 1
        edges = step.nearest(np.arange(first, last + 1) * step.size)
        return edges[(edges > low) & (edges <= high)]

    def n_edges(self, step: Step, low: float, high: float) -> float:
        """About how many there are."""
        return (high - low) / step.size

    def bucket(self, step: Step, value: float) -> Bucket:
        """What is rounded to the same multiple."""
        middle = float(step.nearest(np.array([value]))[0])
        return Bucket(middle - step.size / 2, middle + step.size / 2, middle)

    def text(self, step: Step, edge: float) -> str:
        """An edge as people read it."""
        return f"{edge:.{max(-step.exponent, 0)}f}" if abs(edge) < 1e15 else f"{edge:g}"

    def mean(self, value: float) -> float | None:
        """A mean as it is shown."""
        return digits(value)

    def spread(self, value: float) -> float | None:
        """A standard deviation as it is shown."""
        return digits(value)


class Calendar(NamedTuple):
    """So many seconds, minutes, hours, days, months or years."""

    unit: str  # numpy's code
    count: int  # type: ignore[assignment] # it is a field here


CALENDAR_STEPS = {  # with about how many microseconds each has
    Calendar(unit, count): count * seconds * ONE_SECOND
    for unit, seconds, counts in (("s", 1, (1, 10)), ("m", 60, (1, 10)),
                                  ("h", 3_600, (1, 6)))
    for count in counts
} | {
    Calendar(unit, count): round(count * days) * DAYS
    for unit, days, counts in (("D", 1, (1, 7)), ("M", 30.4, (1, 3)),
                               ("Y", 365.2425, (1, 2, 5, 10, 20, 50, 100)))
    for count in counts
}  # fmt: skip


class CalendarRuler:
    """Whole seconds to centuries, of moments in microseconds.

    Parameters
    ----------
    whole_days : bool
        Whether all values are: no step is finer then.
    of_day : bool
        Whether values are times of day.

    Examples
    --------
    >>> ruler = CalendarRuler()
    >>> born = np.datetime64("1987-03-12", "us").astype(np.int64)
    >>> ruler.bucket(Calendar("M", 1), born).shown
    '1987-03'
    >>> ruler.bucket(Calendar("Y", 10), born).shown
    '1980 to 1989'
    """

    def __init__(self, whole_days: bool = True, of_day: bool = False) -> None:
        self.whole_days = whole_days
        self.of_day = of_day

    def steps(self, low: float, high: float, parts: float) -> list[Calendar]:
        """From the spread in so many parts to the whole of it, finest first."""
        return [
            step
            for step, length in CALENDAR_STEPS.items()
            if (high - low) / parts <= length <= high - low
            and not (self.whole_days and length < DAYS)
            and not (self.of_day and length >= DAYS)
        ]

    def _counts(self, step: Calendar, values: Any) -> np.ndarray:
        moments = np.asarray(values).astype(np.int64).astype("datetime64[us]")
        counts = moments.astype(f"datetime64[{step.unit}]").astype(np.int64)
        return (counts + self._origin(step)) // step.count

    def _starts(self, step: Calendar, counts: Any) -> np.ndarray:
        counts = np.asarray(counts) * step.count - self._origin(step)
        moments = counts.astype(f"datetime64[{step.unit}]")
        return moments.astype("datetime64[us]").astype(np.int64).astype(np.float64)

    @staticmethod
    def _origin(step: Calendar) -> int:
        """Years are counted from 0, so that decades begin with a round one."""
        return 1970 if step.unit == "Y" else 0

    def edges(self, step: Calendar, low: float, high: float) -> np.ndarray:
        """Beginnings of a step above `low` and up to `high`."""
        first, last = self._counts(step, [low, high])
        edges = self._starts(step, np.arange(first, last + 1))
        return edges[(edges > low) & (edges <= high)]

    def n_edges(self, step: Calendar, low: float, high: float) -> float:
        """About how many there are."""
        return (high - low) / CALENDAR_STEPS[step]

    def bucket(self, step: Calendar, value: float) -> Bucket:
        """The second, month, decade, ... that a moment is in."""
        count = self._counts(step, [value])[0]
        low, high = self._starts(step, np.array([count, count + 1]))
        shown = self.text(step, low)
        if step.count > 1:
            length = {"Y": 365, "M": 28, "D": 1}.get(step.unit, 0) * DAYS
            last = self.text(step, high - max(length, ONE_SECOND))
            shown = f"{shown} to {last}"
        return Bucket(low, high, shown)

    def text(self, step: Calendar, edge: float) -> str:
        """The beginning of a step as people read it."""
        moment = np.datetime64(int(edge), "us")
        if step.unit in ("Y", "M", "D"):
            return str(moment.astype(f"datetime64[{step.unit}]"))
        shown = str(moment.astype("datetime64[s]")).replace("T", " ")
        shown = shown if step.unit == "s" else shown[:-3]
        return shown[11:] if self.of_day else shown

    def mean(self, value: float) -> str | None:
        """The day, or the minute of the day."""
        if not math.isfinite(value):
            return None
        return self.text(Calendar("m" if self.of_day else "D", 1), value)

    def spread(self, value: float) -> float | None:
        """In days, or in hours of times of day."""
        return digits(value / (3_600 * ONE_SECOND if self.of_day else DAYS))


def ruler_of(values: np.ndarray, moments: bool = False, of_day: bool = False) -> Any:
    """The steps for a column of numbers or of moments."""
    known = values[np.isfinite(values)]
    if moments:
        whole_days = not of_day and not (known % DAYS).any()
        return CalendarRuler(bool(whole_days), of_day)
    return NumberRuler(bool((known == np.rint(known)).all()))
