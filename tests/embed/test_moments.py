"""Moments add up, and give the scales that whole columns give."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each

from microcell.embed import ColumnScaler, LearntColumns, Moments
from microcell.exceptions import InputError

VALUES = st.lists(
    st.floats(-1e12, 1e12, allow_nan=False) | st.just(float("nan")), max_size=30
)


@given(VALUES, VALUES, VALUES)
def test_parts_add_up_in_any_order(one, two, three):
    parts = [Moments.of(np.array(v, dtype=np.float64)) for v in (one, two, three)]
    whole = Moments.of(np.array([*one, *two, *three], dtype=np.float64))
    assert (parts[0] + parts[1]) + parts[2] == whole
    assert parts[2] + (parts[0] + parts[1]) == whole


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=40))
def test_counted_values_are_repeated_ones(values):
    distinct, counts = np.unique(np.array(values, dtype=np.float64), return_counts=True)
    assert Moments.of(distinct, counts) == Moments.of(np.array(values, dtype=float))


def test_mean_and_variance_are_exact():
    moments = Moments.of(np.array([0.1, 0.2, 0.4]))
    exact = [Fraction(0.1), Fraction(0.2), Fraction(0.4)]
    mean = sum(exact) / 3
    assert moments.mean == mean
    assert moments.variance == sum((x - mean) ** 2 for x in exact) / 3


@for_each("scale", ["standard", "minmax", "none"])
@for_each("missing", ["error", "middle", "category"])
def test_a_part_gets_the_scale_of_the_table(scale, missing):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 4)) * [1, 1e-9, 1e9, 0] + [0, 5, 2e13, 7]
    X[:, 1] = rng.integers(0, 4, 200)
    if missing != "error":
        X[rng.random(X.shape) < 0.1] = np.nan
    whole = ColumnScaler(scale, nominal=[1], missing=missing, expand=False).fit(X)
    learnt = LearntColumns.of(X, [1])
    part = ColumnScaler(
        scale, nominal=[1], missing=missing, expand=False, learnt=learnt
    ).fit(X[:1])
    np.testing.assert_allclose(
        part.transform(X), whole.transform(X), rtol=1e-9, atol=1e-9
    )
    assert part.coded_ == whole.coded_
    assert part.units_ == whole.units_


def test_columns_of_a_block_keep_their_scale():
    X = np.random.default_rng(0).normal(size=(50, 3)) * [1, 10, 100]
    scaler = ColumnScaler(learnt=LearntColumns.of(X))
    block = scaler.take_columns([2, 0]).fit(X[:2, [2, 0]])
    whole = scaler.fit(X[:2]).transform(X)
    np.testing.assert_array_equal(block.transform(X[:, [2, 0]]), whole[:, [2, 0]])


def test_quartiles_do_not_follow_from_moments():
    learnt = LearntColumns.of(np.array([[1.0], [2.0]]))
    with pytest.raises(InputError, match="quartiles") as caught:
        ColumnScaler("robust", learnt=learnt).fit([[1.0]])
    assert caught.value.option == "scale"
