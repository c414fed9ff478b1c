import numpy as np
import pytest
from figures import percent_lost
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_array_equal
from slow_twins import slow_farthest_pair, slow_top_down
from tables import any_values, gaussian, grids, tables_and_k

import microcell.partition._farthest_pair_kernel as pairs
from microcell._centre import in_range
from microcell.datasets import fetch_census, fetch_eia
from microcell.kernels.distinct import distinct_records
from microcell.partition import TopDown
from microcell.partition._coarse_parts import drawn, kmeans_parts, merge_small_parts
from microcell.partition._farthest_pair_kernel import (
    farthest_pair,
    farthest_pair_at_once,
)
from microcell.partition._top_down import top_down_labels


@given(table=tables_and_k(), c=st.integers(2, 5), seed=st.integers(0, 9))
def test_same_cells_as_slow_twin_in_parts(table, c, seed):
    X, k = table
    parts = np.random.default_rng(seed).integers(0, c, size=len(X))
    parts = merge_small_parts(X, parts, k)
    assert np.bincount(parts).min() >= k
    assert_array_equal(top_down_labels(X, parts, k), slow_top_down(X, k, parts))


@given(
    table=tables_and_k(elements=any_values),
    c=st.sampled_from([None, 1, 2, 5, 1000]),
)
def test_cells_have_k_to_2k_minus_1_records(table, c):
    X, k = table
    sizes = np.bincount(TopDown(k, c, random_state=0).fit_predict(X))
    assert sizes.min() >= k and sizes.max() <= 2 * k - 1


def found_pairs(X):
    """What both searches find, and brute force."""
    classes, first = distinct_records(X)
    seen = np.full(len(first), -1)
    i, j, best, _ = farthest_pair_at_once(X, classes, seen, 1)
    in_slices = farthest_pair(X, classes, seen, 2, 1)
    expected = slow_farthest_pair(X, list(range(len(X))))
    return (i, j), in_slices[:2], expected, best


def sphere(n, d, seed=0):
    X = gaussian(n, d, seed)
    return X / np.linalg.norm(X, axis=1)[:, None]


angles = 2 * np.pi * np.arange(180) / 180
HARD = {
    "sphere": sphere(700, 3),
    "sphere of many columns": sphere(500, 12),
    "circle, all pairs tie": np.column_stack([np.cos(angles), np.sin(angles)]),
    "corners of a cube": np.array(np.meshgrid(*[[0.0, 1.0]] * 9)).reshape(9, -1).T,
    "copies of corners": np.tile([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1, 1]], (99, 1)),
    "triangle, where sweeps can stop early": np.vstack(
        [[[0.0, 0.0], [10.0, 0.0], [5.0, 8.7]], 0.3 * gaussian(300, 2) + [5, 3]]
    ),
    "two clouds": np.vstack([gaussian(200, 4), gaussian(200, 4, 1) + 50]),
    "heavy tails": np.random.default_rng(0).standard_cauchy(size=(400, 3)),
    "one column": gaussian(300, 1),
    "far from zero": 1e9 + gaussian(300, 2),
    "many columns": gaussian(300, 30),
    "equal records": np.ones((50, 3)),
    "line": np.outer(gaussian(300, 1)[:, 0], [1.0, 2.0, -1.0]),
}


@pytest.mark.parametrize("boxes_from", [0, 24, 10**9])
@pytest.mark.parametrize("name", HARD)
def test_farthest_pair_of_hard_tables_equals_brute_force(name, boxes_from, monkeypatch):
    X = np.ascontiguousarray(HARD[name])
    monkeypatch.setattr(pairs, "BOXES_FROM", boxes_from)  # for the search in slices
    at_once, in_slices, expected, _ = found_pairs(X)
    assert at_once == in_slices == expected


@settings(max_examples=400)
@given(X=grids(least_rows=2, most_rows=60, most_columns=4))
def test_farthest_pair_of_grids_equals_brute_force(X):
    at_once, in_slices, expected, _ = found_pairs(X)
    assert at_once == in_slices == expected


def test_equal_records_take_one_pass():
    """Splits would take n^2 / k; a million records would not end."""
    X = np.ones((1_000_000, 1))
    sizes = np.bincount(TopDown(5, 1).fit_predict(X))
    assert sizes.min() == sizes.max() == 5


