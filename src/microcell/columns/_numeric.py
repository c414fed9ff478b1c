"""Numbers: released with one digit more than they were written with, years whole.

Durations, as a length of stay, are numbers of days, as fine as the original is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Self

import narwhals as nw
import numpy as np

from microcell._patterns import BEYOND, MAX_EXACT_INTEGER
from microcell.columns._date import ONE_DAY, STEPS
from microcell.columns._encoder import MeasuredEncoder
from microcell.columns._releasable import type_name
from microcell.columns._series import series_like
from microcell.columns._steps import Step, decimals_of, round_step
from microcell.columns._text_types import number_or_none
from microcell.exceptions import column_error
from microcell.io import NumberLayout

if TYPE_CHECKING:
    from microcell.columns._encoder import Options


MAX_VALUE = 1e100
FIRST_YEAR, LAST_YEAR = 1500, 2200  # that people are dated by


class NumericEncoder(MeasuredEncoder):
    """Numbers and their data type.

    Attributes
    ----------
    rounds : bool
        Whether means of integers are rounded.
    decimals : int or None
        Those that the numbers were written with; None if floats hold no more.
    years : bool
        Whether they are years: the column is called so and all are whole ones.
    """

    kind = "numeric"
    numbers = True
    limit_help = (
        "Give numbers as the column writes them, or percentages of the records."
    )

    def __init__(
        self,
        like: nw.Series[Any],
        rounds: bool = False,
        decimals: int | None = None,
        years: bool = False,
    ) -> None:
        super().__init__(like)
        self.rounds = rounds
        self.decimals = decimals
        self.years = years

    @property
    def digits(self) -> int | None:
        """Decimals of released numbers; None if they stay as they are.

        Those that were asked for; else means have one more than the numbers were
        written with, and years none.
        """
        if self.extras.digits is not None:
            return self.extras.digits
        if self.rounds or self.years:
            return 0
        return None if self.decimals is None else self.decimals + 1

    @classmethod
    def recognises(cls, series: nw.Series[Any]) -> bool:
        """Numbers and durations, but not integers of two values.

        Sex as 1 and 2 is a code: nobody wants a sex of 1.4.
        """
        dtype = series.dtype
        of_codes = dtype.is_integer() and series.n_unique() <= 2
        return not of_codes and (dtype.is_numeric() or dtype == nw.Duration)

    @classmethod
    def fit(cls, series: nw.Series[Any], options: Options, records: Any = None) -> Any:
        """Check that floats can hold the numbers."""
        if series.dtype == nw.Duration:
            return DurationEncoder.fit(series, options)
        numbers = as_numbers(series)
        values = exact_numbers(numbers)
        decimals = decimals_of(values, numbers.dtype == nw.Float32)
        dated = bool(((values >= FIRST_YEAR) & (values <= LAST_YEAR)).all())
        rounds = numbers.dtype.is_integer() and options.integers == "round"
        years = options.called_year and decimals == 0 and dated
        return cls(numbers, rounds, decimals, years)

    def encode(self, series: nw.Series[Any]) -> np.ndarray:
        """The numbers themselves."""
        return finite_numbers(as_numbers(series))

    @property
    def resolution(self) -> int:  # type: ignore[override]
        """Integers are multiples of 1."""
        return int(self.like.dtype.is_integer())

    def decode(self, values: np.ndarray) -> nw.Series[Any]:
        """Numbers of the same type, or floats where means of integers are."""
        dtype, digits = self.like.dtype, self.digits
        values = self.rounded(values)
        if dtype.is_integer() and digits is not None and digits <= 0:
            whole = values.astype(np.int64)
            return series_like(self.like, whole, wide_enough(dtype, whole))
        floats = dtype if dtype.is_float() else nw.Float64()
        return series_like(self.like, values, floats)

    def rounded(self, values: np.ndarray) -> np.ndarray:
        """Rounded to the column's digits."""
        return values if self.digits is None else Step(1, -self.digits).nearest(values)

    def outer(self, ends: np.ndarray) -> np.ndarray:
        """Rounded outwards to a round step, or to the column's digits."""
        steps = []
        if self.extras.spread is not None:
            whole = self.like.dtype.is_integer()
            steps.append(round_step(self.extras.spread.deviation, whole))
        if self.extras.digits is not None:
            steps.append(Step(1, -self.extras.digits))
        for step in steps:
            ends = np.column_stack([step.down(ends[:, 0]), step.up(ends[:, 1])])
        if self.extras.spread is not None:  # one value would be everybody's own
            alone = ends[:, 0] == ends[:, 1]
            ends[alone, 1] = steps[0].next_above(ends[alone, 1])
        return ends

    def inwards(self, limit: float, deviation: float, from_above: bool) -> float:
        """The next multiple of a round step, which is not the limit itself."""
        step = round_step(deviation, self.like.dtype.is_integer())
        rounded = float(step.up(np.array([limit]))[0])
        return rounded if rounded > limit else rounded + step.size

    def merge(self, other: Any) -> Self:
        """Both parts have the type; it is a float if one of them is."""
        wider = self if self.like.dtype.is_float() else other
        decimals = None
        if self.decimals is not None and other.decimals is not None:
            decimals = max(self.decimals, other.decimals)
        rounds, years = self.rounds and other.rounds, self.years and other.years
        both = type(self)(wider.like, rounds, decimals, years)
        return both.with_extras_of(self, other)

    def text(self, value: float) -> str:
        """An integer without a point if the column has integers, as it was written."""
        whole = self.like.dtype.is_integer()
        plain = str(int(value)) if whole else repr(float(value))
        return plain if self.layout is None else self.layout.dress(plain)

    def number(self, text: str) -> float:
        """The number that a text stands for."""
        return float(text) if self.layout is None else self.layout.number(text)

    def limit(self, given: Any) -> float:
        """A number, or the text of one as the column writes it."""
        if not isinstance(given, str) or not isinstance(self.layout, NumberLayout):
            number = number_or_none(str(given))
            return math.nan if number is None else float(number)
        plain = self.layout._replace(suffix="")
        try:
            return float(plain.number(given))
        except ValueError:
            return float(plain._replace(thousands="").number(given))


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
            words = (
                f"holds durations in the original and data of type {type_name(series)}"
            )
            raise column_error(self.name, f"{words} in the release.")
        return _microseconds(series) / ONE_DAY

    def decode(self, values: np.ndarray) -> nw.Series[Any]:
        """Durations of the same type, rounded to the step."""
        steps = np.rint(self.rounded(values) * ONE_DAY / self.step)
        lengths = (steps * self.step).astype("timedelta64[us]")
        new = series_like(self.like, lengths, nw.Duration("us"))
        return new.cast(nw.Duration(self.like.dtype.time_unit))

    def merge(self, other: Any) -> Self:
        """Each step divides the coarser ones, so the finer is that of both."""
        both = type(self)(self.like, min(self.step, other.step))
        return both.with_extras_of(self, other)


