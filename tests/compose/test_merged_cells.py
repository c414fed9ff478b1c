"""Cells that Enforce merges go on from the centroid of all their records."""

import numpy as np
import pytest

from microcell.base import BasePartitioner
from microcell.compose import Enforce
from microcell.privacy import PSensitivity


class Given(BasePartitioner):
    """The cells that it was told."""

    def __init__(self, cells, k=2):
        self.cells = cells
        self.k = k

    def _partition(self, X, y):
        return np.asarray(self.cells)


@pytest.mark.parametrize(
    ("n_first", "last"),
    [
        (2, 2.2),  # halfway between the two: 0.5
        (6, 2.02),  # three times as many records in the first: 0.25
    ],
)
def test_a_merged_cell_has_the_centroid_of_all_its_records(n_first, last):
    """From where the second cell was alone, the last one would be the nearest."""
    places, sizes = [0.0, 1.0, -1.05, last], [n_first, 2, 2, 2]
    X = np.repeat(places, sizes)[:, None]
    cells = np.repeat(np.arange(4), sizes)
    ill = np.array([0] * (n_first + 2) + [0, 1, 0, 1])
    part = Enforce(Given(cells), PSensitivity(2)).fit(X, ill)
    assert part.labels_.tolist() == [0 if c < 3 else 1 for c in cells]
    assert part.n_merged_ == 2
