"""Sampling weights: a record that stands for w people counts as w records."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_allclose, assert_array_equal
from tables import any_values, tables_and_k

from microcell._slices import take_rows
from microcell.aggregate import ByColumn, Centroid, Median, Mode
from microcell.exceptions import ParameterError
from microcell.partition import MDAV

WEIGHTED = [Centroid, Median, Mode]


@st.composite
def weighted_tables(draw, elements=any_values):
    X, k = draw(tables_and_k(elements=elements))
    weights = draw(
        st.lists(st.integers(1, 5), min_size=X.shape[0], max_size=X.shape[0])
    )
    return X, MDAV(k).fit_predict(X), np.array(weights)


@pytest.mark.parametrize("even", ["mean", "lower"])
@given(table=weighted_tables())
def test_a_weight_is_that_many_records(table, even):
    X, labels, weights = table
    repeated, of = np.repeat(X, weights, axis=0), np.repeat(labels, weights)
    first = np.cumsum(weights) - weights
    assert_array_equal(
        Median(even, weights=weights).aggregate(X, labels),
        Median(even).aggregate(repeated, of)[first],
    )
    assert_array_equal(
        Mode(weights=weights).aggregate(X, labels),
        Mode().aggregate(repeated, of)[first],
    )
    assert_allclose(
        Centroid(weights=weights).aggregate(X, labels),
        Centroid().aggregate(repeated, of)[first],
        rtol=1e-12,
        atol=1e-9,
    )


@given(table=weighted_tables(), scale=st.floats(1e-3, 1e3))
def test_weighted_totals_are_kept(table, scale):
    X, labels, weights = table
    weights = scale * weights
    released = Centroid(weights=weights).aggregate(X, labels)
    size = np.abs(weights[:, None] * X).sum()
    assert_allclose(weights @ released, weights @ X, rtol=1e-9, atol=1e-12 * size)


@settings(max_examples=60)
@given(
    weight=st.sampled_from([1, 0.1, 0.7, 1 / 3, 12345.678]),
    table=tables_and_k(elements=any_values),
)
def test_equal_weights_change_nothing(table, weight):
    X, k = table
    labels = MDAV(k).fit_predict(X)
    weights = np.full(X.shape[0], weight)
    for even in ("mean", "lower"):
        weighted = Median(even, weights=weights).aggregate(X, labels)
        assert_array_equal(weighted, Median(even).aggregate(X, labels))
    assert_array_equal(
        Mode(weights=weights).aggregate(X, labels), Mode().aggregate(X, labels)
    )


@given(
    values=st.lists(
        st.tuples(st.integers(-5, 5), st.integers(1, 9)), min_size=1, max_size=15
    )
)
def test_lower_weighted_median_equals_slow_twin(values):
    X = np.array([[float(x)] for x, _ in values])
    weights = np.array([w for _, w in values])
    half = Fraction(int(weights.sum()), 2)
    x = min(x for x, _ in values if sum(w for z, w in values if z <= x) >= half)
    part = Median("lower", weights=weights)
    assert part.aggregate(X, np.zeros(len(X), dtype=int))[0, 0] == x


@pytest.mark.parametrize("part", WEIGHTED)
def test_some_rows_have_their_own_weights(part):
    cut = take_rows(part(weights=np.array([1.0, 2.0, 3.0])), [2, 0])
    assert_array_equal(cut.weights, [3.0, 1.0])
    assert take_rows(part(), [2, 0]).weights is None
    both = take_rows(ByColumn([(part(weights=[1.0, 2.0, 3.0]), [0])]), [1])
    assert_array_equal(both.parts[0][0].weights, [2.0])


@for_each("part", WEIGHTED)
@for_each("weights", [[1.0], [1.0, 0.0], [1.0, -1.0], [1.0, np.inf]])
def test_weights_that_are_none_are_refused(part, weights):
    with pytest.raises(ParameterError, match="weights"):
        part(weights=weights).aggregate([[1.0], [2.0]], [0, 0])
