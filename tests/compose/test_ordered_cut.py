import numpy as np
import pytest
from figures import percent_lost
from hypothesis import given
from hypothesis import strategies as st
from kernels.hard_tables import random_tables
from numpy.testing import assert_array_equal
from slow_twins import slow_order_along_cells
from tables import gaussian, tables_and_k

from microcell.aggregate import Centroid
from microcell.compose import OrderedCut
from microcell.compose._ordered_cut import order_along_cells
from microcell.datasets import fetch_census, fetch_eia
from microcell.metrics import mse_distortion
from microcell.partition import CBFS, KTCA, MDAV, MaximumDistance, Mondrian


@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_same_order_as_slow_twin(k):
    X = gaussian(161, 3)
    labels = MDAV(k).fit_predict(X)
    assert_array_equal(order_along_cells(X, labels), slow_order_along_cells(X, labels))


@given(table=tables_and_k())
def test_same_order_as_slow_twin_on_ties(table):
    X, k = table
    X = X * 5040  # so that means of up to ten are whole numbers
    labels = CBFS(min(k, 10)).fit_predict(X)
    if np.bincount(labels).max() <= 10:
        order = order_along_cells(X, labels)
        assert_array_equal(order, slow_order_along_cells(X, labels))


@given(X=random_tables(), k=st.integers(1, 20))
def test_loss_never_grows_and_cells_are_small(X, k):
    if len(X) >= k:
        labels = OrderedCut(Mondrian(k)).fit_predict(X)
        before = Centroid().aggregate(X, Mondrian(k).fit_predict(X))
        before = mse_distortion(X, before)
        after = mse_distortion(X, Centroid().aggregate(X, labels))
        assert after <= before * (1 + 1e-9)
        assert np.bincount(labels).max() < 2 * k


FIGURES = {
    MDAV: (
        {3: 5.633837911, 4: 7.405195265, 5: 9.025741958, 10: 14.033144420},
        {3: 0.395630329, 4: 0.633066696, 5: 1.290139558, 10: 3.471490843},
    ),
    MaximumDistance: (
        {3: 5.652284328, 4: 7.528884781, 5: 8.922353118, 10: 14.288406531},
        {3: 0.429281298, 4: 0.683035130, 5: 1.497400576, 10: 3.609438469},
    ),
    CBFS: (
        {3: 5.620999802, 4: 7.399655601, 5: 8.818665822, 10: 13.935703906},
        {3: 0.390507705, 4: 0.632394300, 5: 1.371268289, 10: 3.425290064},
    ),
}


@pytest.mark.parametrize("k", [3, 4, 5, 10])
@pytest.mark.parametrize("partition", FIGURES)
def test_figures(benchmark_data, partition, k):
    for fetch, losses in zip(
        [fetch_census, fetch_eia], FIGURES[partition], strict=True
    ):
        loss = percent_lost(fetch().arrays()[0], OrderedCut(partition(k)))
        assert loss == pytest.approx(losses[k], abs=1e-9)


def test_what_promises_no_k_is_refused():
    with pytest.raises(ValueError, match="'partition' parameter must promise k"):
        OrderedCut(KTCA(min_k=1)).fit(gaussian(20, 2))
