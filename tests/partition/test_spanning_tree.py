import numpy as np
import pytest
from hypothesis import given
from marks import for_each
from numpy.testing import assert_array_equal
from slow_twins import (
    slow_cbfs,
    slow_maximum_distance,
    slow_spanning_tree,
    slow_split,
    slow_trees,
)
from tables import any_values, gaussian, tables_and_k

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


@for_each("split", SPLITS)
@for_each("k", [1, 2, 3, 7])
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


def test_unknown_split():
    with pytest.raises(ValueError, match="'split' parameter must be one of"):
        SpanningTree(split="half").fit(gaussian(9, 2))
