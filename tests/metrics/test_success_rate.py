"""Shares of successful attacks, and what they gain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from microcell.exceptions import ParameterError
from microcell.metrics import excess_risk, success_rate, wilson_interval

counts = st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(count=counts)
def test_interval_is_that_of_scipy(count):
    known = binomtest(*count).proportion_ci(method="wilson")
    assert wilson_interval(*count) == pytest.approx((known.low, known.high), abs=1e-12)


@given(attack=counts, other=counts)
def test_excess_lies_in_its_interval_and_falls_with_the_other_rate(attack, other):
    found = excess_risk(success_rate(*attack), success_rate(*other))
    assert 0 <= found.low <= found.risk <= found.high <= 1
    if attack[0] * other[1] <= other[0] * attack[1]:
        assert found.risk == pytest.approx(0, abs=1e-12)
    without = excess_risk(success_rate(*attack), success_rate(0, 10))
    assert without.risk == pytest.approx(attack[0] / attack[1])
    assert without.risk >= found.risk - 1e-12


def test_certain_answers():
    always, never = success_rate(100, 100), success_rate(0, 100)
    assert excess_risk(always, never).risk == 1.0
    assert excess_risk(always, always).risk == 0.0  # nothing is left to learn
    assert success_rate(0, 0).rate == 0.0
    assert wilson_interval(0, 0) == (0.0, 1.0)


def test_the_interval_holds_as_often_as_it_says():
    rng = np.random.default_rng(0)
    truth = (0.6 - 0.3) / 0.7
    held = 0
    for a, b in rng.binomial(200, [0.6, 0.3], size=(1000, 2)):
        found = excess_risk(success_rate(a, 200), success_rate(b, 200))
        held += found.low <= truth <= found.high
    assert 930 <= held <= 980


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((3, 2), "successes"), ((-1, 2), "successes"), ((1, 2, 1.0), "level")],
)
def test_bad_input(arguments, message):
    with pytest.raises(ParameterError, match=message):
        wilson_interval(*arguments)


def test_changes_to_the_ends_add_up_as_squares():
    """With one rate certain the interval is that of the other."""
    many = 10**9
    attack, other = success_rate(9, 10), success_rate(many // 10, many)
    found = excess_risk(attack, other)
    ends = [(end - 0.1) / 0.9 for end in (attack.low, attack.high)]
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-3)
    attack, other = success_rate(many // 10 * 9, many), success_rate(1, 10)
    found = excess_risk(attack, other)
    ends = [1 - 0.1 / (1 - end) for end in (other.high, other.low)]
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-3)