def _microseconds(series: nw.Series[Any]) -> np.ndarray:
    return series.dt.total_microseconds().to_numpy().astype(np.int64)


def wide_enough(dtype: Any, values: np.ndarray) -> Any:
    """The integer type itself, or a wider one where rounding led out of it."""
    limits = np.iinfo(str(dtype).lower())
    fits = limits.min <= values.min(initial=0) and values.max(initial=0) <= limits.max
    return dtype if fits else nw.Int64()


def as_numbers(series: nw.Series[Any]) -> nw.Series[Any]:
    """The series as numbers; booleans count as 0 and 1."""
    if series.dtype.is_decimal():
        return series.cast(nw.Float64())
    if series.dtype.is_numeric():
        return series
    if series.dtype == nw.Boolean:
        return series.cast(nw.Int8())
    raise column_error(
        series.name,
        f"is declared numeric but has data type {type_name(series)}.",
        hint="Convert it to numbers, or declare the column nominal.",
    )


def exact_numbers(series: nw.Series[Any]) -> np.ndarray:
    """Values as float64; integers that floats cannot hold are an error.

    They may be somebody's number, so they are not shown. pandas makes floats of
    integers where one is missing.
    """
    values = finite_numbers(series)
    whole = series.dtype.is_integer() or (values == np.rint(values)).all()
    written = series.to_numpy() if series.dtype.is_integer() else values
    if whole and max(-int(written.min()), int(written.max())) > MAX_EXACT_INTEGER:
        raise column_error(series.name, BEYOND)
    return values


def finite_numbers(series: nw.Series[Any]) -> np.ndarray:
    """Values as float64; infinity and values whose squares overflow are errors."""
    values = series.to_numpy().astype(np.float64)
    n_infinite = int(np.isinf(values).sum())
    if n_infinite:
        words = f"holds infinity in {n_infinite} record(s)."
        hint = "Correct them, or leave those records out."
        raise column_error(series.name, words, hint)
    if np.abs(values).max(initial=0.0) > MAX_VALUE:
        words = f"holds values beyond {MAX_VALUE:g}, whose squares overflow."
        raise column_error(series.name, words, "Correct them, or change the unit.")
    return values
