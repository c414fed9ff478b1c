"""Cells with missing values: what is published of those that are there."""

from statistics import multimode

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from microcell.aggregate import (
    ByColumn,
    Centroid,
    Interval,
    Median,
    Mode,
    Observed,
    WrapNoise,
)

GAP = np.nan


@st.composite
def tables_with_gaps(draw):
    n = draw(st.integers(1, 30))
    n_cells = draw(st.integers(1, n))
    labels = np.array(
        [
            *range(n_cells),
            *draw(
                st.lists(
                    st.integers(0, n_cells - 1),
                    min_size=n - n_cells,
                    max_size=n - n_cells,
                )
            ),
        ]
    )
    values = st.one_of(st.just(GAP), st.integers(0, 4).map(float))
    column = draw(st.lists(values, min_size=n, max_size=n))
    other = draw(st.lists(values, min_size=n, max_size=n))
    return np.column_stack([column, other]), labels


TWINS = {
    "mean": (Centroid(), np.mean),
    "median": (Median(), np.median),
    "lower": (Median(even="lower"), lambda v: np.sort(v)[(len(v) - 1) // 2]),
    "low": (Interval(), np.min),
}


@settings(max_examples=80)
@given(name=st.sampled_from(list(TWINS)), table=tables_with_gaps())
def test_ignored_gaps_equal_the_slow_twin(name, table):
    X, labels = table
    aggregator, twin = TWINS[name]
    released = Observed(aggregator).aggregate(X, labels)
    released = released[:, :: aggregator.values_per_column]
    for j, column in enumerate(X.T):
        there = column[~np.isnan(column)]
        for cell in np.unique(labels):
            inside = column[labels == cell]
            inside = inside[~np.isnan(inside)]
            shown = released[labels == cell, j]
            if there.size == 0:
                assert np.isnan(shown).all()
            else:
                expected = twin(inside if inside.size else there)
                assert_allclose(shown, expected, rtol=1e-12, atol=1e-12)


@given(table=tables_with_gaps())
def test_a_missing_value_is_a_category_of_the_mode(table):
    X, labels = table
    released = Observed(Mode(), "category").aggregate(X, labels)
    for j, column in enumerate(X.T):
        for cell in np.unique(labels):
            texts = [str(value) for value in column[labels == cell]]
            shown = {str(value) for value in released[labels == cell, j]}
            assert len(shown) == 1 and shown <= set(multimode(texts))


@given(table=tables_with_gaps())
def test_numbers_are_missing_where_most_of_a_cell_is(table):
    X, labels = table
    released = Observed(Centroid(), "category").aggregate(X, labels)
    for j, column in enumerate(X.T):
        for cell in np.unique(labels):
            inside = column[labels == cell]
            shown = released[labels == cell, j]
            if np.isnan(inside).mean() > 0.5:
                assert np.isnan(shown).all()
            else:
                assert_allclose(shown, np.nanmean(inside), rtol=1e-12, atol=1e-12)


def test_known_answers():
    X, one_cell = np.array([[1.0], [2.0], [GAP], [4.0]]), np.zeros(4, dtype=int)
    assert_allclose(Observed(Centroid()).aggregate(X, one_cell), 7 / 3)
    assert_array_equal(Observed(Median()).aggregate(X, one_cell), np.full((4, 1), 2.0))
    assert_array_equal(
        Observed(Interval()).aggregate(X, one_cell), np.tile([1.0, 4.0], (4, 1))
    )


def test_columns_published_in_different_ways():
    X = np.array([[1.0, 5.0], [3.0, GAP], [GAP, 6.0], [7.0, 6.0]])
    parts = [(Observed(Centroid()), [0]), (Observed(Mode()), [1])]
    released = ByColumn(parts).aggregate(X, [0, 0, 1, 1])
    assert_array_equal(released, [[2, 5], [2, 5], [7, 6], [7, 6]])
    assert ByColumn(parts).takes_missing
    one_part = ByColumn([(Observed(Centroid()), [0]), (Mode(), [1])])
    with pytest.raises(ValueError, match="NaN"):
        one_part.aggregate(X, [0, 0, 1, 1])
    assert_array_equal(one_part.aggregate(X[[0, 2]], [0, 0]), [[1, 5], [1, 5]])


def test_without_gaps_nothing_changes():
    X = np.random.default_rng(0).normal(size=(12, 3))
    labels = np.repeat([0, 1, 2], 4)
    for inner in (Centroid(), Median(), Mode(), Interval()):
        for policy in ("ignore", "category"):
            assert_array_equal(
                Observed(inner, policy).aggregate(X, labels), inner.aggregate(X, labels)
            )


def test_noise_has_no_value_for_who_misses_one():
    with pytest.raises(ValueError, match="a value of its own"):
        Observed(WrapNoise()).aggregate([[1.0], [GAP]], [0, 0])
    with pytest.raises(ValueError, match="missing"):
        Observed(Centroid(), "drop").aggregate([[1.0], [GAP]], [0, 0])
