"""Scales against rational arithmetic: far from zero, tiny, huge, constant."""

from fractions import Fraction
from math import isqrt

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler
from tables import gaussian, grids, seed_of

from microcell import METHODS, measure
from microcell.embed import (
    SCALES,
    LinearDiscriminantRotation,
    NoScale,
    PrincipalComponentProjection,
    QuartileScale,
    RangeScale,
    StandardScale,
    StatisticalDependence,
    ZScoreSum,
)
from microcell.metrics import combined_distortion, sse_loss

OFFSETS = [20240101000000.0, -(2.0**52), 2.0**49 + 1]
places = st.sampled_from([(0.0, 0), *[(offset, 0) for offset in OFFSETS], (0.0, -995)])


def root(x):
    """Square root of a fraction, right to 30 digits."""
    return Fraction(isqrt(x.numerator * x.denominator * 10**80), x.denominator * 10**40)


def quantile(values, share):
    values = sorted(values)
    place = share * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (place - below) * (values[above] - values[below])


def rational_scale(column, name):
    """Scaled values of a column as the textbook has them, in fractions."""
    column = [Fraction(value) for value in column]
    if name == "standard":
        centre = sum(column) / len(column)
        divisor = root(sum((x - centre) ** 2 for x in column) / len(column))
    elif name == "minmax":
        centre, divisor = min(column), max(column) - min(column)
    else:
        centre = quantile(column, Fraction(1, 2))
        quartiles = [quantile(column, Fraction(i, 4)) for i in (1, 3)]
        divisor = quartiles[1] - quartiles[0]
    return [float((x - centre) / (divisor or 1)) for x in column]


@settings(max_examples=80)
@given(
    name=st.sampled_from(["standard", "minmax", "robust"]),
    X=grids(least_rows=1),
    place=places,
)
def test_scales_are_those_of_rational_arithmetic(name, X, place):
    offset, exponent = place
    X = np.ldexp(X + offset, exponent)
    expected = np.column_stack([rational_scale(column, name) for column in X.T])
    assert_allclose(SCALES[name]().fit_transform(X), expected, rtol=1e-13, atol=1e-15)


@given(X=grids(least_rows=2), place=places)
def test_all_columns_have_unit_variance_or_are_constant(X, place):
    X = np.ldexp(X + place[0], place[1])
    Z = StandardScale().fit_transform(X)
    is_constant = X.min(axis=0) == X.max(axis=0)
    assert_allclose((Z**2).mean(axis=0), np.where(is_constant, 0, 1), rtol=1e-12)
    assert_allclose(Z.mean(axis=0), 0, atol=1e-15)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (StandardScale(), StandardScaler()),
        (RangeScale(), MinMaxScaler()),
        (QuartileScale(), RobustScaler()),
    ],
)
def test_ordinary_columns_are_those_of_scikit_learn(ours, theirs):
    X = np.column_stack([gaussian(101, 3) * [1, 10, 1e4] + 5, np.full(101, 0.1)])
    assert_allclose(ours.fit_transform(X), theirs.fit_transform(X), atol=1e-12)


def test_quartiles_that_are_equal_leave_the_units():
    X = np.array([[0.0], [0.0], [0.0], [0.0], [7.0]])
    assert_array_equal(QuartileScale().fit_transform(X), X)


def test_the_largest_and_the_smallest_numbers():
    X = np.array([[-1.7e308, 0.0], [1.7e308, 5e-324]])
    assert_array_equal(StandardScale().fit_transform(X), [[-1, -1], [1, 1]])
    assert_array_equal(RangeScale().fit_transform(X), [[0, 0], [1, 1]])
    assert_array_equal(NoScale().fit_transform(X), X)


def test_quartiles_that_are_nearly_equal_are_no_scale():
    X = np.array([[1e-200], [2e-200], [3e-200], [4e-200], [5.0]])
    scaled = QuartileScale().fit_transform(X).ravel()
    assert_allclose(scaled, [0, 0, 0, 0, 5], atol=1e-150)


def distinct_numbers(n, d, seed=0):
    """Whole numbers whose distances have no ties, so that rounding decides nothing."""
    return np.random.default_rng(seed).integers(0, 4000, size=(n, d)).astype(float)


