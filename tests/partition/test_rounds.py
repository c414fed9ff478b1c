"""An index of the free records gives the same cells as scans."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.hard_tables import KINDS, codes_of, random_tables
from marks import for_each
from numpy.testing import assert_array_equal
from partition.rounds import indexed, of_mdav, of_vmdav, plain, plain_mdav_labels
from tables import any_values, gaussian, tables_and_k

from microcell.kernels import free_records, outposts
from microcell.kernels.codes import split_codes
from microcell.kernels.free_records import fits_float32, index_records
from microcell.partition import MDAV, _rounds

INDEXES = ["tree", "table"]


def assert_same_cells(X, k, **options):
    for pairs_from in (3 * k, 2 * k):
        labels, rows, n_cells = plain(of_mdav, X, k, pairs_from)
        fast_labels, fast_rows, fast_n_cells = indexed(
            of_mdav, X, k, pairs_from, **options
        )
        assert_array_equal(fast_labels, labels)
        assert_array_equal(fast_rows, rows)
        assert fast_n_cells == n_cells


@pytest.mark.parametrize("index", INDEXES)
@given(table=tables_and_k(), batch=st.integers(1, 8))
def test_same_cells_on_small_grids(index, table, batch):
    X, k = table
    assert_same_cells(X, k, index=index, batch=batch, rebuild_from=4)


@pytest.mark.parametrize("index", INDEXES)
@given(table=tables_and_k(elements=any_values), batch=st.integers(1, 8))
def test_same_cells_on_small_tables(index, table, batch):
    X, k = table
    assert_same_cells(X, k, index=index, batch=batch, rebuild_from=4)


@pytest.mark.parametrize("index", INDEXES)
@given(X=random_tables(), k=st.integers(1, 20), batch=st.integers(1, 50))
def test_same_cells_on_tables_of_several_levels(index, X, k, batch):
    if len(X) >= k:
        assert_same_cells(X, k, index=index, batch=batch, rebuild_from=40)


@pytest.mark.parametrize("index", INDEXES)
@given(
    X=random_tables(most_columns=4, kinds=["frequent", "duplicated"]),
    k=st.integers(1, 9),
    batch=st.integers(1, 50),
    n_coded=st.integers(0, 2),
)
def test_same_cells_where_records_are_frequent(index, X, k, batch, n_coded):
    coded = list(range(X.shape[1], X.shape[1] + n_coded))
    table = np.column_stack([X, codes_of(X, n_coded)])
    table, codes = split_codes(table, coded, [1.0, 0.3][:n_coded])
    if len(X) >= k:
        options = {"index": index, "batch": batch, "rebuild_from": 20}
        labels, rows, _ = plain(of_mdav, table, k, 3 * k, codes)
        fast_labels, fast_rows, _ = indexed(of_mdav, table, k, 3 * k, codes, **options)
        assert_array_equal(fast_labels, labels)
        assert_array_equal(fast_rows, rows)


@pytest.mark.parametrize(("rounds", "option"), [(of_mdav, 15), (of_vmdav, 0.2)])
@pytest.mark.parametrize("place", ["middle", "edge"])
def test_frequent_records_cost_no_more_than_others(rounds, option, place, monkeypatch):
    """Else each search looks at all records that are equal: quadratic."""

    def visits(X):
        made = []

        def keep(*arguments, **options):
            made.append(index_records(*arguments, **options))
            return made[-1]

        monkeypatch.setattr(_rounds, "index_records", keep)
        indexed(rounds, X, 5, option, index="tree")
        return sum(int(records.visits[0]) for records in made)

    X = gaussian(12_000, 3)
    mixed = X.copy()
    is_equal = np.random.default_rng(1).random(len(X)) < 0.6
    mixed[is_equal] = 0.0 if place == "middle" else X.max(axis=0)
    assert visits(mixed) < visits(X)


CLUSTERED = ["clustered", "clustered_grid", "facing_clusters", "duplicated"]


@contextmanager
def eager_outposts(cost):
    """Outposts wherever a search has opened more than a few boxes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outposts, "CHEAP", 2)
        patch.setattr(outposts, "COST", cost)
        yield


