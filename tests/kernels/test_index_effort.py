"""What the index looks at, counted: right answers alone do not show a lost bound."""

import numpy as np
import pytest
from kernels.hard_tables import KINDS
from numpy.linalg import norm

from microcell.kernels.box_queries import farthest_in_tree, nearest_in_tree
from microcell.kernels.box_tree import LANES, make_box_tree
from microcell.kernels.codes import no_codes
from microcell.kernels.free_records import (
    farthest_record,
    hide,
    index_records,
    nearest_records,
    tighten,
)
from microcell.kernels.outposts import count_search

POINTS = range(0, 4000, 97)


def table(kind, d=3):
    return KINDS[kind](np.random.default_rng(0), 4000, d)


def visits(X):
    """Boxes and leaves that searches from some of the records open."""
    tree = make_box_tree(X, X.mean(axis=0))
    near, rows = np.empty(5), np.empty(5, dtype=np.int32)
    farthest = [farthest_in_tree(tree, X[row])[1] for row in POINTS]
    leaves = [tree.place[row] // LANES for row in POINTS]
    nearest = [
        nearest_in_tree(tree, X[row], leaf, near, rows)
        for row, leaf in zip(POINTS, leaves, strict=True)
    ]
    return farthest, nearest


@pytest.mark.parametrize("kind", ["gaussian", "clustered", "on_a_sphere"])
def test_bounds_are_as_good_at_any_scale(kind):
    """A power of two changes no digit, so it changes no bound either."""
    X = table(kind)
    assert visits(X * 2.0**-30) == visits(X) == visits(X * 2.0**30)


def test_searches_open_few_of_the_boxes():
    farthest, nearest = visits(table("gaussian"))
    n_leaves = 4000 // LANES
    assert np.mean(farthest) < n_leaves / 10
    assert np.mean(nearest) < n_leaves / 10


def test_the_ball_around_a_pivot_spares_boxes_of_a_sphere():
    """Corners of boxes lie far outside of a sphere; the balls do not."""
    farthest, _ = visits(table("on_a_sphere", d=5))
    assert np.mean(farthest) < 4000 // LANES / 10  # without them more than a third


def test_an_outpost_spares_boxes_of_a_distant_cluster():
    """Seen from one cluster, the far side of another is about equally far."""
    rng = np.random.default_rng(0)
    here = rng.normal(size=(200, 4)) / 100
    there = rng.normal(size=(20_000, 4)) / 10 + [1, 0, 0, 0]
    there *= rng.uniform(9.9, 10, size=(20_000, 1)) / norm(there, axis=1, keepdims=True)
    X = np.vstack([here, there])
    tree = make_box_tree(X, X.mean(axis=0))
    tree = tree._replace(outposts=tree.outposts._replace(cost=10**9))  # none of its own
    without = [farthest_in_tree(tree, point) for point in here]
    count_search(tree.outposts._replace(cost=0), np.zeros(4), 10**6)
    with_one = [farthest_in_tree(tree, point) for point in here]
    assert np.mean([visits for _, visits in with_one]) < (
        np.mean([visits for _, visits in without]) / 4
    )
    assert [row for row, _ in with_one] == [row for row, _ in without]


def test_an_outpost_knows_what_leaves():
    """Records that leave are not looked for again."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 3))
    records = index_records(X, X.mean(axis=0), no_codes(3), use_tree=True)
    point = X[7]
    count_search(records.tree.outposts._replace(cost=0), point, 10**6)
    efforts = []
    for _ in range(300):
        row, visits = farthest_in_tree(records.tree, point)
        hide(records, row)
        tighten(records, np.array([row]))
        efforts.append(visits)
    assert np.mean(efforts[1:]) < 6  # a path of four, seldom more; 30 without it


@pytest.mark.parametrize("use_tree", [True, False])
def test_effort_is_counted_in_records(use_tree):
    X = table("gaussian")
    records = index_records(X, X.mean(axis=0), no_codes(X.shape[1]), use_tree=use_tree)
    near, rows = np.empty(5), np.empty(5, dtype=np.int32)
    leaf = records.tree.place[7] // LANES if use_tree else 0
    farthest = LANES * farthest_in_tree(records.tree, X[7])[1] if use_tree else 4000
    farthest_record(records, 7)
    assert records.visits.tolist() == [farthest, 0]
    nearest_records(records, 7, near, rows)
    nearest = 4000
    if use_tree:
        nearest = LANES * nearest_in_tree(records.tree, X[7], leaf, near, rows)
    assert records.visits.tolist() == [farthest + nearest, 1]