@for_each("name", sorted(set(METHODS) - {"dp-microaggregation"}))
def test_cells_do_not_depend_on_an_offset(name):
    X = distinct_numbers(60, 3)
    y = (X.sum(axis=1) > 6000).astype(int)
    seed = seed_of(METHODS[name])
    near, far = METHODS[name](3, **seed), METHODS[name](3, **seed)
    released = near.fit_transform(X, y)
    for offset in OFFSETS:
        assert_allclose(far.fit_transform(X + offset, y) - offset, released, atol=0.5)
        assert_array_equal(far.labels_, near.labels_)


@pytest.mark.parametrize("scale", ["standard", "minmax", "robust", "none"])
def test_measures_do_not_depend_on_an_offset(scale):
    X = distinct_numbers(40, 2)
    released = X.copy()
    released[0::2] = released[1::2] = (X[0::2] + X[1::2]) // 2
    near = measure(*frames(X, released), ["a", "b"], scale=scale)
    for offset in OFFSETS:
        far = measure(*frames(X + offset, released + offset), ["a", "b"], scale=scale)
        assert far == pytest.approx(near, rel=1e-9)


def test_times_written_as_numbers_are_not_constant():
    """Their variance is nothing beside their squares."""
    X = np.random.default_rng(0).integers(0, 9, size=(1000, 2)).astype(float)
    released = np.column_stack([X[:, 0], np.full(1000, 4.0)])
    near = measure(*frames(X, released), ["a", "b"])
    offset = 20240101000000.0
    far = measure(*frames(X + offset, released + offset), ["a", "b"])
    assert near["sse_loss"] == pytest.approx(0.5, abs=0.01)
    assert far == pytest.approx(near)


def frames(*tables):
    return [pl.DataFrame(table, schema=["a", "b"]) for table in tables]


EMBEDDINGS = [
    LinearDiscriminantRotation(),
    PrincipalComponentProjection(),
    StatisticalDependence(),
    ZScoreSum(),
]


@pytest.mark.parametrize("embedding", EMBEDDINGS, ids=repr)
def test_embeddings_without_a_scale_do_not_depend_on_an_offset(embedding):
    X = distinct_numbers(50, 3) * [1, 4, 0.5]
    y = (X[:, 0] > 2000).astype(int)
    near = embedding.fit_transform(X, y)
    for offset in OFFSETS:
        far = embedding.fit_transform(X + offset, y)
        if isinstance(embedding, LinearDiscriminantRotation):
            far[:, :3] -= offset  # the columns themselves come first
        assert_allclose(far, near, atol=1e-10 * np.abs(near).max())


@for_each("embedding", EMBEDDINGS)
@for_each("exponent", [-990, 900])
def test_embeddings_of_tiny_and_huge_numbers(embedding, exponent):
    X = distinct_numbers(50, 3)
    y = (X[:, 0] > 2000).astype(int)
    near = embedding.fit_transform(X, y)
    far = embedding.fit_transform(np.ldexp(X, exponent), y)
    if not isinstance(embedding, (StatisticalDependence, ZScoreSum)):  # in its units
        far = np.ldexp(far, -exponent)
    assert_allclose(far, near, atol=1e-10 * np.abs(near).max())


def test_a_dependence_on_a_number_far_from_zero():
    X, y = distinct_numbers(50, 2), distinct_numbers(50, 1, seed=1).ravel()
    near = StatisticalDependence().fit_transform(X, y)
    assert_allclose(
        StatisticalDependence().fit_transform(X, y + 2.0**49), near, atol=1e-12
    )


@given(X=grids(least_rows=2), place=places)
def test_loss_is_that_of_rational_arithmetic(X, place):
    offset, exponent = place
    X_released = X[::-1]
    exact = [[Fraction(value) for value in row] for row in X]
    means = [sum(column) / len(X) for column in zip(*exact, strict=True)]
    sst = sum((x - m) ** 2 for row in exact for x, m in zip(row, means, strict=True))
    sse = sum(Fraction(change) ** 2 for change in (X - X_released).ravel())
    expected = float(sse / sst) if sst else float(sse > 0)
    far = [np.ldexp(table + offset, exponent) for table in (X, X_released)]
    assert sse_loss(*far) == pytest.approx(expected, rel=1e-12)
    assert combined_distortion(*far, far[0], lambda_=0) == sse_loss(*far)
