import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from microcell.partition import Insensitive
from microcell.partition._insensitive import corners


def slow_insensitive(X, k):
    """The k nearest to the next corner, with nothing sorted ahead."""
    labels = np.full(len(X), -1)
    free, turn = list(range(len(X))), 0
    points = corners(X.shape[1])
    while free:
        corner = points[turn % len(points)]
        near = sorted(free, key=lambda i: (((X[i] - corner) ** 2).sum(), *X[i], i))
        taken = near[:k] if len(free) >= 2 * k else near
        labels[taken] = turn
        free = [i for i in free if i not in taken]
        turn += 1
    return labels


few_values = st.integers(0, 4).map(lambda v: v / 4)  # many ties, no rounding


@st.composite
def neighbours(draw):
    d, k = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    n = draw(st.integers(k, 14))
    rows = st.lists(few_values, min_size=d, max_size=d)
    X = np.array(draw(st.lists(rows, min_size=n, max_size=n)))
    other = X.copy()
    other[draw(st.integers(0, n - 1))] = draw(rows)
    return X, other, k


@given(case=neighbours())
def test_same_cells_as_slow_twin(case):
    X, _, k = case
    assert_array_equal(Insensitive(k).fit_predict(X), slow_insensitive(X, k))


@given(case=neighbours())
def test_replacing_a_record_changes_each_cell_by_one_record(case):
    X, other, k = case
    labels, moved = Insensitive(k).fit_predict(X), Insensitive(k).fit_predict(other)
    assert_array_equal(np.bincount(labels), np.bincount(moved))
    for cell in range(labels.max() + 1):
        rows = [tuple(row) for row in X[labels == cell]]
        for row in map(tuple, other[moved == cell]):
            if row in rows:
                rows.remove(row)
        assert len(rows) <= 1


@given(case=neighbours(), seed=st.integers(0, 9))
def test_cells_hold_the_same_values_in_any_order_of_records(case, seed):
    X, _, k = case
    order = np.random.default_rng(seed).permutation(len(X))
    labels, moved = Insensitive(k).fit_predict(X), Insensitive(k).fit_predict(X[order])
    for cell in range(labels.max() + 1):
        cells = X[labels == cell], X[order][moved == cell]
        assert_array_equal(*(np.sort(rows, axis=0) for rows in cells))


@pytest.mark.parametrize(("d", "n_corners"), [(1, 2), (2, 4), (3, 8), (4, 10)])
def test_corners_are_distinct_and_far_ones_follow_each_other(d, n_corners):
    found = corners(d)
    assert len(np.unique(found, axis=0)) == n_corners
    assert_array_equal(found[::2] + found[1::2], 1)
