import numpy as np
import pytest
from figures import percent_lost
from hypothesis import given
from numpy.testing import assert_array_equal
from slow_twins import (
    slow_cbfs,
    slow_maximum_distance,
    slow_spanning_tree,
    slow_split,
    slow_trees,
)
from tables import any_values, gaussian, tables_and_k

from microcell.datasets import fetch_census, fetch_eia
from microcell.partition import SpanningTree
from microcell.partition._spanning_tree import spanning_tree

SPLITS = {
    "pair": slow_maximum_distance,
    "centroid": slow_cbfs,
    "none": lambda X, k: np.zeros(len(X), dtype=int),
}


def assert_as_twin(X, k, split="pair"):
    labels = SpanningTree(k, split=split).fit_predict(X)
    cells = slow_split(X, slow_trees(X, slow_spanning_tree(X), k), k, SPLITS[split])
    found = [set(np.flatnonzero(labels == c)) for c in range(labels.max() + 1)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, cells))


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_same_cells_as_slow_twin(k, split):
    assert_as_twin(gaussian(61, 3), k, split)


@given(table=tables_and_k(most_rows=25))
def test_same_cells_as_slow_twin_on_ties(table):
    assert_as_twin(*table)


@given(table=tables_and_k(elements=any_values, most_rows=25))
def test_same_cells_as_slow_twin_on_any_values(table):
    assert_as_twin(*table)


@given(table=tables_and_k())
def test_same_tree_as_slow_twin(table):
    order, parent, _ = spanning_tree(table[0])
    edges = slow_spanning_tree(table[0])
    assert_array_equal(order[1:], [child for child, _ in edges])
    assert_array_equal(parent[order[1:]], [parent for _, parent in edges])


def test_work_in_slices_gives_the_same_cells(monkeypatch):
    X = gaussian(300, 2)
    whole = SpanningTree(3).fit_predict(X)
    path = "microcell.partition._spanning_tree.VISITS_PER_SLICE"
    monkeypatch.setattr(path, 1)
    assert_array_equal(SpanningTree(3).fit_predict(X), whole)


def test_unknown_split():
    with pytest.raises(ValueError, match="'split' parameter must be one of"):
        SpanningTree(split="half").fit(gaussian(9, 2))


CENSUS = {3: 6.120503786, 4: 8.247082552, 5: 10.267822742, 10: 17.159625062}
EIA = {3: 0.396205692, 4: 0.564430584, 5: 0.796471633, 10: 2.228332451}


@pytest.mark.parametrize("k", [3, 4, 5, 10])
def test_figures(benchmark_data, k):
    loss = percent_lost(fetch_census().arrays()[0], SpanningTree(k))
    assert loss == pytest.approx(CENSUS[k], abs=1e-9)
    loss = percent_lost(fetch_eia().arrays()[0], SpanningTree(k))
    assert loss == pytest.approx(EIA[k], abs=1e-9)
