import pytest
from figures import percent_lost
from hypothesis import given
from numpy.testing import assert_array_equal
from slow_twins import slow_maximum_distance
from tables import any_values, gaussian, tables_and_k

from microcell.datasets import fetch_census, fetch_eia
from microcell.partition import MaximumDistance


@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_same_cells_as_slow_twin(k):
    X = gaussian(61, 3)
    assert_array_equal(MaximumDistance(k).fit_predict(X), slow_maximum_distance(X, k))


@given(table=tables_and_k())
def test_same_cells_as_slow_twin_on_ties(table):
    X, k = table
    assert_array_equal(MaximumDistance(k).fit_predict(X), slow_maximum_distance(X, k))


@given(table=tables_and_k(elements=any_values))
def test_same_cells_as_slow_twin_on_any_values(table):
    X, k = table
    assert_array_equal(MaximumDistance(k).fit_predict(X), slow_maximum_distance(X, k))


def test_work_in_slices_gives_the_same_cells(monkeypatch):
    X = gaussian(300, 2)
    whole = MaximumDistance(3).fit_predict(X)
    monkeypatch.setattr("microcell.partition._maximum_distance.VISITS_PER_SLICE", 1)
    assert_array_equal(MaximumDistance(3).fit_predict(X), whole)


CENSUS = {3: 5.721044943, 4: 7.637421140, 5: 9.006479260, 10: 14.396537626}
EIA = {3: 0.472317271, 4: 0.771899539, 5: 1.669423441, 10: 3.714077950}


@pytest.mark.parametrize("k", [3, 4, 5, 10])
def test_figures(benchmark_data, k):
    loss = percent_lost(fetch_census().arrays()[0], MaximumDistance(k))
    assert loss == pytest.approx(CENSUS[k], abs=1e-9)
    loss = percent_lost(fetch_eia().arrays()[0], MaximumDistance(k))
    assert loss == pytest.approx(EIA[k], abs=1e-9)
