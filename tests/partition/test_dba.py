import numpy as np
import pytest
from figures import percent_lost
from hypothesis import given
from hypothesis import strategies as st
from kernels.hard_tables import random_tables
from numpy.testing import assert_array_equal
from slow_twins import Coded, slow_dba
from tables import any_values, gaussian, grids, tables_and_k

from microcell._centre import in_range
from microcell.compose import DissolveAndSplit
from microcell.datasets import fetch_census, fetch_eia
from microcell.partition import DBA


@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_same_cells_as_slow_twin(k):
    X = gaussian(61, 3)
    assert_array_equal(DBA(k).fit_predict(X), slow_dba(X, k))


@given(table=tables_and_k())
def test_same_cells_as_slow_twin_on_ties(table):
    X, k = table
    assert_array_equal(DBA(k).fit_predict(X), slow_dba(X, k))


@given(table=tables_and_k(elements=any_values))
def test_same_cells_as_slow_twin_on_any_values(table):
    X, k = table
    assert_array_equal(DBA(k).fit_predict(X), slow_dba(X, k))


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


def test_work_in_slices_gives_the_same_cells(monkeypatch):
    X = gaussian(300, 2)
    whole = DBA(3).fit_predict(X)
    monkeypatch.setattr("microcell.partition._dba.BOXES_PER_SLICE", 1)
    assert_array_equal(DBA(3).fit_predict(X), whole)


DBA_1 = {
    fetch_census: {3: 6.144855154, 4: 9.127883805, 5: 10.842187346, 10: 15.785497322},
    fetch_eia: {3: 1.090194828, 4: 0.843469070, 5: 1.895536919, 10: 4.265801303},
}
DBA_2 = {
    fetch_census: {3: 5.581605762, 4: 7.591307664, 5: 9.046162117, 10: 13.521405177},
    fetch_eia: {3: 0.421048322, 4: 0.559755523, 5: 0.818498280, 10: 2.080980825},
}


@pytest.mark.parametrize("k", [3, 4, 5, 10])
@pytest.mark.parametrize("fetch", [fetch_census, fetch_eia])
def test_figures(benchmark_data, fetch, k):
    X, _ = fetch().arrays()
    assert percent_lost(X, DBA(k)) == pytest.approx(DBA_1[fetch][k], abs=1e-9)
    loss = percent_lost(X, DissolveAndSplit(DBA(k)))
    assert loss == pytest.approx(DBA_2[fetch][k], abs=1e-9)