@given(
    X=random_tables(most_columns=6, kinds=CLUSTERED),
    k=st.integers(1, 8),
    batch=st.integers(1, 50),
    cost=st.sampled_from([0, 5, 50]),
)
def test_same_cells_with_many_outposts(X, k, batch, cost):
    """A short batch also asks the tree for the record farthest from the centre."""
    if len(X) >= k:
        with eager_outposts(cost):
            assert_same_cells(X, k, index="tree", batch=batch, rebuild_from=40)


@for_each("kind", KINDS)
def test_same_cells_with_outposts_on_all_kinds(kind):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = KINDS[kind](rng, int(rng.integers(300, 1000)), int(rng.integers(1, 7)))
        batch, k = int(rng.integers(1, 20)), int(rng.integers(1, 6))
        with eager_outposts(int(rng.integers(0, 30))):
            assert_same_cells(X, k, index="tree", batch=batch, rebuild_from=40)


@pytest.mark.parametrize("index", INDEXES)
@pytest.mark.parametrize("kind", ["around_a_circle", "thirds"])
def test_same_cells_where_rounding_alone_tells_distances_apart(kind, index):
    """Bounds by the triangle inequality hold only with their slack."""
    for seed in range(400):
        rng = np.random.default_rng(seed)
        X = KINDS[kind](rng, int(rng.integers(20, 500)), int(rng.integers(1, 5)))
        options = {"batch": int(rng.integers(1, 20)), "rebuild_from": 40}
        assert_same_cells(X, int(rng.integers(1, 6)), index=index, **options)


@for_each("n", [7, 13, 14, 21])  # k, 2k - 1, 2k, 3k
@for_each("index", INDEXES)
def test_same_cells_where_rounds_end(index, n):
    assert_same_cells(gaussian(n, 3), 7, index=index)


@pytest.mark.parametrize("index", [*INDEXES, "auto"])
def test_work_in_slices_gives_the_same_cells(index):
    X = gaussian(2000, 3)
    assert_same_cells(X, 3, index=index, visits_per_slice=1)


@for_each("kind", KINDS)
def test_path_is_chosen_and_changed_on_the_way(kind):
    X = KINDS[kind](np.random.default_rng(0), 5600, 6)
    assert_same_cells(X, 5)


@pytest.mark.parametrize("leftover", ["last", "nearest"])
def test_estimator_takes_the_indexed_path(monkeypatch, leftover):
    X = np.round(gaussian(998, 4), 1)
    plain = MDAV(3, leftover=leftover).fit_predict(X)
    monkeypatch.setattr(free_records, "INDEX_FROM", 0)
    assert_array_equal(MDAV(3, leftover=leftover).fit_predict(X), plain)


def test_values_too_large_for_the_index(monkeypatch):
    monkeypatch.setattr(free_records, "INDEX_FROM", 0)
    X = gaussian(50, 2) * 1e35
    assert_array_equal(MDAV(3).fit_predict(X), plain_mdav_labels(X, 3))


def test_fits_in_two_threads_give_the_same_cells(monkeypatch):
    monkeypatch.setattr(free_records, "INDEX_FROM", 0)
    X = gaussian(3000, 4)
    with ThreadPoolExecutor(2) as pool:
        labels = list(pool.map(lambda _: MDAV(4).fit_predict(X), range(2)))
    assert_array_equal(labels[0], labels[1])
    assert_array_equal(labels[0], plain_mdav_labels(X, 4))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("d", [2, 5, 8, 13])
def test_same_cells_on_fifty_thousand_records(d, kind):
    X = KINDS[kind](np.random.default_rng(0), 50_000, d)
    assert_array_equal(MDAV(5).fit_predict(X), plain_mdav_labels(X, 5))


def test_differences_whose_squares_underflow():
    """1e-160 squared is among the smallest numbers there are: ties everywhere."""
    X = KINDS["tiny"](np.random.default_rng(0), 50_000, 5)[:8000]
    assert not fits_float32(X)
    for index in INDEXES:
        labels, _, _ = indexed(of_mdav, X, 5, 15, index=index)
        assert_array_equal(labels, plain(of_mdav, X, 5, 15)[0])
    assert fits_float32(np.zeros((3, 2))) and fits_float32(np.eye(3))
