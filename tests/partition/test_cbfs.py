import numpy as np
import pytest
from figures import percent_lost
from hypothesis import given
from numpy.testing import assert_array_equal
from slow_twins import slow_cbfs
from tables import any_values, gaussian, tables_and_k

from microcell.datasets import fetch_census, fetch_eia
from microcell.partition import CBFS
from microcell.partition._mdav_paths import plain_cells


@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_same_cells_as_slow_twin(k):
    X = gaussian(61, 3)
    assert_array_equal(CBFS(k).fit_predict(X), slow_cbfs(X, k))


@given(table=tables_and_k())
def test_same_cells_as_slow_twin_on_ties(table):
    X, k = table
    assert_array_equal(CBFS(k).fit_predict(X), slow_cbfs(X, k))


@given(table=tables_and_k(elements=any_values))
def test_same_cells_as_slow_twin_on_any_values(table):
    X, k = table
    assert_array_equal(CBFS(k).fit_predict(X), slow_cbfs(X, k))


def test_work_in_slices_gives_the_same_cells(monkeypatch):
    X = gaussian(300, 2)
    whole = CBFS(3).fit_predict(X)
    monkeypatch.setattr("microcell.partition._cbfs.VISITS_PER_SLICE", 1)
    assert_array_equal(CBFS(3).fit_predict(X), whole)


def test_large_tables_and_codes_go_by_the_index():
    X = gaussian(6000, 3)
    X[:, 2] = np.floor(X[:, 2])
    labels, rows, n_cells = plain_cells(X, 5, len(X) + 1)
    labels[rows] = n_cells  # there are k of them
    assert_array_equal(CBFS(5).fit_predict(X), labels)
    expanded = np.column_stack([X[:, :2], (X[:, 2:] == np.unique(X[:, 2])) / 2**0.5])
    coded = CBFS(5, categorical_features=[2]).fit_predict(X[:1000])
    assert_array_equal(coded, CBFS(5).fit_predict(expanded[:1000]))


CENSUS = {3: 5.653559396, 4: 7.441418614, 5: 8.884026099, 10: 14.006564476}
EIA = {3: 0.477893447, 4: 0.670860178, 5: 1.739593635, 10: 3.511954647}


@pytest.mark.parametrize("k", [3, 4, 5, 10])
def test_figures(benchmark_data, k):
    loss = percent_lost(fetch_census().arrays()[0], CBFS(k))
    assert loss == pytest.approx(CENSUS[k], abs=1e-9)
    loss = percent_lost(fetch_eia().arrays()[0], CBFS(k))
    assert loss == pytest.approx(EIA[k], abs=1e-9)
