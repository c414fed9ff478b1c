import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from slow_twins import slow_merge_small_cells, squared_distances
from tables import gaussian, grids, tables_and_k

from microcell.kernels.nearest_others import nearest_others
from microcell.partition._small_cells import merge_small_cells


@given(X=grids(least_rows=2, most_rows=80))
def test_nearest_other_is_the_first_of_the_nearest(X):
    nearest, distances = nearest_others(X, np.arange(len(X)))
    for row in range(len(X)):
        gaps = squared_distances(X, range(len(X)), X[row])
        gaps[row] = np.inf
        assert (nearest[row], distances[row]) == (np.argmin(gaps), gaps.min())


@given(table=tables_and_k(), n_cells=st.integers(1, 40))
def test_same_cells_as_slow_twin(table, n_cells):
    X, k = table
    labels = np.unique(np.arange(len(X)) * 7 % n_cells, return_inverse=True)[1]
    merged = merge_small_cells(X, labels, k)[labels]
    expected = slow_merge_small_cells(X, labels, k)
    pairs = np.unique(np.column_stack([merged, expected]), axis=0)
    assert len(pairs) == merged.max() + 1 == expected.max() + 1
    assert np.bincount(merged).min() >= k


def test_nothing_is_merged_without_need():
    X = gaussian(30, 2)
    labels = np.arange(30) // 3
    assert_array_equal(merge_small_cells(X, labels, 3), np.arange(10))


def test_a_large_cell_takes_in_all_that_come():
    X = np.array([[0.0], [0.0], [0.0], [1.0], [-1.2], [30.0], [31.0], [33.0]])
    labels = np.array([0, 0, 0, 1, 2, 3, 4, 5])
    # 3 and 4 are nearest and join first; 5 waits for them, 1 and 2 need not wait.
    assert merge_small_cells(X, labels, 2).tolist() == [0, 0, 0, 1, 1, 1]


def test_squares_out_of_range():
    X = gaussian(60, 2)
    labels = np.arange(60)
    expected = merge_small_cells(X, labels, 4)
    for factor in (2.0**-900, 2.0**900):
        assert_array_equal(merge_small_cells(X * factor, labels, 4), expected)
