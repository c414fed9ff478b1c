import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.metrics import davies_bouldin_score, silhouette_score
from tables import gaussian, grids

from microcell import METHODS
from microcell.metrics import (
    _group_validity,
    group_davies_bouldin_loss,
    group_silhouette_score,
)


def slow_silhouette(X, groups):
    """The definition, record by record."""
    total = 0.0
    for i, own in enumerate(groups):
        mean = {}
        for group in set(groups):
            others = [j for j, g in enumerate(groups) if g == group and j != i]
            if others:
                mean[group] = np.mean([np.linalg.norm(X[i] - X[j]) for j in others])
        if own not in mean:
            continue  # alone
        a, b = mean.pop(own), min(mean.values())
        total += (b - a) / max(a, b) if max(a, b) > 0 else 0.0
    return total / len(groups)


@given(X=grids(most_rows=20), seed=st.integers(0, 99))
def test_silhouette_is_the_definition(X, seed):
    """On grids full of coincident records, groups of one record among them."""
    groups = np.random.default_rng(seed).integers(0, 4, size=len(X))
    groups[:2] = 0, 1
    expected = slow_silhouette(X, groups.tolist())
    assert group_silhouette_score(X, groups) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("block", [16, 1e-5])
def test_both_are_scikit_learns(block, monkeypatch):
    monkeypatch.setattr(_group_validity, "BLOCK_MIB", block)
    X, groups = gaussian(60, 3), np.arange(60) % 4
    assert group_silhouette_score(X, groups) == pytest.approx(
        silhouette_score(X, groups)
    )
    assert group_davies_bouldin_loss(X, groups) == pytest.approx(
        davies_bouldin_score(X, groups)
    )


@pytest.mark.parametrize("k", [2, 5])
def test_cells_are_perfect_groups_of_their_own_release(k):
    plan = METHODS["mdav"](k)
    X_released = plan.fit_transform(1e6 + gaussian(60, 3))
    assert group_silhouette_score(X_released, plan.labels_) == 1
    found = group_davies_bouldin_loss(X_released, plan.labels_)
    assert found == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("measure", [group_silhouette_score, group_davies_bouldin_loss])
def test_place_and_unit_have_no_say(measure):
    X, groups = gaussian(40, 2), np.array(["a", "b"])[np.arange(40) % 2]
    assert_allclose(measure(1e-9 * X, groups), measure(X, groups))
    assert_allclose(measure(1e6 + X, groups), measure(X, groups), rtol=1e-6)


@pytest.mark.parametrize("measure", [group_silhouette_score, group_davies_bouldin_loss])
def test_groups_at_the_edge(measure):
    assert measure(gaussian(5, 2), np.arange(5)) == 0  # each record a group
    with pytest.raises(ValueError, match="All 5 records are in one group"):
        measure(gaussian(5, 2), np.zeros(5))
    assert measure(np.ones((4, 2)), [0, 0, 1, 1]) == 0  # all at one place
