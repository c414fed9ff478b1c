"""The checks see a broken part."""

import numpy as np
import pytest
from marks import for_each
from sklearn.utils import check_random_state

from microcell.aggregate import Centroid, Interval, cell_means
from microcell.base import BaseAggregator
from microcell.testing import check_aggregator


class Noisy(BaseAggregator):
    """A draw from the range of the cell for each record."""

    constant_within_cells = False
    bounded = True

    def __init__(self, random_state=None):
        self.random_state = random_state

    def _aggregate(self, X, labels):
        ends = Interval().aggregate(X, labels)
        low, high = ends[:, 0::2], ends[:, 1::2]
        draws = check_random_state(self.random_state).uniform(size=X.shape)
        return np.clip(low + (high - low) * draws, low, high)


class AroundTheRecord(Noisy):
    """A draw between the record and the middle of its cell: it tells who is who."""

    def _aggregate(self, X, labels):
        middles = cell_means(X, labels)[labels]
        draws = check_random_state(self.random_state).uniform(size=X.shape)
        return X + draws * (middles - X)


class OwnNoise(Noisy):
    """Draws that go on from release to release, whatever the seed."""

    rng = np.random.default_rng(0)

    def _aggregate(self, X, labels):
        return Noisy(self.rng.integers(2**31))._aggregate(X, labels)


class OneNoise(Noisy):
    """The same draws for every seed, so that all can subtract them."""

    def _aggregate(self, X, labels):
        return Noisy(5)._aggregate(X, labels)


class OutOfBounds(Noisy):
    """Noise of the width of the cell around its mean."""

    def _aggregate(self, X, labels):
        return 2 * super()._aggregate(X, labels) - cell_means(X, labels)[labels]


class NoSeed(Centroid):
    """Says that records differ, and takes no seed."""

    constant_within_cells = False


class SaysAlike(Noisy):
    """Says that the records of a cell are released alike."""

    constant_within_cells = True


def test_a_noisy_aggregator_passes():
    check_aggregator(Noisy())


@for_each(
    ("aggregator", "message"),
    [
        (AroundTheRecord(), "depends on its values"),
        (OwnNoise(), "another release from the same seed"),
        (OneNoise(), "the same release from another seed"),
        (OutOfBounds(), "a value outside the range of its cell"),
        (NoSeed(), "takes no random_state"),
        (SaysAlike(), "a cell has two released rows"),
    ],
)
def test_a_broken_aggregator_is_caught(aggregator, message):
    with pytest.raises(AssertionError, match=message):
        check_aggregator(aggregator)
