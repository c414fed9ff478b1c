import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import ks_2samp, kstest
from tables import any_values, tables_and_k

from microcell.aggregate import (
    ByColumn,
    Centroid,
    Interval,
    Median,
    Mode,
    RandomRho,
    WrapNoise,
)
from microcell.partition import MDAV


def cells(X, k):
    return MDAV(k).fit_predict(X)


@given(table=tables_and_k(elements=any_values))
def test_centroid_is_the_mean_and_keeps_column_means(table):
    X, k = table
    labels = cells(X, k)
    released = Centroid().aggregate(X, labels)
    for label in range(labels.max() + 1):
        expected = X[labels == label].mean(axis=0)
        assert_allclose(released[labels == label][0], expected, rtol=1e-12, atol=1e-9)
    assert_allclose(released.mean(axis=0), X.mean(axis=0), rtol=1e-9, atol=1e-7)


@given(table=tables_and_k(elements=any_values))
def test_median_equals_numpy(table):
    X, k = table
    labels = cells(X, k)
    released = Median().aggregate(X, labels)
    lower = Median(even="lower").aggregate(X, labels)
    for label in range(labels.max() + 1):
        cell = X[labels == label]
        expected = np.median(cell, axis=0)
        assert_allclose(released[labels == label][0], expected, rtol=1e-12, atol=1e-9)
        expected = np.sort(cell, axis=0)[(len(cell) - 1) // 2]
        assert_array_equal(lower[labels == label][0], expected)


@given(table=tables_and_k())
def test_mode_equals_slow_twin(table):
    X, k = table
    labels = cells(X, k)
    released = Mode().aggregate(X, labels)
    for j, column in enumerate(X.T):
        seen = list(dict.fromkeys(column.tolist()))
        overall = column.tolist()
        for label in range(labels.max() + 1):
            cell = column[labels == label].tolist()
            best = max(
                set(cell),
                key=lambda v: (cell.count(v), overall.count(v), -seen.index(v)),
            )
            assert released[labels == label][0, j] == best


@given(table=tables_and_k(elements=any_values))
def test_interval_is_the_range(table):
    X, k = table
    labels = cells(X, k)
    released = Interval().aggregate(X, labels)
    for label in range(labels.max() + 1):
        cell = X[labels == label]
        assert_array_equal(released[labels == label][0, 0::2], cell.min(axis=0))
        assert_array_equal(released[labels == label][0, 1::2], cell.max(axis=0))


def test_mean_of_equal_values_is_that_value():
    X = np.full((7, 1), 0.1)
    assert (Centroid().aggregate(X, np.zeros(7, dtype=int)) == 0.1).all()


def test_single_values_stand_for_both_ends_of_an_interval():
    mixed = ByColumn([(Interval(), [0]), (Mode(), [1])])
    released = mixed.aggregate([[1, 5], [3, 5], [2, 4]], [0, 0, 0])
    assert_array_equal(released[0], [1, 3, 5, 5])


def test_every_column_needs_an_aggregator():
    with pytest.raises(ValueError, match="each of the 2 columns"):
        ByColumn([(Mode(), [0])]).aggregate([[1, 5]], [0])


def test_labels_must_fit():
    with pytest.raises(ValueError, match="labels must be 2 integers"):
        Centroid().aggregate([[1.0], [2.0]], [0])
    with pytest.raises(ValueError, match="A cell has 0 record"):
        Centroid().aggregate([[1.0], [2.0]], [0, 2])
    with pytest.raises(ValueError, match="2 dimensions"):
        Centroid().aggregate([1.0, 2.0], [0, 0])


@given(table=tables_and_k(elements=any_values))
def test_rho_of_0_is_the_centroid_to_the_last_digit(table):
    X, k = table
    labels = cells(X, k)
    for centre in (False, True):
        released = RandomRho(0, centre=centre).aggregate(X, labels)
        assert_array_equal(released, Centroid().aggregate(X, labels))


@given(table=tables_and_k(elements=any_values), rho=st.floats(0, 1))
def test_noise_stays_within_its_share_of_the_range(table, rho):
    X, k = table
    labels = cells(X, k)
    released = RandomRho(rho, random_state=0).aggregate(X, labels)
    centred = RandomRho(rho, centre=True, random_state=0).aggregate(X, labels)
    for label in range(labels.max() + 1):
        cell, mean = X[labels == label], X[labels == label].mean(axis=0)
        low = mean + rho * (cell.min(axis=0) - mean) - 1e-6
        high = mean + rho * (cell.max(axis=0) - mean) + 1e-6
        for noisy in (released, centred):
            assert (low <= noisy[labels == label]).all()
            assert (noisy[labels == label] <= high).all()


LOPSIDED = np.array([[0.0], [1.0], [9.0]])  # mean 10/3, range 0 to 9


def draws(aggregator, X=LOPSIDED, copies=20_000):
    """Many draws for a cell, made of copies of its records."""
    X = np.tile(X, (copies, 1))
    return aggregator.aggregate(X, np.zeros(len(X), dtype=int))


def test_law_of_the_noise():
    noisy = draws(RandomRho(0.6, random_state=0))
    low, high = 10 / 3 * (1 - 0.6), 10 / 3 + 0.6 * (9 - 10 / 3)
    assert kstest(noisy[:, 0], "uniform", (low, high - low)).pvalue > 0.01
    assert len(np.unique(noisy)) == len(noisy)  # each record draws its own


def test_noise_moves_means_unless_it_is_centred():
    moved = draws(RandomRho(1.0, random_state=0)).mean() - 10 / 3
    assert moved == pytest.approx(4.5 - 10 / 3, abs=0.05)
    centred = draws(RandomRho(1.0, centre=True, random_state=0))
    assert centred.mean() == pytest.approx(10 / 3, abs=0.05)
    assert centred.max() == pytest.approx(2 * 10 / 3, abs=0.01)


def wrapped(value, low, high, rng, n):
    """The paper's formula: noise as wide as the range, moved back by one range."""
    span = high - low
    noisy = value + rng.uniform(-span / 2, span / 2, size=n)
    noisy = np.where(noisy > high, noisy - span, noisy)
    return np.where(noisy < low, noisy + span, noisy)


@pytest.mark.parametrize("value", [0.0, 1.0, 9.0])
def test_the_wrap_formula_is_a_draw_from_the_range(value):
    """Whatever the value was, so the aggregator draws from the range at once."""
    by_formula = wrapped(value, 0.0, 9.0, np.random.default_rng(0), 20_000)
    assert kstest(by_formula, "uniform", (0, 9)).pvalue > 0.01
    drawn = draws(WrapNoise(random_state=1))[:, 0]
    assert ks_2samp(drawn, by_formula).pvalue > 0.01


def test_least_and_greatest_value_of_a_cell_follow_from_its_draws():
    """They are those of real people; the ends of n draws are range / (n + 1) off."""
    X, labels = np.array([[2.0]] + [[5.0]] * 8 + [[12.0]]), np.zeros(10, dtype=int)
    drawn = [WrapNoise(random_state=seed).aggregate(X, labels) for seed in range(400)]
    ends = [np.sort(values, axis=0)[[0, -1]] for values in drawn]
    least, greatest = np.mean(ends, axis=0)[:, 0]
    assert least - 2.0 == pytest.approx(10 / 11, abs=0.15)
    assert 12.0 - greatest == pytest.approx(10 / 11, abs=0.15)


@pytest.mark.parametrize("noise", [RandomRho, WrapNoise])
def test_draws_are_fresh_without_a_seed(noise):
    X, labels = np.array([[0.0], [1.0], [2.0]]), [0, 0, 0]

    def drawn(random_state):
        return noise(random_state=random_state).aggregate(X, labels)

    assert not np.array_equal(drawn(None), drawn(None))
    assert_array_equal(drawn(7), drawn(7))
    assert not np.array_equal(drawn(7), drawn(8))
    np.random.seed(0)  # nothing global decides
    first = drawn(None)
    np.random.seed(0)
    assert not np.array_equal(drawn(None), first)
    generator = np.random.default_rng(1)
    assert not np.array_equal(drawn(generator), drawn(generator))
    assert_array_equal(drawn(np.random.RandomState(3)), drawn(np.random.RandomState(3)))


@for_each("rho", [-0.1, 1.1, np.nan, "half", True])
def test_bad_rho(rho):
    with pytest.raises(ValueError, match="'rho' parameter must be a number between 0"):
        RandomRho(rho).aggregate([[1.0], [2.0]], [0, 0])


@pytest.mark.parametrize("noise", [RandomRho(1.0, random_state=0), WrapNoise()])
def test_a_range_beyond_all_numbers_is_drawn_from(noise):
    X = np.tile([[-1.7e308], [1.7e308]], (10, 1))  # whose sum does not overflow
    drawn = noise.aggregate(X, np.zeros(20, dtype=int))
    assert len(np.unique(drawn)) == 20 and np.abs(drawn).max() < 1.7e308
