import pytest
from figures import percent_lost
from hypothesis import given
from numpy.testing import assert_array_equal
from slow_twins import slow_tfrp
from tables import any_values, gaussian, tables_and_k

from microcell.compose import DissolveAndSplit
from microcell.datasets import fetch_census, fetch_eia
from microcell.partition import TFRP


@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_same_cells_as_slow_twin(k):
    X = gaussian(61, 3)
    assert_array_equal(TFRP(k).fit_predict(X), slow_tfrp(X, k))


@given(table=tables_and_k())
def test_same_cells_as_slow_twin_on_ties(table):
    X, k = table
    assert_array_equal(TFRP(k).fit_predict(X), slow_tfrp(X, k))


@given(table=tables_and_k(elements=any_values))
def test_same_cells_as_slow_twin_on_any_values(table):
    X, k = table
    assert_array_equal(TFRP(k).fit_predict(X), slow_tfrp(X, k))


def test_work_in_slices_gives_the_same_cells(monkeypatch):
    X = gaussian(300, 2)
    whole = TFRP(3).fit_predict(X)
    monkeypatch.setattr("microcell.partition._tfrp.BOXES_PER_SLICE", 1)
    assert_array_equal(TFRP(3).fit_predict(X), whole)


CENSUS = {3: 5.965147247, 4: 7.943731620, 5: 9.268205698, 10: 14.463045591}
EIA = {3: 0.512917898, 4: 0.680258024, 5: 1.769158973, 10: 3.547287503}


@pytest.mark.parametrize("k", [3, 4, 5, 10])
def test_figures(benchmark_data, k):
    loss = percent_lost(fetch_census().arrays()[0], TFRP(k))
    assert loss == pytest.approx(CENSUS[k], abs=1e-9)
    loss = percent_lost(fetch_eia().arrays()[0], TFRP(k))
    assert loss == pytest.approx(EIA[k], abs=1e-9)


TFRP_2 = {3: 5.804273738, 4: 7.645794984, 5: 8.980396010, 10: 13.975213877}


@pytest.mark.parametrize("k", [3, 4, 5, 10])
def test_figures_of_tfrp_2(benchmark_data, k):
    loss = percent_lost(fetch_census().arrays()[0], DissolveAndSplit(TFRP(k)))
    assert loss == pytest.approx(TFRP_2[k], abs=1e-9)
