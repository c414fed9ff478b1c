import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from kernels.hard_tables import random_tables
from numpy.testing import assert_array_equal
from slow_twins import Coded, slow_dba
from tables import grids

from microcell._centre import in_range
from microcell.partition import DBA


@given(X=random_tables(most_rows=90), k=st.integers(2, 20))
def test_same_cells_where_reserves_are_used_up(X, k):
    if len(X) >= k:  # squares of tiny values have too few bits for the twin
        assert_array_equal(DBA(k).fit_predict(X), slow_dba(in_range(X), k))


@given(X=grids(most_columns=4), data=st.data())
def test_same_cells_with_codes(X, data):
    n_coded = data.draw(st.integers(1, X.shape[1]))
    k = data.draw(st.integers(1, min(len(X), 7)))
    n_measured = X.shape[1] - n_coded
    part = DBA(k, categorical_features=np.arange(n_measured, X.shape[1]))
    assert_array_equal(part.fit_predict(X), slow_dba(Coded(X, n_measured), k))


def test_units_of_mismatches_count():
    X = [[0.0, 0], [0.0, 1], [1.0, 0], [1.0, 1], [5.0, 0], [5.0, 1]]
    near = DBA(2, categorical_features=[1], mismatch_units=[0.1]).fit_predict(X)
    assert_array_equal(near, [0, 0, 1, 1, 2, 2])
    far = DBA(2, categorical_features=[1], mismatch_units=[9.0]).fit_predict(X)
    assert_array_equal(far, [0, 1, 0, 1, 2, 2])
