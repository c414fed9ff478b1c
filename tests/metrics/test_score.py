import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from marks import for_each
from tables import few_values, gaussian

from microcell.aggregate import Centroid
from microcell.datasets import fetch_census
from microcell.metrics import (
    disclosure_risk,
    distance_linkage_risk,
    information_loss,
    interval_disclosure_risk,
    probabilistic_linkage_risk,
    score,
)
from microcell.partition import MDAV

pairs = arrays(
    float,
    st.tuples(st.just(2), st.integers(1, 20), st.integers(1, 5)),
    elements=few_values,
)


def masked(X, k):
    return Centroid().aggregate(X, MDAV(k).fit_predict(X))


def own_standardised(X):
    """Each column by its own mean and standard deviation; a constant one is 0."""
    deviations = X.std(axis=0, ddof=1)
    return (X - X.mean(axis=0)) / np.where(deviations > 0, deviations, 1.0)


def slow_distance_linkage(X, X_released):
    """All pairs; ties shared."""
    found = 0.0
    for i, record in enumerate(X_released):
        distances = ((X - record) ** 2).sum(axis=1)
        if distances[i] <= distances.min() * (1 + 1e-9):
            found += 1 / np.sum(distances <= distances.min() * (1 + 1e-9))
    return found / len(X)


def test_linkage_by_distance_equal_to_all_pairs():
    X = gaussian(80, 3) * [1.0, 10.0, 100.0]
    released = masked(X, 3)
    expected = slow_distance_linkage(own_standardised(X), own_standardised(released))
    assert disclosure_risk(X, released).dld == pytest.approx(expected)


def test_parts_add_up():
    X = gaussian(60, 3) + 5
    released = masked(X, 4)
    result = score(X, released)
    risk = result.disclosure
    assert risk.pld == pytest.approx(probabilistic_linkage_risk(X, released))
    assert risk.id == pytest.approx(interval_disclosure_risk(X, released))
    assert result.information == information_loss(X, released)
    assert result.dr == pytest.approx(0.25 * (risk.dld + risk.pld) + 0.5 * risk.id)
    assert result.score == pytest.approx(0.5 * result.il + 0.5 * result.dr)


@for_each(
    ("blocks", "subsets", "known"),
    [
        (None, "cumulative", [[0, 1, 2, 3, 4]]),
        (5, "all", [[0, 1, 2, 3, 4]]),
        (2, "cumulative", [[0, 1, 2, 3], [0, 1, 2, 3, 4]]),
        (2, "all", [[0, 1, 2, 3], [0, 1, 4], [2, 3, 4], [0, 1, 2, 3, 4]]),
        ([[3], [1, 0], [4, 2]], "cumulative", [[3, 1, 0], [3, 1, 0, 4, 2]]),
    ],
)
def test_mean_over_what_the_intruder_knows(blocks, subsets, known):
    X = gaussian(50, 5) @ np.triu(np.ones((5, 5))) + 9
    released = masked(X, 3)
    risk = disclosure_risk(X, released, blocks=blocks, subsets=subsets)
    Z, Z_released = own_standardised(X), own_standardised(released)
    by_distance = [distance_linkage_risk(Z[:, c], Z_released[:, c]) for c in known]
    assert risk.dld == pytest.approx(np.mean(by_distance))
    by_rank = [probabilistic_linkage_risk(X[:, c], released[:, c]) for c in known]
    assert risk.pld == pytest.approx(np.mean(by_rank))
    intervals = [interval_disclosure_risk(X[:, c], released[:, c]) for c in known]
    assert risk.id == pytest.approx(np.mean(intervals))


def test_table_against_itself():
    """No loss, and no release of the table has a higher risk."""
    X = gaussian(200, 8)
    result = score(X, X, blocks=4)
    assert result.il == 0.0
    assert result.dr == pytest.approx(1.0)
    assert score(X, masked(X, 3), blocks=4).dr < 1


def test_table_against_its_shuffled_self():
    X = gaussian(400, 6)
    shuffled = X[np.random.default_rng(1).permutation(400)]
    result = score(X, shuffled)
    assert result.information.il1 > 1
    assert result.information.loss == pytest.approx(result.information.il1 / 5)
    assert result.disclosure.dld < 0.02 and result.disclosure.pld < 0.02
    assert result.disclosure.id == pytest.approx(0.11, abs=0.03)


def test_more_than_twelve_columns_are_linked_by_blocks():
    X = gaussian(100, 14)
    released = X + 0.3 * gaussian(100, 14, seed=1)
    fields = [list(range(7)), list(range(7, 14))]
    expected = probabilistic_linkage_risk(X, released, fields=fields)
    assert disclosure_risk(X, released, blocks=7).pld == pytest.approx(expected)


@given(pair=pairs, blocks=st.none() | st.integers(1, 5), seed=st.integers(0, 99))
def test_bounds_and_order(pair, blocks, seed):
    risk = disclosure_risk(*pair, blocks=blocks)
    for value in (risk.dld, risk.pld, risk.id, risk.risk):
        assert 0 <= value <= 1
    order = np.random.default_rng(seed).permutation(pair.shape[1])
    moved = disclosure_risk(*pair[:, order], blocks=blocks)
    assert moved.pld == pytest.approx(risk.pld, abs=1e-6)
    assert moved.id == pytest.approx(risk.id)
    assert moved.dld == pytest.approx(risk.dld)


def test_constant_columns():
    X = np.column_stack([gaussian(30, 1), np.full(30, 0.1)])
    assert disclosure_risk(X, X).dld == 1.0
    released = np.full((30, 2), 7.0)
    assert disclosure_risk(X, released).dld == pytest.approx(1 / 30)


def test_census_is_quick(benchmark_data):
    X, _ = fetch_census().arrays()
    released = masked(own_standardised(X), 5) * X.std(axis=0, ddof=1) + X.mean(axis=0)
    score(X[:50], released[:50])  # compiles
    start = time.process_time()
    result = score(X, released)
    assert time.process_time() - start < 15
    assert result.disclosure.dld < 0.2 and result.disclosure.pld < 0.2
    assert result.information.il2 < 1e-9


def test_bad_choices():
    X = gaussian(5, 3)
    with pytest.raises(ValueError, match="'subsets' parameter must be one of"):
        disclosure_risk(X, X, subsets="some")
    with pytest.raises(ValueError, match="'interval' parameter must be one of"):
        disclosure_risk(X, X, interval="range")
    with pytest.raises(ValueError, match="at least one column"):
        disclosure_risk(X, X, blocks=0)
    with pytest.raises(ValueError, match="'blocks' must hold each of the 3 columns"):
        disclosure_risk(X, X, blocks=[[0, 1]])
