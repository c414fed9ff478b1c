import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from marks import for_each

from microcell._centre import times_power_of_two
from microcell.kernels.columns import column_means, column_ranges, mean_squares

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)
SHAPES = st.tuples(st.integers(1, 40), st.integers(1, 9))
TABLES = arrays(np.float64, SHAPES, elements=NUMBERS)
ORDERS = st.sampled_from(["C", "F"])


def assert_same(found, expected):
    assert np.array_equal(found, expected, equal_nan=True)


@given(TABLES, ORDERS)
def test_ranges_are_those_of_numpy(X, order):
    X = np.asarray(X, order=order)
    assert_same(column_ranges(X), (X.min(axis=0), X.max(axis=0)))


@given(arrays(np.float64, SHAPES, elements=st.floats(width=64)))
def test_a_range_with_nan_is_nan(X):
    assert_same(column_ranges(X), (X.min(axis=0), X.max(axis=0)))


@given(TABLES, ORDERS)
def test_sums_have_the_bits_of_numpy(X, order):
    X = np.asarray(X, order=order)
    near, rest = X[0], X[-1] / 3
    with np.errstate(over="ignore", invalid="ignore"):
        assert_same(column_means(X), X.mean(axis=0))
        assert_same(column_means(X, near), (X - near).mean(axis=0))
        assert_same(column_means(X, near, rest), ((X - near) - rest).mean(axis=0))
        expected = np.mean(((X - near) - rest) ** 2, axis=0)
        assert_same(mean_squares(X, near, rest), expected)


@for_each("n_columns", [1, 2, 3, 5, 8, 17, 130])
def test_sums_of_many_records_have_the_bits_of_numpy(n_columns):
    X = np.random.default_rng(n_columns).normal(size=(30_011, n_columns))
    near, rest = X[7], X[5]
    assert_same(column_means(X), X.mean(axis=0))
    assert_same(column_means(X, near), (X - near).mean(axis=0))
    assert_same(mean_squares(X, near, rest), np.mean(((X - near) - rest) ** 2, axis=0))


@given(arrays(np.float64, 7, elements=NUMBERS), st.integers(-1100, 1100))
def test_powers_of_two_round_once(X, exponent):
    with np.errstate(over="ignore"):
        assert_same(times_power_of_two(X, exponent), np.ldexp(X, exponent))
        out = X.copy()
        times_power_of_two(X, exponent, out=out)
        assert_same(out, np.ldexp(X, exponent))


@given(TABLES, st.data())
def test_each_column_may_have_its_power_of_two(X, data):
    exponents = data.draw(arrays(np.int64, X.shape[1], elements=st.integers(-500, 500)))
    with np.errstate(over="ignore"):
        assert_same(times_power_of_two(X, exponents), np.ldexp(X, exponents))
