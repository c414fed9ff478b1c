"""Lowest common ancestors of cells; by brute force in tests/columns."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

from microcell.aggregate import Ancestor, ByColumn, Mode
from microcell.embed import Levels

# Values 0 to 3; groups: all (4), 0 and 1 and 2 (5), 1 and 2 (6).
TREE = Levels(
    np.array(
        [
            *[[0, 0, 0], [0, 1, 1], [0, 1, 2], [3, 3, 3]],
            *[[4, 4, 4], [0, 5, 5], [0, 1, 6]],
        ]
    ),
    np.full(3, 1 / 3),
    n_values=4,
)


def ancestor(*nodes):
    X = np.array(nodes, dtype=float)[:, None]
    return Ancestor(TREE).aggregate(X, np.zeros(len(nodes), int))[0, 0]


def test_of_values_and_of_groups():
    assert ancestor(2, 2) == 2
    assert ancestor(1, 2) == 6
    assert ancestor(0, 2) == 5
    assert ancestor(0, 3) == 4
    assert ancestor(6, 2) == 6  # a group is among the ancestors of its values
    assert ancestor(6, 0) == 5
    assert ancestor(5, 3) == ancestor(4, 1) == ancestor(4, 4) == 4


def test_one_row_for_each_cell_and_several_columns():
    X = np.array([[1, 3], [2, 3], [0, 0], [3, 2.0]])
    released = Ancestor(TREE).aggregate(X, [1, 1, 0, 0])
    assert_array_equal(released, [[6, 3], [6, 3], [4, 5], [4, 5]])


def test_missing_values_are_passed_over():
    X = np.array([[1, np.nan], [np.nan, np.nan], [2, np.nan]])
    released = Ancestor(TREE).aggregate(X, [0, 0, 0])
    assert_array_equal(released, [[6, np.nan]] * 3)


def test_what_is_no_node_is_refused():
    for wrong in (-1.0, 0.5, 7.0):
        with pytest.raises(ValueError, match="numbers of nodes"):
            ancestor(0, wrong)


def test_a_tree_without_its_groups_is_refused():
    values = Levels(TREE.codes[:4], TREE.units)
    with pytest.raises(ValueError, match="lacks a group"):
        Ancestor(values).aggregate([[0], [1]], [0, 0])
    assert_array_equal(Ancestor(values).aggregate([[1], [1]], [0, 0]), [[1], [1]])


def test_beside_another_aggregator_and_in_blocks():
    parts = ByColumn([(Ancestor(TREE), [0]), (Mode(), [1])])
    X = np.array([[1, 7], [2, 7.0]])
    assert_array_equal(clone(parts).aggregate(X, [0, 0]), [[6, 7], [6, 7]])
    block = parts.take_columns([0])
    assert_array_equal(block.aggregate(X[:, :1], [0, 0]), [[6], [6]])
