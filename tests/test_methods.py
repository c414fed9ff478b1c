"""What the published methods promise beyond the parts that they are made of."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from tables import tables_and_k

from microcell import METHODS
from microcell.embed import SCALES


def scaled_loss(X, labels, scale):
    """SSE of the scaled columns inside cells."""
    Z = SCALES[scale]().fit_transform(X)
    cells = [Z[labels == c] for c in range(labels.max() + 1)]
    return sum(np.sum((cell - cell.mean(axis=0)) ** 2) for cell in cells)


SQUARE = np.array([[0, 0], [2, 0], [3, 3], [0, 3.0]])


@settings(max_examples=600)
@pytest.mark.parametrize("name", ["pcp", "zscores", "sugeno"])
@given(table=tables_and_k(most_rows=12))
@example(table=(SQUARE, 2))
def test_the_multivariate_cut_is_never_worse_for_the_columns(name, table):
    X, k = table
    losses = {}
    for cost in ("multivariate", "projected"):
        labels = METHODS[name](k, cost=cost).fit(X).labels_
        losses[cost] = scaled_loss(X, labels, "standard")
    assert losses["multivariate"] <= losses["projected"] * (1 + 1e-9) + 1e-12
