import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from slow_twins import slow_bottom_up
from tables import any_values, gaussian, tables_and_k

from microcell.partition import BottomUp
from microcell.partition._bottom_up import bottom_up_labels


@given(table=tables_and_k(), c=st.integers(1, 5), seed=st.integers(0, 9))
def test_same_cells_as_slow_twin(table, c, seed):
    X, k = table
    rng = np.random.default_rng(seed)
    c = min(c, len(X) // k)  # one part has k records
    parts, turns = rng.integers(0, c, size=len(X)), rng.permutation(len(X))
    parts[: max(0, k - np.bincount(parts).max())] = 0
    if np.bincount(parts).max() < k:
        parts[:] = 0
    labels = bottom_up_labels(X, parts, k, turns)
    assert_array_equal(labels, slow_bottom_up(X, k, parts, turns))


@given(table=tables_and_k(elements=any_values), c=st.sampled_from([None, 2, 1000]))
def test_cells_have_at_least_k_records(table, c):
    X, k = table
    sizes = np.bincount(BottomUp(k, c, random_state=0).fit_predict(X))
    assert sizes.min() >= k


def test_parts_below_k_join_cells_of_the_whole_table():
    X = np.array([[0.0], [1.0], [2.0], [9.0], [10.0], [11.0], [50.0]])
    labels = bottom_up_labels(X, np.array([0, 0, 0, 1, 1, 1, 2]), 3, np.arange(7))
    assert labels.tolist() == [0, 0, 0, 1, 1, 1, 1]


def test_every_record_can_be_drawn_first():
    X = np.array([[0.0], [1.0], [3.0], [6.0], [10.0], [15.0]])
    firsts = set()
    for seed in range(60):
        labels = BottomUp(2, 1, random_state=seed).fit_predict(X)
        firsts.add(tuple(np.flatnonzero(labels == 0)))
    assert firsts == {(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)}


def test_work_in_slices_gives_the_same_cells(monkeypatch):
    X = gaussian(200, 2)
    whole = BottomUp(3, 4, random_state=0).fit_predict(X)
    monkeypatch.setattr("microcell.partition._rounds.VISITS_PER_SLICE", 1)
    assert_array_equal(BottomUp(3, 4, random_state=0).fit_predict(X), whole)


def test_large_parts_go_by_the_index(monkeypatch):
    """Equal records are drawn in any order, not the earlier one first."""
    X = np.round(gaussian(600, 2))
    plain = BottomUp(4, 2, random_state=0).fit_predict(X)
    monkeypatch.setattr("microcell.kernels.free_records.INDEX_FROM", 0)
    assert_array_equal(BottomUp(4, 2, random_state=0).fit_predict(X), plain)


def test_seed_makes_the_cells_the_same_again():
    X = gaussian(100, 2)
    first = BottomUp(3, random_state=1).fit_predict(X)
    assert_array_equal(BottomUp(3, random_state=1).fit_predict(X), first)
    assert not np.array_equal(BottomUp(3, random_state=2).fit_predict(X), first)
    assert not np.array_equal(BottomUp(3).fit_predict(X), BottomUp(3).fit_predict(X))


@pytest.mark.parametrize("random_state", [-1, "seed", 1.5, True])
def test_bad_seed(random_state):
    with pytest.raises(ValueError, match="'random_state' parameter must be None"):
        BottomUp(3, random_state=random_state).fit(gaussian(30, 2))
