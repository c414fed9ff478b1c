"""Halfway between the ends of a cell."""

import numpy as np
from hypothesis import given
from numpy.testing import assert_allclose
from tables import any_values, tables_and_k

from microcell.aggregate import Midpoint
from microcell.partition import MDAV


@given(table=tables_and_k(elements=any_values))
def test_midpoint_equals_slow_twin(table):
    X, k = table
    labels = MDAV(k).fit_predict(X)
    released = Midpoint().aggregate(X, labels)
    for label in range(labels.max() + 1):
        cell = X[labels == label]
        middle = (cell.min(axis=0) + cell.max(axis=0)) / 2
        assert_allclose(released[labels == label][0], middle, rtol=1e-12, atol=1e-9)


def test_a_range_does_not_overflow():
    X = np.array([[-1.7e308], [1.7e308]])
    assert Midpoint().aggregate(X, [0, 0])[0, 0] == 0
