"""One record of the cell for all columns, the nearest to its mean."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from tables import any_values, tables_and_k

from microcell.aggregate import ByColumn, Centroid, Medoid
from microcell.partition import MDAV


def slow_distances(X, rows, nominal):
    """How far each record of a cell is from its mean, by the definition."""
    total = np.zeros(len(rows))
    for j in range(X.shape[1]):
        own = X[rows, j]
        if j in nominal:
            total += [np.mean(own != value) for value in own]
        elif X[:, j].std() > 0:
            total += ((own - own.mean()) / X[:, j].std()) ** 2
    return total


@given(table=tables_and_k(elements=any_values), data=st.data())
def test_no_record_of_the_cell_is_nearer(table, data):
    X, k = table
    nominal = data.draw(st.sets(st.integers(0, X.shape[1] - 1)))
    labels = MDAV(k).fit_predict(X)
    released = Medoid(nominal=sorted(nominal)).aggregate(X, labels)
    for label in range(labels.max() + 1):
        rows = np.flatnonzero(labels == label)
        distances = slow_distances(X, rows, nominal)
        same = (X[rows] == released[rows[0]]).all(axis=1)
        assert same.any()  # a whole record, not a mixture of several
        assert_allclose(distances[same].min(), distances.min(), rtol=1e-6, atol=1e-9)


def test_the_earlier_of_two_is_released():
    X = np.array([[1.0, 9.0], [3.0, 7.0], [0.0, 1.0], [4.0, 3.0]])
    labels = np.array([0, 0, 1, 1])
    assert_array_equal(Medoid().aggregate(X, labels), X[[0, 0, 2, 2]])
    turned = Medoid().aggregate(X[::-1], labels)
    assert_array_equal(turned, X[[3, 3, 1, 1]])


def test_code_columns_follow_a_block_of_columns():
    part = Medoid(nominal=[0, 2])
    assert part.take_columns([2, 1]).nominal == [0]
    both = ByColumn([(Centroid(), [1]), (Medoid(nominal=[1]), [0, 2])])
    (_, columns), (medoid, places) = both.take_columns([2, 1]).parts
    assert (columns, places, medoid.nominal) == ([1], [0], [0])
