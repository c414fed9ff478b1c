import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tables import any_values, few_values, gaussian

from microcell.metrics import interval_disclosure_risk

shapes = st.tuples(st.just(2), st.integers(1, 30), st.integers(1, 3))
pairs = arrays(float, shapes, elements=few_values) | arrays(
    float, shapes, elements=any_values
)
percents = st.lists(st.integers(0, 100), min_size=1, max_size=3)


def slow_rank_disclosure(X, X_released, percents):
    """The definition: look at the released values of nearby ranks, one by one."""
    disclosed = []
    for original, released in zip(X.T, X_released.T, strict=True):
        n = len(released)
        ordered = sorted(released)
        for x, x_released in zip(original, released, strict=True):
            ranks = [r for r, value in enumerate(ordered, 1) if value == x_released]
            middle = (ranks[0] + ranks[-1]) / 2
            for p in percents:
                near = [x_released]  # a middle rank may lie between two ranks
                for r, value in enumerate(ordered, 1):
                    if 100 * abs(r - middle) <= p * n:
                        near.append(value)
                disclosed.append(min(near) <= x <= max(near))
    return np.mean(disclosed)


@given(pair=pairs, percents=percents)
def test_rank_intervals_equal_to_the_definition(pair, percents):
    expected = slow_rank_disclosure(*pair, percents)
    assert interval_disclosure_risk(*pair, percents=percents) == pytest.approx(expected)


@given(pair=pairs, percents=percents)
def test_deviation_intervals_equal_to_the_definition(pair, percents):
    X, released = pair
    inside = []
    for j in range(X.shape[1]):
        constant = len(set(released[:, j])) == 1
        deviation = 0.0 if constant else np.std(released[:, j], ddof=1)
        for p in percents:
            inside += list(np.abs(X[:, j] - released[:, j]) <= p / 100 * deviation)
    risk = interval_disclosure_risk(X, released, kind="sd", percents=percents)
    assert risk == pytest.approx(np.mean(inside))


@pytest.mark.parametrize("kind", ["rank", "sd"])
def test_untouched_table_is_disclosed(kind):
    X = gaussian(50, 3)
    assert interval_disclosure_risk(X, X, kind=kind) == 1.0


def test_shuffled_table_is_disclosed_by_chance():
    """A random rank is within p % of n of another about 2 p % of the time."""
    X = gaussian(4000, 2)
    shuffled = X[np.random.default_rng(1).permutation(4000)]
    risk = interval_disclosure_risk(X, shuffled, percents=[5])
    assert risk == pytest.approx(0.0975, abs=0.01)


def test_by_hand():
    """Ranks 1 to 10; 10 % is one rank to each side."""
    released = np.arange(10.0)[:, None]
    X = released + [[1.0], [1.5], [-1.0], [-1.5], [0.0]] * 2
    risk = interval_disclosure_risk(X, released, percents=[10])
    assert risk == pytest.approx(0.6)
    assert interval_disclosure_risk(X, released, percents=[9]) == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("percent", "n", "reach"), [(18.4, 375, 69), (9.2, 750, 69), (100 * 5 / 19, 19, 5)]
)
def test_a_reach_that_rounding_makes_less_than_whole(percent, n, reach):
    """18.4 % of 375 are 69 ranks, though 18.4 * 375 / 100 is a little less."""
    assert percent * n / 100 < reach
    released = np.arange(n, dtype=float)[:, None]
    risk = interval_disclosure_risk(released + reach, released, percents=[percent])
    assert risk == pytest.approx((n - reach) / n)
    farther = released + reach + 0.01
    assert interval_disclosure_risk(farther, released, percents=[percent]) == 0


@given(pair=pairs, seed=st.integers(0, 99))
def test_order_of_records_has_no_say(pair, seed):
    order = np.random.default_rng(seed).permutation(pair.shape[1])
    risk = interval_disclosure_risk(*pair)
    assert interval_disclosure_risk(*pair[:, order]) == risk
    assert 0 <= risk <= 1


@given(pair=pairs)
def test_wider_intervals_disclose_more(pair):
    risks = [interval_disclosure_risk(*pair, percents=[p]) for p in (1, 5, 20, 100)]
    assert risks == sorted(risks)


def test_bad_choices():
    with pytest.raises(ValueError, match="'kind' parameter must be one of"):
        interval_disclosure_risk([[1.0]], [[1.0]], kind="range")
    with pytest.raises(ValueError, match="at least one"):
        interval_disclosure_risk([[1.0]], [[1.0]], percents=[])
    with pytest.raises(ValueError, match="'percents' parameter must be a number >= 0"):
        interval_disclosure_risk([[1.0]], [[1.0]], percents=[-1])
