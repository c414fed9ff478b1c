import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from microcell.aggregate import (
    ByColumn,
    Centroid,
    Interval,
    Median,
    Mode,
    Observed,
    OneVote,
)
from microcell.aggregate._one_vote import votes_of


@given(seed=st.integers(0, 99), n_units=st.integers(1, 30))
def test_a_mean_is_that_of_people_and_a_mode_counts_them(seed, n_units):
    rng = np.random.default_rng(seed)
    units, labels = rng.integers(n_units, size=60), rng.integers(3, size=60)
    labels[:3] = range(3)
    X = np.column_stack([rng.normal(size=60), rng.integers(0, 3, 60)])
    part = OneVote(ByColumn([(Centroid(), [0]), (Mode(), [1])]), units=units)
    released = part.aggregate(X, labels)
    for cell in range(3):
        inside = labels == cell
        people = np.unique(units[inside])
        means = [X[inside & (units == who), 0].mean() for who in people]
        assert_allclose(released[inside, 0], np.mean(means))
        votes = np.zeros(3)
        for who in people:
            codes = X[inside & (units == who), 1].astype(int)
            votes += np.bincount(codes, minlength=3) / len(codes)
        assert votes[int(released[inside, 1][0])] >= votes.max() - 1e-9


def test_one_record_each_changes_no_bit():
    X, labels = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 7
    for part in (Centroid(), Median(), Centroid(weights=np.arange(1.0, 41))):
        voted = OneVote(part, units=np.arange(40)).aggregate(X, labels)
        assert_array_equal(voted, part.aggregate(X, labels))


def test_weights_of_a_unit_are_their_mean():
    part = OneVote(Centroid(weights=[2.0, 4.0, 3.0]), units=[7, 7, 9])
    assert_allclose(part.aggregate([[1.0], [1.0], [5.0]], [0, 0, 0])[0], 3.0)


def test_a_median_and_an_interval_of_people():
    X, units = [[9.0], [9.0], [9.0], [1.0], [2.0]], list("aaabc")
    assert OneVote(Median(), units=units).aggregate(X, [0] * 5)[0] == 2.0
    part = OneVote(Interval(), units=units)
    assert part.values_per_column == 2 and part.constant_within_cells
    assert_array_equal(part.aggregate(X, [0] * 5)[0], [1.0, 9.0])


def test_missing_values_parts_of_rows_and_of_columns():
    X = np.array([[1.0, 0.0], [3.0, 0.0], [np.nan, 1.0], [8.0, 1.0]])
    units = np.array([0, 0, 1, 2])
    inside = ByColumn([(Observed(Centroid()), [0]), (Mode(), [1])])
    part = OneVote(inside, units=units)
    assert part.takes_missing
    assert_allclose(part.aggregate(X, [0] * 4)[0], [5.0, 1.0])
    some = part.take_rows(np.array([0, 1, 3])).take_columns([0])
    assert_allclose(some.aggregate(X[[0, 1, 3], :1], [0] * 3)[0], [5.0])


def test_units_must_fit_the_table():
    with pytest.raises(ValueError, match="unit of each of the 2 records"):
        OneVote(Centroid(), units=[0]).aggregate([[1.0], [2.0]], [0, 0])


def test_votes_do_not_mix_units_of_different_cells():
    assert_allclose(
        votes_of(np.array([0, 1, 1, 1]), np.array([5, 5, 5, 6])), [1, 0.5, 0.5, 1]
    )
