import numpy as np
from hypothesis import given
from numpy.testing import assert_array_equal
from tables import any_values, grids, tables_and_k

from microcell.kernels.distinct import distinct_records


def assert_classes(X):
    classes, first = distinct_records(X)
    rows = [tuple(row) for row in (X + 0.0).tolist()]
    seen = list(dict.fromkeys(rows))
    assert_array_equal(classes, [seen.index(row) for row in rows])
    assert_array_equal(first, [rows.index(row) for row in seen])


@given(X=grids(least_rows=1))
def test_equal_records_are_one_class(X):
    assert_classes(X)


@given(table=tables_and_k(elements=any_values))
def test_classes_are_numbered_as_first_seen(table):
    assert_classes(table[0])


def test_records_that_differ_in_one_bit():
    X = np.nextafter(np.ones((20, 3)), np.eye(20, 3) * 2)
    assert distinct_records(X)[1].size == 4
