import numpy as np
import pytest
from figures import percent_lost
from hypothesis import given
from numpy.testing import assert_array_equal
from slow_twins import slow_forest, slow_maximum_distance, slow_split, slow_trees
from tables import any_values, gaussian, tables_and_k

from microcell.datasets import fetch_census, fetch_eia
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


def test_work_in_slices_gives_the_same_cells(monkeypatch):
    X = gaussian(300, 2)
    whole = MuApprox(3).fit_predict(X)
    monkeypatch.setattr("microcell.partition._mu_approx.BOXES_PER_SLICE", 1)
    assert_array_equal(MuApprox(3).fit_predict(X), whole)


CENSUS = {3: 6.258793735, 4: 8.327729361, 5: 10.438998187, 10: 17.534864449}
EIA = {3: 0.402649862, 4: 0.570836294, 5: 0.835092293, 10: 2.139822938}


@pytest.mark.parametrize("k", [3, 4, 5, 10])
def test_figures(benchmark_data, k):
    loss = percent_lost(fetch_census().arrays()[0], MuApprox(k))
    assert loss == pytest.approx(CENSUS[k], abs=1e-9)
    loss = percent_lost(fetch_eia().arrays()[0], MuApprox(k))
    assert loss == pytest.approx(EIA[k], abs=1e-9)
