import numpy as np
import pytest
from figures import percent_lost
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from slow_twins import slow_mdav
from tables import any_values, gaussian, tables_and_k

from microcell.datasets import fetch_census, fetch_eia
from microcell.partition import MDAV

LEFTOVER = ["last", "nearest", "each"]


@pytest.mark.parametrize("leftover", LEFTOVER)
@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_same_cells_as_slow_twin(k, leftover):
    X = gaussian(61, 3)
    labels = MDAV(k, leftover=leftover).fit_predict(X)
    assert_array_equal(labels, slow_mdav(X, k, leftover))


@pytest.mark.parametrize("leftover", LEFTOVER)
@given(table=tables_and_k())
def test_same_cells_as_slow_twin_on_ties(leftover, table):
    X, k = table
    labels = MDAV(k, leftover=leftover).fit_predict(X)
    assert_array_equal(labels, slow_mdav(X, k, leftover))


@given(table=tables_and_k(elements=any_values))
def test_cells_have_k_records_and_the_last_at_most_2k_minus_1(table):
    X, k = table
    sizes = np.bincount(MDAV(k).fit_predict(X))
    assert sizes.min() >= k and sizes.max() <= 2 * k - 1
    assert (sizes[:-1] == k).all()


@given(table=tables_and_k(elements=any_values), seed=st.integers(0, 2**32 - 1))
def test_permuting_records_keeps_the_cells_without_ties(table, seed):
    shape, k = table[0].shape, table[1]
    rng = np.random.default_rng(seed)
    X = rng.normal(size=shape)  # no ties, whatever the draw of the table
    order = rng.permutation(len(X))
    cells = {frozenset(np.flatnonzero(m)) for m in one_hot(MDAV(k).fit_predict(X))}
    moved = one_hot(MDAV(k).fit_predict(X[order]))
    assert cells == {frozenset(order[np.flatnonzero(m)]) for m in moved}


def one_hot(labels):
    return [labels == label for label in range(labels.max() + 1)]


def test_work_in_slices_gives_the_same_cells(monkeypatch):
    X = gaussian(300, 2)
    whole = MDAV(3).fit_predict(X)
    monkeypatch.setattr("microcell.partition._mdav.VISITS_PER_SLICE", 1)
    assert_array_equal(MDAV(3).fit_predict(X), whole)


CENSUS = {3: 5.692186279, 4: 7.494699833, 5: 9.088435498, 10: 14.155930425}
EIA = {3: 0.482938725, 4: 0.671345141, 5: 1.666675162, 10: 3.839670225}
EIA_NEAREST = {5: 1.666657361, 10: 3.839670225}


@pytest.mark.parametrize(("k", "published"), CENSUS.items())
def test_published_loss_on_census(benchmark_data, k, published):
    X, _ = fetch_census().arrays()
    assert percent_lost(X, MDAV(k)) == pytest.approx(published, abs=1e-9)


@pytest.mark.parametrize(("k", "published"), EIA.items())
def test_published_loss_on_eia(benchmark_data, k, published):
    X, _ = fetch_eia().arrays()
    assert percent_lost(X, MDAV(k)) == pytest.approx(published, abs=1e-9)


@pytest.mark.parametrize(("k", "published"), EIA_NEAREST.items())
def test_published_loss_of_the_nearest_rule(benchmark_data, k, published):
    X, _ = fetch_eia().arrays()
    loss = percent_lost(X, MDAV(k, leftover="nearest"))
    assert loss == pytest.approx(published, abs=1e-9)


@pytest.mark.parametrize("k", [3, 4, 5, 10])
def test_figures_of_mdav_1(benchmark_data, k):
    losses = {**EIA, 5: 1.666657361, 10: 3.839664225}
    rule = MDAV(k, leftover="each")
    loss = percent_lost(fetch_census().arrays()[0], rule)
    assert loss == pytest.approx(CENSUS[k], abs=1e-9)
    loss = percent_lost(fetch_eia().arrays()[0], rule)
    assert loss == pytest.approx(losses[k], abs=1e-9)


def test_too_few_records():
    with pytest.raises(ValueError, match="n_samples=2 should be >= k=3"):
        MDAV(k=3).fit([[0.0], [1.0]])


def test_unknown_rule_for_the_rest():
    with pytest.raises(ValueError, match="'leftover' parameter must be one of"):
        MDAV(k=1, leftover="first").fit([[0.0], [1.0]])
