import numpy as np
import pytest
from numpy.testing import assert_allclose
from slow_twins import grid_weights
from tables import gaussian

from microcell import Microaggregator
from microcell.aggregate import MapPrototype, WeightedLVQ2
from microcell.compose import ByStratum
from microcell.metrics import sse_loss
from microcell.partition import CTCA, KTCA, MDAV


@pytest.mark.parametrize("part", [KTCA(), KTCA(5), CTCA(4)])
def test_prototype_is_the_mean_weighted_by_the_map(part):
    X = gaussian(120, 4)
    masked = Microaggregator(part, aggregate=MapPrototype())
    released = masked.fit_transform(X)
    fitted = masked.partition_
    weights = grid_weights(fitted.map_.shape_, 0.5)
    units = fitted.cell_units_[fitted.labels_]
    weights = weights[units][:, units]
    expected = weights @ X / weights.sum(axis=1, keepdims=True)
    assert_allclose(released, expected)


def test_it_loses_more_than_means():
    X = gaussian(200, 4)
    of_map = Microaggregator(CTCA(4), aggregate=MapPrototype()).fit_transform(X)
    assert sse_loss(X, of_map) > sse_loss(X, Microaggregator(CTCA(4)).fit_transform(X))


def test_classes_can_move_it():
    X, y = gaussian(200, 4), np.arange(200) % 2
    start = WeightedLVQ2(MapPrototype(), random_state=0)
    masked = Microaggregator(CTCA(4), aggregate=start)
    sizes = np.unique(masked.fit_transform(X, y), axis=0, return_counts=True)[1]
    assert sizes.min() >= 4


@pytest.mark.parametrize("part", [MDAV(3), ByStratum(CTCA(3), strata=[0, 1] * 30)])
def test_cells_without_a_map_are_refused(part):
    with pytest.raises(ValueError, match=r"code='mean'"):
        Microaggregator(part, aggregate=MapPrototype()).fit_transform(gaussian(60, 2))
