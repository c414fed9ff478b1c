"""The tree of cuts: balanced, deterministic, and joined where leaves are small."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.embed import StandardScale
from microcell.pipeline._cuts import learn_cuts

TABLES = st.integers(1, 3).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(0, 4), min_size=width, max_size=width),
        min_size=1,
        max_size=60,
    )
)


def slow_leaf(tree, z):
    node = 0 if len(tree.column) else -1
    while node >= 0:
        right = z[tree.column[node]] > tree.threshold[node]
        node = tree.children[node][int(right)]
    return -1 - node


@given(TABLES, st.integers(1, 9))
def test_every_record_has_its_leaf(rows, n_shards):
    Z = np.array(rows, dtype=np.float64)
    tree = learn_cuts(Z, np.ones(len(Z)), n_shards)
    leaves = tree.leaves(Z)
    assert leaves.tolist() == [slow_leaf(tree, z) for z in Z]
    n_distinct = len(np.unique(Z, axis=0))
    assert tree.n_leaves <= min(n_shards, n_distinct)
    assert set(leaves) == set(range(tree.n_leaves))  # none is empty


@pytest.mark.parametrize("n_shards", [2, 3, 7, 40])
def test_leaves_of_a_cloud_have_about_the_same_records(n_shards):
    Z = np.random.default_rng(0).normal(size=(20_000, 3))
    tree = learn_cuts(Z, np.ones(len(Z)), n_shards)
    counts = np.bincount(tree.leaves(Z))
    assert len(counts) == n_shards
    assert counts.min() > 0.8 * counts.mean()


def test_weights_count_as_records():
    Z = np.array([[0.0], [1.0], [2.0], [3.0]])
    tree = learn_cuts(Z, np.array([30.0, 1.0, 1.0, 28.0]), 2)
    assert tree.leaves(Z).tolist() in ([0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1])
    assert learn_cuts(Z, np.array([1.0, 1.0, 1.0, 97.0]), 2).leaves(Z).tolist() == [
        0,
        0,
        0,
        1,
    ]


def test_the_widest_column_is_cut_first():
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(500, 2)) * [1, 5]
    assert learn_cuts(Z, np.ones(500), 2).column.tolist() == [1]


def test_a_column_of_codes_counts_by_its_unit():
    rng = np.random.default_rng(1)
    Z = np.column_stack([rng.normal(size=500) * 0.1, rng.integers(0, 4, 500)])
    assert learn_cuts(Z, np.ones(500), 2, [1], [1.0]).column.tolist() == [1]
    assert learn_cuts(Z, np.ones(500), 2, [1], [1e-4]).column.tolist() == [0]


@given(TABLES, st.integers(2, 9), st.integers(1, 30))
def test_small_leaves_are_joined(rows, n_shards, least):
    Z = np.array(rows, dtype=np.float64)
    tree = learn_cuts(Z, np.ones(len(Z)), n_shards)
    counts = np.bincount(tree.leaves(Z), minlength=tree.n_leaves)
    shards = tree.join(lambda leaves: counts[leaves].sum() >= least)
    sizes = np.bincount(shards, weights=counts)
    assert (sizes >= min(least, len(Z))).all()
    assert sorted(set(shards)) == list(range(shards.max() + 1))
    untouched = tree.join(lambda leaves: True)
    assert untouched.tolist() == list(range(tree.n_leaves))


@given(st.lists(st.integers(0, 4), min_size=2, max_size=9), st.floats(0, 0.5))
def test_leaves_are_joined_until_all_can_be_shards(ill, most):
    """As in t-closeness, what can and what cannot may together be what cannot."""
    Z = np.arange(float(len(ill)))[:, None]
    tree = learn_cuts(Z, np.ones(len(ill)), len(ill))
    ill = np.array(ill)

    def keep(leaves):  # the share of ill in them is near that of all
        return abs(ill[leaves].mean() - ill.mean()) <= most

    shards = tree.join(keep)
    groups = [np.flatnonzero(shards == shard).tolist() for shard in set(shards)]
    assert len(groups) == 1 or all(map(keep, groups))


@pytest.mark.parametrize("unit", [1e-3, 0.0254, 1 / 3, 1e9])
def test_no_unit_of_measurement_decides_between_equal_columns(unit):
    """Every column of standardised records has a variance of 1 but for rounding."""
    X = np.random.default_rng(2).integers(0, 50, (400, 6)).astype(float)
    X = np.hstack([X, X[::-1]])  # as wide, in another order
    trees = [
        learn_cuts(StandardScale().fit_transform(X * scale), np.ones(400), 16)
        for scale in (np.ones(12), np.where(np.arange(12) % 2, unit, 1))
    ]
    assert trees[0].column.tolist() == trees[1].column.tolist()
    assert trees[0].column[0] == 0
