"""The best partition made of cells that were met."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from refine.small_cells import as_sets, cells_of, slow_sse

from microcell.kernels.codes import no_codes
from microcell.kernels.distinct import distinct_records
from microcell.refine import _pool
from microcell.refine._pool import Pool
from microcell.refine._splitting import split_large

# Each half of the records is grouped well by one partition and badly by the other.
X = np.array([[0.0], [1.0], [10.0], [11.0], [20.0], [21.0], [30.0], [31.0]])
FIRST_GOOD = np.array([0, 0, 1, 1, 2, 3, 2, 3])
LAST_GOOD = np.array([0, 1, 0, 1, 2, 2, 3, 3])


def pool_of(*partitions, X=X):
    pool = Pool(distinct_records(X)[0])
    for labels in partitions:
        pool.add(cells_of(X, no_codes(1), labels, 2))
    return pool


def test_the_good_halves_of_two_partitions():
    best = pool_of(FIRST_GOOD, LAST_GOOD).best_partition(nodes=50)
    assert as_sets(best) == as_sets(np.arange(8) // 2)
    for labels in (FIRST_GOOD, LAST_GOOD):
        assert slow_sse(X, no_codes(1), best) < slow_sse(X, no_codes(1), labels)


def test_one_partition_is_the_best_of_itself():
    best = pool_of(FIRST_GOOD).best_partition(seconds=5)
    assert as_sets(best) == as_sets(FIRST_GOOD)
    assert_array_equal(np.unique(best), np.arange(4))


def test_equal_records_cost_nothing():
    equal = np.ones((8, 1))
    pool = pool_of(FIRST_GOOD, LAST_GOOD, X=equal)
    assert len(pool.costs) == 1  # of two records that are all alike
    assert_array_equal(np.bincount(pool.best_partition(nodes=50)), [2, 2, 2, 2])


def test_some_equal_records():
    some = np.array([[0.0], [0.0], [0.0], [5.0], [5.0], [9.0], [9.0], [9.0]])
    first, second = (
        np.array([0, 1, 2, 0, 1, 2, 3, 3]),
        np.array([0, 0, 1, 1, 2, 2, 3, 3]),
    )
    best = pool_of(first, second, X=some).best_partition(nodes=50)
    assert np.bincount(best).tolist() == [2, 2, 2, 2]
    assert slow_sse(some, no_codes(1), best) == slow_sse(some, no_codes(1), second)


def test_a_full_pool_begins_anew(monkeypatch):
    monkeypatch.setattr(_pool, "MAX_POOLED_CELLS", 3)
    best = pool_of(FIRST_GOOD, LAST_GOOD).best_partition(nodes=50)
    assert as_sets(best) == as_sets(LAST_GOOD)


@pytest.mark.parametrize("k", [2, 3])
def test_only_large_cells_are_split(k):
    rng = np.random.default_rng(0)
    table = rng.normal(size=(60, 2))
    labels = np.repeat([5, 3, 9, 7], [k, 2 * k - 1, 2 * k, 61 - 5 * k])[:60]
    split = split_large(table, no_codes(2), labels, k)
    assert np.bincount(split).min() >= k and np.bincount(split).max() <= 2 * k - 1
    for label in (5, 3):
        assert frozenset(np.flatnonzero(labels == label)) in as_sets(split)
    for cell in as_sets(split):  # no record came to another cell
        assert len(set(labels[sorted(cell)])) == 1
