import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal
from slow_twins import slow_forest, slow_maximum_distance, slow_split, slow_trees
from tables import any_values, gaussian, tables_and_k

from microcell.partition import MuApprox
from microcell.partition._mu_approx import forest


def assert_as_twin(X, k):
    labels = MuApprox(k).fit_predict(X)
    order, parent, _ = forest(X, k)
    edges = dict(slow_forest(X, k))
    assert_array_equal(parent, [edges.get(row, -1) for row in range(len(X))])
    edges = [(row, edges[row]) for row in order if row in edges]  # ties as they joined
    cells = slow_split(X, slow_trees(X, edges, k), k, slow_maximum_distance)
    found = [set(np.flatnonzero(labels == c)) for c in range(labels.max() + 1)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, cells))


@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_same_cells_as_slow_twin(k):
    assert_as_twin(gaussian(61, 3), k)


@given(table=tables_and_k(most_rows=25))
def test_same_cells_as_slow_twin_on_ties(table):
    assert_as_twin(*table)


@given(table=tables_and_k(elements=any_values, most_rows=25))
def test_same_cells_as_slow_twin_on_any_values(table):
    assert_as_twin(*table)


def test_each_record_comes_after_the_one_that_it_joined():
    order, parent, _ = forest(gaussian(200, 2), 5)
    place = np.argsort(order)
    has_one = parent >= 0
    assert (place[parent[has_one]] < place[has_one]).all()
