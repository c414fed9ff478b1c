"""The base classes catch parts that break their promise."""

import numpy as np
import pytest
from marks import for_each

from microcell import Microaggregator
from microcell.base import BasePartitioner


class Broken(BasePartitioner):
    """Gives the labels that it was told to."""

    def __init__(self, k=3, labels=None):
        self.k = k
        self.labels = labels

    def _partition(self, X, y):
        return np.asarray(self.labels)


@for_each(
    ("labels", "message"),
    [
        ([0, 0, 0, 0, 1, 1], r"A cell has 2 record\(s\), fewer than k=3"),
        ([0, 0, 0, 2, 2, 2], r"A cell has 0 record\(s\), fewer than k=3"),
        ([0, 0, 0, -1, -1, -1], "labels must be >= 0"),
        ([0, 0, 0], "labels must be 6 integers"),
        ([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], "labels must be 6 integers"),
    ],
)
def test_a_broken_partitioner_is_caught(labels, message):
    X = np.arange(6.0)[:, None]
    with pytest.raises(ValueError, match=message):
        Broken(3, labels).fit(X)
    with pytest.raises(ValueError, match=message):
        Microaggregator(Broken(3, labels)).fit_transform(X)


def test_cells_of_k_are_kept():
    fitted = Broken(3, [1, 1, 1, 0, 0, 0]).fit(np.arange(6.0)[:, None])
    assert fitted.n_cells_ == 2