@pytest.mark.parametrize("k", [1, 2, 5])
def test_work_in_slices_gives_the_same_cells(k, monkeypatch):
    X = gaussian(300, 2)
    X[40:70] = 0.5
    whole = TopDown(k, 1).fit_predict(X)
    monkeypatch.setattr("microcell.partition._top_down.VISITS_PER_SLICE", 1)
    assert_array_equal(TopDown(k, 1).fit_predict(X), whole)
    monkeypatch.setattr("microcell.partition._top_down.MAX_PART_WITHOUT_SLICES", 25)
    assert_array_equal(TopDown(k, 1).fit_predict(X), whole)


@pytest.mark.parametrize("factor", [1e-180, 1e300])
def test_squares_neither_overflow_nor_underflow(factor):
    X = gaussian(60, 2)
    scaled = np.ldexp(X, int(np.log2(factor)))
    assert np.abs(in_range(scaled)).max() < 10
    assert_array_equal(TopDown(3).fit_predict(scaled), TopDown(3).fit_predict(X))


CENSUS = {3: 8.93, 4: 10.99, 5: 12.10, 10: 17.18}
EIA = {3: 1.24, 4: 1.71, 5: 2.07, 10: 4.50}


@pytest.mark.parametrize(
    ("fetch", "figures"), [(fetch_census, CENSUS), (fetch_eia, EIA)]
)
def test_published_losses(benchmark_data, fetch, figures):
    X, _ = fetch().arrays()
    found = {k: round(percent_lost(X, TopDown(k, 1)), 2) for k in figures}
    assert found == figures


def test_parts_below_k_are_merged_into_the_nearest():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [90.0], [91.0], [92.0], [95.0]])
    parts = merge_small_parts(X, np.array([0, 0, 0, 0, 1, 2, 2, 2]), 3)
    assert parts.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


def test_parts_are_those_of_clusters():
    X = np.vstack([gaussian(40, 2) + 100 * corner for corner in range(5)])
    parts = kmeans_parts(X, 5, np.random.default_rng(0))
    assert len(np.unique(parts)) == 5
    assert all(len(np.unique(part)) == 1 for part in parts.reshape(5, 40))


def test_parts_of_a_large_table_come_from_a_sample(monkeypatch):
    monkeypatch.setattr("microcell.partition._coarse_parts.CENTRES_FROM", 60)
    monkeypatch.setattr("microcell.partition._coarse_parts.RECORDS_AT_ONCE", 70)
    X = np.vstack([gaussian(1000, 2) + 100 * corner for corner in range(2)])
    parts = kmeans_parts(X, 2, np.random.default_rng(0))
    assert np.bincount(parts).tolist() == [1000, 1000]


def test_seed_makes_the_parts_the_same_again():
    X = gaussian(400, 2)
    first = TopDown(3, 8, random_state=1).fit_predict(X)
    assert_array_equal(TopDown(3, 8, random_state=1).fit_predict(X), first)
    assert not np.array_equal(TopDown(3, 8, random_state=2).fit_predict(X), first)


def test_small_tables_are_split_as_a_whole_and_need_no_seed():
    X = gaussian(500, 2)
    assert_array_equal(TopDown(3).fit_predict(X), TopDown(3, 1).fit_predict(X))


@for_each("c", [0, -1, 2.5, "two", True])
def test_bad_number_of_parts(c):
    with pytest.raises(ValueError, match="'c' parameter must be an integer >= 1"):
        TopDown(3, c).fit(gaussian(30, 2))


def test_roulette_by_distance_draws_what_is_far_less_often_than_by_squares():
    """From 0 the next centre is 1 or 3: in 3 of 4 draws 3, by squares in 9 of 10."""
    X = np.array([[0.0], [1.0], [3.0]])
    found = []
    for seed in range(2000):
        first, second = drawn(X, 2, np.random.default_rng(seed)).ravel()
        if first == 0:
            found.append(second == 3)
    assert np.mean(found) == pytest.approx(0.75, abs=0.05)


def test_roulette_by_distance_gives_parts():
    X = np.repeat(gaussian(30, 2), 2, axis=0)
    for roulette in ("squared", "distance"):
        cells = TopDown(3, c=5, roulette=roulette, random_state=0).fit_predict(X)
        assert np.bincount(cells).min() >= 3
    with pytest.raises(ValueError, match="roulette"):
        TopDown(3, c=5, roulette="cube").fit(X)
