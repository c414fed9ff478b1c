"""Round steps: outwards, on the grid, without noise in the last digits."""

import datetime as dt
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.columns._steps import (
    Step,
    calendar_unit,
    round_step,
    spread_of,
)

DAY = 86_400_000_000
steps = st.builds(Step, st.sampled_from([1, 2, 5]), st.integers(-6, 6))
values = st.floats(-1e6, 1e6, allow_subnormal=False)


@given(step=steps, value=values)
def test_outwards_equals_slow_twin(step, value):
    size = Fraction(step.mantissa) * Fraction(10) ** step.exponent
    low, high = step.down(np.array([value]))[0], step.up(np.array([value]))[0]
    assert low <= value <= high
    assert low == float(math.floor(Fraction(value) / size) * size) or (
        low == value  # the float of a step, which is not the step itself
    )
    assert high == float(math.ceil(Fraction(value) / size) * size) or high == value


@given(digits=st.integers(-3, 8), value=values)
def test_nearest_has_so_many_decimals(digits, value):
    found = float(Step(1, -digits).nearest(np.array([value]))[0])
    assert abs(found - value) <= 0.5 * 10.0**-digits * (1 + 1e-6) + 1e-9
    shown = repr(found)
    if "e" not in shown:
        assert len(shown.partition(".")[2]) <= max(digits, 1)


@given(deviation=st.floats(1e-8, 1e8), whole=st.booleans())
def test_the_step_is_near_half_a_deviation(deviation, whole):
    step = round_step(deviation, whole)
    size = step.mantissa * 10.0**step.exponent
    assert step.mantissa in (1, 2, 5)
    if whole:
        assert size >= 2 and size == int(size)
    if not whole or size > 2:
        assert 0.6 <= size / (deviation / 2) <= 1.6


def test_a_constant_column_has_a_step():
    assert round_step(0.0, whole=True) == Step(2, 0)
    assert round_step(0.0, whole=False) == Step(1, 0)


@given(numbers=st.lists(st.integers(-50, 50), min_size=2, max_size=20), data=st.data())
def test_spreads_add_up_and_forget_the_order(numbers, data):
    X = np.array(numbers, dtype=float)
    cut = data.draw(st.integers(1, len(X) - 1))
    whole = spread_of(X)
    both = spread_of(X[:cut]).merge(spread_of(X[cut:]))
    assert both.deviation == pytest.approx(X.std(), abs=1e-9)
    assert spread_of(X[::-1]) == whole


@pytest.mark.parametrize(
    ("years", "expected"), [(0.01, "M"), (1, "M"), (4, "Y"), (40, "10Y")]
)
def test_the_unit_of_days(years, expected):
    assert calendar_unit(years * 365.25 * DAY, DAY).name == expected


@pytest.mark.parametrize(
    ("years", "low", "high"),
    [
        (1, "1969-05-01", "1969-05-31"),
        (4, "1969-01-01", "1969-12-31"),
        (40, "1960-01-01", "1969-12-31"),
    ],
)
def test_ends_of_dates_are_whole_units(years, low, high):
    unit = calendar_unit(years * 365.25 * DAY, DAY)
    day = np.array([(dt.date(1969, 5, 17) - dt.date(1970, 1, 1)).days * DAY])
    found = [unit.down(day)[0], unit.up(day)[0]]
    days = [dt.date(1970, 1, 1) + dt.timedelta(int(us) // DAY) for us in found]
    assert [d.isoformat() for d in days] == [low, high]
