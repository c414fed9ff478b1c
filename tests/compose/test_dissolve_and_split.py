import numpy as np
import pytest
from figures import percent_lost
from hypothesis import given
from hypothesis import strategies as st
from kernels.hard_tables import random_tables
from marks import for_each
from numpy.testing import assert_array_equal
from slow_twins import Coded, slow_dissolve_and_split
from tables import any_values, gaussian, grids, tables_and_k

from microcell.aggregate import Centroid
from microcell.compose import DissolveAndSplit
from microcell.datasets import fetch_census, fetch_eia
from microcell.metrics import mse_distortion
from microcell.partition import KTCA, MDAV, VMDAV, Mondrian


def assert_as_twin(X, partition):
    labels = DissolveAndSplit(partition).fit_predict(X)
    first = partition.fit(X).labels_
    assert_array_equal(labels, slow_dissolve_and_split(X, first, partition.k))


@for_each("partition", [MDAV, VMDAV, Mondrian])
@for_each("k", [1, 2, 3, 7])
def test_same_cells_as_slow_twin(k, partition):
    assert_as_twin(gaussian(161, 3), partition(k))


@given(table=tables_and_k())
def test_same_cells_as_slow_twin_on_ties(table):
    X, k = table
    assert_as_twin(X, Mondrian(k))


@given(table=tables_and_k(elements=any_values))
def test_same_cells_as_slow_twin_on_any_values(table):
    X, k = table
    assert_as_twin(X, VMDAV(k, gamma=1.1))


@given(X=random_tables(), k=st.integers(1, 20))
def test_same_cells_on_tables_of_several_levels(X, k):
    if len(X) >= k:
        assert_as_twin(X, Mondrian(k))


@given(X=grids(most_columns=4), data=st.data())
def test_same_cells_with_codes(X, data):
    n_measured = X.shape[1] - data.draw(st.integers(1, X.shape[1]))
    k = data.draw(st.integers(1, min(len(X), 7)))
    coded = np.arange(n_measured, X.shape[1])
    first = VMDAV(k, gamma=1.1, categorical_features=coded)
    labels = DissolveAndSplit(first).fit_predict(X)
    expected = slow_dissolve_and_split(Coded(X, n_measured), first.fit(X).labels_, k)
    assert_array_equal(labels, expected)


@pytest.mark.parametrize("unit", [0.1, 5.0])
def test_units_of_mismatches_count(unit):
    X = gaussian(300, 3)
    X[:, 2] = np.floor(2 * X[:, 2])
    coded = DissolveAndSplit(MDAV(3))
    coded.mark_codes([2], [unit])
    codes = (X[:, 2:] == np.unique(X[:, 2])) * np.sqrt(unit / 2)
    measured = DissolveAndSplit(MDAV(3)).fit_predict(np.column_stack([X[:, :2], codes]))
    assert_array_equal(coded.fit_predict(X), measured)
    assert coded.n_dissolved_ > 0


@given(X=random_tables(), k=st.integers(1, 20))
def test_loss_never_grows(X, k):
    if len(X) >= k:
        first = Mondrian(k)
        before = Centroid().aggregate(X, first.fit_predict(X))
        after = Centroid().aggregate(X, DissolveAndSplit(first).fit_predict(X))
        before, after = mse_distortion(X, before), mse_distortion(X, after)
        assert after <= before * (1 + 1e-9)


def test_work_in_slices_gives_the_same_cells(monkeypatch):
    X = gaussian(300, 2)
    whole = DissolveAndSplit(Mondrian(3)).fit_predict(X)
    path = "microcell.compose._dissolve_and_split"
    monkeypatch.setattr(f"{path}.BOXES_PER_SLICE", 1)
    monkeypatch.setattr(f"{path}.CELLS_PER_SLICE", 1)
    assert_array_equal(DissolveAndSplit(Mondrian(3)).fit_predict(X), whole)


def test_large_cells_are_split_as_small_ones_are(monkeypatch):
    X = gaussian(300, 2)
    part = DissolveAndSplit(Mondrian(3))
    whole = part.fit_predict(X)
    monkeypatch.setattr("microcell.compose._dissolve_and_split.INDEX_FROM", 0)
    assert_array_equal(part.fit_predict(X), whole)


MDAV_2 = {
    fetch_census: {3: 5.656049371, 4: 7.409645342, 5: 9.012389597, 10: 13.944117753},
    fetch_eia: {3: 0.411101515, 4: 0.587381756, 5: 0.946263963, 10: 3.160855772},
}


@pytest.mark.parametrize("k", [3, 4, 5, 10])
@pytest.mark.parametrize("fetch", [fetch_census, fetch_eia])
def test_figures_of_mdav_2(benchmark_data, fetch, k):
    partition = DissolveAndSplit(MDAV(k, leftover="each"))
    loss = percent_lost(fetch().arrays()[0], partition)
    assert loss == pytest.approx(MDAV_2[fetch][k], abs=1e-9)


def test_what_promises_no_k_is_refused():
    with pytest.raises(ValueError, match="'partition' parameter must promise k"):
        DissolveAndSplit(KTCA(min_k=1)).fit(gaussian(20, 2))
