"""The value that stands for a set depends on the set alone."""

import numpy as np
from hypothesis import given
from numpy.testing import assert_array_equal
from tables import tables_and_k

from microcell.aggregate import Set
from microcell.partition import MDAV


@given(table=tables_and_k())
def test_set_equals_slow_twin(table):
    X, k = table
    labels = MDAV(k).fit_predict(X)
    nominal = list(range(0, X.shape[1], 2))
    released = Set(nominal=nominal).aggregate(X, labels)
    for j in range(X.shape[1]):
        for label in range(labels.max() + 1):
            members = sorted(set(X[labels == label, j].tolist()))
            if j in nominal:
                counts = {value: np.sum(X[:, j] == value) for value in members}
                expected = min(members, key=lambda value: (-counts[value], value))
            else:
                expected = members[(len(members) - 1) // 2]
            assert_array_equal(released[labels == label, j], expected)


def test_code_columns_follow_a_block_of_columns():
    assert Set(nominal=[0, 3]).take_columns([3, 1, 0]).nominal == [0, 2]
