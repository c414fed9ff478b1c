import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from tables import any_values, tables_and_k

from microcell.aggregate import ByColumn, Centroid, Interval, Median, Mode
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
