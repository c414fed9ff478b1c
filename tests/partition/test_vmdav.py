import numpy as np
import pytest
from figures import percent_lost
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels.hard_tables import random_tables
from marks import for_each
from numpy.testing import assert_array_equal
from partition.rounds import indexed, of_vmdav, plain
from slow_twins import slow_vmdav
from tables import gaussian, tables_and_k

from microcell.datasets import fetch_census, fetch_eia
from microcell.partition import VMDAV

gammas = st.sampled_from([0, 0.2, 0.9, 1.1, 5.0])


@for_each("gamma", [0, 0.2, 0.9, 1.1, 5.0])
@for_each("k", [1, 2, 3, 7])
def test_same_cells_as_slow_twin(k, gamma):
    X = gaussian(62, 2)
    assert_array_equal(VMDAV(k, gamma=gamma).fit_predict(X), slow_vmdav(X, k, gamma))


@settings(max_examples=80)
@given(gamma=st.sampled_from([0, 0.9, 1.1]), table=tables_and_k())
def test_same_cells_as_slow_twin_on_ties(gamma, table):
    X, k = table
    assert_array_equal(VMDAV(k, gamma=gamma).fit_predict(X), slow_vmdav(X, k, gamma))


def test_work_in_slices_gives_the_same_cells(monkeypatch):
    X = gaussian(200, 2)
    whole = VMDAV(3, gamma=1.1).fit_predict(X)
    monkeypatch.setattr("microcell.partition._rounds.VISITS_PER_SLICE", 1)
    assert_array_equal(VMDAV(3, gamma=1.1).fit_predict(X), whole)


def test_clusters_keep_their_own_size():
    X = np.repeat([[0.0], [100.0], [250.0]], [3, 4, 5], axis=0)
    X += np.tile(np.arange(6) / 10, 2)[:, None]
    sizes = np.bincount(VMDAV(3, gamma=1.1).fit_predict(X))
    assert sorted(sizes) == [3, 4, 5]


@pytest.mark.parametrize(
    ("k", "gamma", "loss"),
    [(3, 0.2, 5.662), (3, 0.9, 6.362), (3, 1.1, 7.065), (5, 0.2, 9.007)],
)
def test_known_loss_on_census(benchmark_data, k, gamma, loss):
    X, _ = fetch_census().arrays()
    assert percent_lost(X, VMDAV(k, gamma=gamma)) == pytest.approx(loss, abs=5e-4)


@pytest.mark.parametrize(
    ("k", "gamma", "loss"), [(5, 0, 1.776), (5, 0.9, 1.244), (10, 1.1, 2.805)]
)
def test_known_loss_on_eia(benchmark_data, k, gamma, loss):
    X, _ = fetch_eia().arrays()
    assert percent_lost(X, VMDAV(k, gamma=gamma)) == pytest.approx(loss, abs=1e-3)


def test_gamma_must_be_a_number():
    with pytest.raises(ValueError, match="'gamma' parameter must be a number >= 0"):
        VMDAV(1, gamma=-0.1).fit([[0.0], [1.0]])


@pytest.mark.parametrize("index", ["tree", "table"])
@given(X=random_tables(most_rows=400), k=st.integers(1, 12), gamma=gammas)
def test_indexed_path_closes_the_same_cells(index, X, k, gamma):
    scanned = plain(of_vmdav, X, k, gamma)
    fast = indexed(of_vmdav, X, k, gamma, index=index, rebuild_from=40)
    assert_array_equal(fast[0], scanned[0])
    assert_array_equal(fast[1], scanned[1])
    assert fast[2] == scanned[2]


@pytest.mark.parametrize("index", ["tree", "table", "auto"])
def test_indexed_path_in_slices_gives_the_same_cells(index):
    X = gaussian(7000, 2)
    fast = indexed(of_vmdav, X, 3, 0.5, visits_per_slice=1, index=index)
    assert_array_equal(fast[0], plain(of_vmdav, X, 3, 0.5)[0])


def test_estimator_takes_the_indexed_path(monkeypatch):
    X = gaussian(998, 4)
    plain = VMDAV(3).fit_predict(X)
    monkeypatch.setattr("microcell.kernels.free_records.INDEX_FROM", 0)
    assert_array_equal(VMDAV(3).fit_predict(X), plain)
