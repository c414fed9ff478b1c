"""Round steps: numbers and dates rounded to a grid that is no person's value."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

MANTISSAS = (1, 2, 5)
MAX_EXACT_STEPS = 2.0**52  # steps; floats have no fractions beyond
MAX_WRITTEN_DECIMALS = 12  # that people write; numbers with more were computed
TRIED_FIRST = 1_000  # values, which mostly have as many decimals as all


class Spread(NamedTuple):
    """How far values lie apart, so that parts of a table can be added.

    Examples
    --------
    >>> spread_of(np.array([1.0, 3.0])).merge(spread_of(np.array([5.0]))).deviation
    1.63...
    """

    count: int  # type: ignore[assignment] # it is a field here
    mean: float
    squares: float

    @property
    def deviation(self) -> float:
        """Standard deviation."""
        return math.sqrt(self.squares / self.count)

    def merge(self, other: Any) -> Spread:
        """The spread of both parts together."""
        count = self.count + other.count
        gap = other.mean - self.mean
        mean = self.mean + gap * other.count / count
        between = gap * gap * self.count * other.count / count
        return Spread(count, mean, self.squares + other.squares + between)


def spread_of(values: np.ndarray) -> Spread:
    """The spread of finite values, whatever their order."""
    values = np.sort(values[np.isfinite(values)])
    mean = float(values.mean())
    return Spread(values.size, mean, float(np.sum((values - mean) ** 2)))


class Step(NamedTuple):
    """A mantissa times a power of ten.

    Examples
    --------
    >>> Step(2, -1).down(np.array([0.75, -0.75])), Step(2, -1).up(np.array([0.61]))
    (array([ 0.6, -0.8]), array([0.8]))
    >>> Step(1, -2).nearest(np.array([76.17999999999999]))
    array([76.18])
    """

    mantissa: int
    exponent: int

    @property
    def size(self) -> float:
        """Width of the step."""
        return self.mantissa * 10.0**self.exponent

    def _times(self, counts: np.ndarray) -> np.ndarray:
        """That many steps, without noise in the last digits."""
        counts = counts + 0.0  # a zero without a sign
        if self.exponent < 0:
            return counts * self.mantissa / 10.0**-self.exponent
        return counts * (self.mantissa * 10.0**self.exponent)

    def _counts(self, values: np.ndarray) -> np.ndarray:
        if self.exponent < 0:
            return np.rint(values * 10.0**-self.exponent / self.mantissa)
        return np.rint(values / (self.mantissa * 10.0**self.exponent))

    def nearest(self, values: np.ndarray) -> np.ndarray:
        """Values rounded to the nearest step; those finer than floats stay."""
        counts = self._counts(values)
        return np.where(np.abs(counts) < MAX_EXACT_STEPS, self._times(counts), values)

    def down(self, values: np.ndarray) -> np.ndarray:
        """The next step that is not above."""
        counts = self._counts(values)
        lower = self._times(counts - (self._times(counts) > values))
        return np.where(np.abs(counts) < MAX_EXACT_STEPS, lower, values)

    def up(self, values: np.ndarray) -> np.ndarray:
        """The next step that is not below."""
        return 0.0 - self.down(-np.asarray(values))

    def next_above(self, values: np.ndarray) -> np.ndarray:
        """The step above values that are on one."""
        return self._times(self._counts(values) + 1)


def decimals_of(values: np.ndarray, single: bool = False) -> int | None:
    """Decimals that numbers were written with; None if they were computed.

    Parameters
    ----------
    values : ndarray of finite floats
    single : bool, default=False
        Whether they are of single precision.

    Examples
    --------
    >>> decimals_of(np.array([31.0, 27.5])), decimals_of(np.array([1 / 3]))
    (1, None)
    """
    decimals = 0
    for some in (values[:TRIED_FIRST], values):
        while (some := some[~_are_written(some, decimals, single)]).size:
            decimals += 1
            if decimals > MAX_WRITTEN_DECIMALS:
                return None
    return decimals


def _are_written(values: np.ndarray, decimals: int, single: bool) -> np.ndarray:
    """Which numbers have no more decimals."""
    nearest = Step(1, -decimals).nearest(values)
    return (nearest.astype(np.float32) if single else nearest) == values


def round_step(deviation: float, whole: bool) -> Step:
    """A round step near half a standard deviation.

    Parameters
    ----------
    deviation : float
    whole : bool
        Whether values are integers: the step is then one too, and at least 2, since
        with 1 each end would be somebody's value.

    Examples
    --------
    >>> round_step(13.1, whole=True), round_step(0.07, whole=False)
    (Step(mantissa=5, exponent=0), Step(mantissa=5, exponent=-2))
    """
    half = deviation / 2 if deviation > 0 else 1.0
    exponent = math.floor(math.log10(half))
    steps = [Step(m, e) for e in (exponent, exponent + 1) for m in MANTISSAS]
    near = min(
        steps, key=lambda s: abs(math.log10(s.mantissa) + s.exponent - math.log10(half))
    )
    too_fine = near.exponent < 0 or near == Step(1, 0)
    return Step(2, 0) if whole and too_fine else near


# Calendar units by their usual length in seconds, and numpy's name of each.
UNITS_BY_LENGTH = (
    (1, "s"),
    (60, "m"),
    (3_600, "h"),
    (86_400, "D"),
    (2_629_746, "M"),
    (31_556_952, "Y"),
    (315_569_520, "10Y"),
)
MICROSECONDS = 1_000_000


class CalendarUnit(NamedTuple):
    """Whole seconds to decades, which moments in microseconds are rounded to.

    Attributes
    ----------
    name : str
        numpy's code: "D", "M", "Y", "10Y", ...
    resolution : int
        Microseconds that moments are multiples of: the last one of a unit is that
        much before the next unit.
    """

    name: str
    resolution: int

    def down(self, values: np.ndarray) -> np.ndarray:
        """First moment of the unit that each is in."""
        return self._start(values).astype("datetime64[us]").astype(np.float64)

    def up(self, values: np.ndarray) -> np.ndarray:
        """Last moment of the unit that each is in."""
        after = (self._start(values) + 1).astype("datetime64[us]").astype(np.float64)
        return after - self.resolution

    def _start(self, values: np.ndarray) -> Any:
        moments = np.asarray(values).astype(np.int64).astype("datetime64[us]")
        if self.name == "10Y":  # numpy counts decades from 1970 towards zero
            years = moments.astype("datetime64[Y]").astype(np.int64)
            return (years // 10).astype("datetime64[10Y]")
        return moments.astype(f"datetime64[{self.name}]")


def calendar_unit(deviation: float, resolution: int) -> CalendarUnit:
    """The longest calendar unit within half a standard deviation.

    Parameters
    ----------
    deviation : float
        In microseconds.
    resolution : int
        Microseconds that all moments are multiples of; the unit is longer, since
        otherwise each end would be somebody's moment.

    Examples
    --------
    >>> year = 31_556_952_000_000
    >>> calendar_unit(15 * year, 86_400_000_000).name
    'Y'
    """
    longer = [
        (length, name)
        for length, name in UNITS_BY_LENGTH
        if length * MICROSECONDS > resolution
    ]
    fitting = [n for length, n in longer if length * MICROSECONDS <= deviation / 2]
    return CalendarUnit(fitting[-1] if fitting else longer[0][1], resolution)
