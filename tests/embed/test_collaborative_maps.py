import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import StandardScaler
from slow_twins import grid_weights, slow_taught
from tables import gaussian, grids

from microcell.embed import CollaborativeMaps, ColumnScaler, SelfOrganisingMap
from microcell.embed._collaborative_maps import (
    View,
    column_views,
    davies_bouldin,
    taught,
)
from microcell.embed._self_organising_map import Grid

SHAPE = (3, 4)


def random_view(X, seed):
    return View(X, np.random.default_rng(seed).normal(size=(12, X.shape[1])))


@given(
    tables=st.lists(grids(20, 20), min_size=2, max_size=3),
    radius=st.sampled_from([0.5, 1.5]),
    beta=st.sampled_from([0.1, 1.0, 5.0]),
)
def test_a_pass_is_that_of_the_slow_twin(tables, radius, beta):
    views = [random_view(X, seed) for seed, X in enumerate(tables)]
    own, others = views[0], views[1:]
    moved = taught(own, others, Grid(SHAPE, radius), beta)
    nearest = [other.nearest for other in others]
    expected = slow_taught(own.table, own.nearest, nearest, SHAPE, radius, beta)
    assert_allclose(moved, expected, atol=1e-9)


@given(X=grids())
def test_davies_bouldin_index_is_its_definition(X):
    view = random_view(X, 0)
    used = np.unique(view.nearest)
    spread = {
        unit: np.mean(
            np.linalg.norm(X[view.nearest == unit] - view.units[unit], axis=1)
        )
        for unit in used
    }
    worst = []
    for a in used:
        ratios = [0.0]
        for b in used:
            apart = np.linalg.norm(view.units[a] - view.units[b])
            if apart > 0:
                ratios.append((spread[a] + spread[b]) / apart)
        worst.append(max(ratios))
    assert view.index == pytest.approx(np.mean(worst))


def test_units_at_the_same_place_do_not_count():
    units = np.array([[0.0], [0.0], [4.0]])
    nearest = np.array([0, 1, 2])
    assert davies_bouldin(np.array([1.0, 1.0, 1.0]), nearest, units) == 0.5


def clusters(seed):
    rng = np.random.default_rng(seed)
    return (3 * rng.normal(size=(4, 4)))[rng.integers(0, 4, 200)] + rng.normal(
        size=(200, 4)
    )


def test_a_collaboration_is_kept_only_if_the_index_falls():
    kept = rejected = 0
    for seed in range(12):
        maps = CollaborativeMaps(beta=0.1, shape=(2, 2)).fit(clusters(seed))
        for found in maps.davies_bouldin_:
            assert (np.diff(found) < 0).all()
            kept += len(found) - 1
        rejected += maps.n_rejected_
    assert kept > 0 and rejected > 0


def test_kept_maps_are_those_of_the_passes():
    for seed in range(12):
        X = clusters(seed)
        maps = CollaborativeMaps(beta=0.1, shape=(2, 2)).fit(X)
        alone = [SelfOrganisingMap((2, 2)).fit(X[:, view]) for view in maps.views_]
        for one, found, units in zip(
            alone, maps.davies_bouldin_, maps.prototypes_, strict=True
        ):
            stayed = np.array_equal(one.prototypes_, units)
            assert stayed == (len(found) == 1)


def test_without_others_or_weight_maps_are_trained_alone():
    X = gaussian(80, 4)
    for maps in (CollaborativeMaps(1), CollaborativeMaps(beta=0.0)):
        coded = maps.fit_transform(X)
        for view, units in zip(maps.views_, maps.prototypes_, strict=True):
            som = SelfOrganisingMap(maps.shape_).fit(X[:, view])
            assert_array_equal(units, som.prototypes_)
            assert_array_equal(coded[:, view], som.prototypes_[som.labels_])


def test_order_of_views_changes_nothing():
    X = gaussian(100, 4)
    one = CollaborativeMaps([[0, 1], [2, 3]], beta=0.1).fit_transform(X)
    other = CollaborativeMaps([[2, 3], [0, 1]], beta=0.1).fit_transform(X)
    assert_allclose(one, other[:, [2, 3, 0, 1]])


def test_mixture_is_the_weighted_mean_of_prototypes():
    X = gaussian(80, 4)
    maps = CollaborativeMaps(code="mixture", shape=SHAPE)
    coded = maps.fit_transform(X)
    weights = grid_weights(SHAPE, 0.5)[maps.labels_[:, 0]]
    expected = weights @ maps.prototypes_[0] / weights.sum(axis=1, keepdims=True)
    assert_allclose(coded[:, :2], expected)


def test_each_view_is_scaled_by_itself():
    X = gaussian(80, 4) * [1.0, 100.0, 1e6, 1e-3] + 5
    scaled = CollaborativeMaps(scale=StandardScaler()).fit_transform(X)
    by_hand = CollaborativeMaps().fit_transform(StandardScaler().fit_transform(X))
    assert_allclose(scaled, by_hand)


def test_categories_stay_in_the_view_of_their_column():
    X = np.column_stack([np.arange(60) % 3, gaussian(60, 3)])
    maps = CollaborativeMaps([[1, 0], [2, 3]], scale=ColumnScaler(nominal=[0]))
    coded = maps.fit_transform(X)
    assert [units.shape[1] for units in maps.prototypes_] == [1 + 3, 2]
    assert_array_equal(maps.transform(X), coded)


@pytest.mark.parametrize("factor", [2.0**-900, 2.0**900])
def test_scale_of_the_table_changes_nothing(factor):
    X = gaussian(80, 4)
    maps = CollaborativeMaps().fit(X * factor)
    assert_array_equal(maps.labels_, CollaborativeMaps().fit(X).labels_)


def test_views_are_blocks_in_column_order():
    assert column_views(3, 7) == [[0, 1, 2], [3, 4], [5, 6]]
    assert column_views(5, 2) == [[0], [1]]  # no more than there are columns


def test_views_by_name():
    maps = CollaborativeMaps([["bmi", "age"], ["sex"]])
    maps.name_columns(["age", "sex", "bmi"])
    assert maps.views == [[2, 0], [1]]
    maps = CollaborativeMaps([("bmi", "age"), "sex"])
    maps.name_columns(["age", "sex", "bmi"])
    assert maps.views == [[2, 0], [1]]
    with pytest.raises(ValueError, match="'height', which is no quasi-identifier"):
        CollaborativeMaps([["height"], ["age"]]).name_columns(["age", "bmi"])


@for_each(
    ("parameters", "name"),
    [
        ({"views": 0}, "views"),
        ({"views": True}, "views"),
        ({"views": [[0, 1], [1, 2]]}, "views"),
        ({"views": [[0, 1, 2], []]}, "views"),
        ({"views": [["age"], [1, 2]]}, "views"),
        ({"beta": -1}, "beta"),
        ({"code": "bmu"}, "code"),
    ],
)
def test_bad_parameters(parameters, name):
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        CollaborativeMaps(**parameters).fit(gaussian(20, 3))
