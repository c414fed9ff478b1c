import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from marks import for_each
from numpy.testing import assert_allclose, assert_array_equal
from slow_twins import slow_epoch, slow_nearest_units
from tables import any_values, gaussian, grids, tables_and_k

from microcell._centre import centred_and_small
from microcell.embed import SelfOrganisingMap
from microcell.embed._self_organising_map import Grid, map_shape, on_main_plane
from microcell.kernels import nearest_units as kernel
from microcell.kernels.nearest_units import nearest_units, scanned_units

sides = st.tuples(st.integers(1, 5), st.integers(1, 8))


def noisy_ring(n, seed=0):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, n)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    return ring + rng.normal(scale=0.05, size=(n, 2))


def topographic_error(som, X):
    """Share of records whose two nearest units are not neighbours on the grid."""
    distances = ((X[:, None] - som.prototypes_) ** 2).sum(axis=2)
    two = np.argsort(distances, axis=1, kind="stable")[:, :2]
    rows, columns = np.divmod(two, som.shape_[1])
    apart = np.maximum(abs(np.diff(rows)), abs(np.diff(columns)))
    return float(np.mean(apart > 1))


@given(X=grids(), units=grids(most_rows=50))
def test_nearest_unit_is_the_first_of_the_nearest(X, units):
    units = np.resize(units, (len(units), X.shape[1]))
    for find in (nearest_units, scanned_units):
        nearest, distances = find(X, units)
        assert_array_equal(nearest, slow_nearest_units(X, units))
        assert_array_equal(distances, ((X - units[nearest]) ** 2).sum(axis=1))


@given(
    X=arrays(float, (20, 3), elements=any_values),
    exponent=st.sampled_from([-600, -30, 0, 40, 600]),
    seed=st.integers(0, 9),
)
def test_products_of_matrices_find_the_same_units(X, exponent, seed):
    rng = np.random.default_rng(seed)
    units = X[rng.integers(0, 20, 40)] * (1 + 1e-15 * rng.integers(-3, 4, (40, 3)))
    X, units = np.ldexp(X, exponent), np.ldexp(units, exponent)
    with np.errstate(over="ignore", invalid="ignore"):
        found, scanned = nearest_units(X, units), scanned_units(X, units)
    assert_array_equal(found[0], scanned[0])
    assert_array_equal(found[1], scanned[1])


@given(X=grids(), shape=sides, radius=st.sampled_from([0.5, 1.0, 3.0]))
def test_an_epoch_is_that_of_the_slow_twin(X, shape, radius):
    units = np.resize([0.5, -1.0, 2.0, 0.0, 7.0], (shape[0] * shape[1], X.shape[1]))
    nearest, _ = nearest_units(X, units)
    moved = Grid(shape, radius).weighted_means(X, nearest, units)
    assert_allclose(moved, slow_epoch(X, units, shape, radius), atol=1e-12)


def test_training_is_epochs_with_a_shrinking_radius():
    X = gaussian(60, 3)
    som = SelfOrganisingMap((3, 4), n_epochs=6, radius=(2.0, 0.5)).fit(X)
    small, exponent = centred_and_small(X)
    units = np.ldexp(on_main_plane(small, (3, 4)), exponent) + X.mean(axis=0)
    for radius in np.geomspace(2.0, 0.5, 6):
        units = slow_epoch(X, units, (3, 4), radius)
    assert_allclose(som.prototypes_, units, atol=1e-9)
    assert_array_equal(som.labels_, slow_nearest_units(X, som.prototypes_))


@pytest.mark.parametrize("n", [200, 500, 2000])
def test_map_of_a_noisy_ring_keeps_neighbours(n):
    X = noisy_ring(n)
    assert topographic_error(SelfOrganisingMap((1, 30)).fit(X), X) < 0.1
    # A sheet has to fold to cover a line; it still keeps most neighbours.
    assert topographic_error(SelfOrganisingMap().fit(X), X) < 0.2


@given(table=tables_and_k(elements=any_values), shape=sides)
def test_quantisation_error_falls_with_a_fixed_small_neighbourhood(table, shape):
    # Units without neighbours are k-means, of which it is a theorem; a wide
    # neighbourhood pulls units away from their own records, and then it is none.
    errors = SelfOrganisingMap(shape, n_epochs=8, radius=(0.05, 0.05)).fit(table[0])
    errors = errors.quantisation_errors_
    assert (np.diff(errors) <= 1e-9 * errors[0]).all()


def test_quantisation_error_falls_fast_with_a_fixed_wide_neighbourhood():
    som = SelfOrganisingMap(n_epochs=4, radius=(1.0, 1.0)).fit(noisy_ring(500))
    assert (np.diff(som.quantisation_errors_) < 0).all()


@given(table=tables_and_k(elements=any_values))
def test_any_table_has_a_map(table):
    X, _ = table
    som = SelfOrganisingMap(n_epochs=3).fit(X)
    assert np.isfinite(som.prototypes_).all()
    assert_array_equal(som.predict(X), som.labels_)
    low, high = X.min(axis=0), X.max(axis=0)
    slack = 1e-9 * (1 + abs(X).max())
    used = som.prototypes_[som.labels_]
    assert (used >= low - slack).all() and (used <= high + slack).all()


def test_slices_and_threads_change_nothing(monkeypatch):
    X = gaussian(300, 4)
    labels = SelfOrganisingMap().fit(X).labels_
    monkeypatch.setattr(kernel, "DISTANCES_AT_ONCE", 500)
    monkeypatch.setattr(kernel, "PRODUCTS_AT_ONCE", 500)
    assert_array_equal(SelfOrganisingMap().fit(X).labels_, labels)


@pytest.mark.parametrize("factor", [2.0**-900, 2.0**900])
def test_scale_of_the_table_changes_nothing(factor):
    X = gaussian(100, 3)
    som = SelfOrganisingMap().fit(X * factor)
    assert_array_equal(som.labels_, SelfOrganisingMap().fit(X).labels_)
    assert_array_equal(som.predict(X * factor), som.labels_)


def test_size_follows_the_rule():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3)) * [4.0, 1.0, 0.1]
    X -= X.mean(axis=0)
    short, long = map_shape(X)
    assert abs(short * long - 100) <= short
    assert abs(long / short - 4) < 1
    line = np.column_stack([X[:, 0], np.zeros(400)])
    assert map_shape(line) == (10, 10)  # the ratio of a line would be infinite
    assert map_shape(np.zeros((1, 2))) == (2, 2)
    assert map_shape(np.ones((9, 1)) * np.arange(9)[:, None] - 4.0) == (4, 4)


@for_each(
    ("parameters", "name"),
    [
        ({"shape": 5}, "shape"),
        ({"shape": (2, 3, 4)}, "shape"),
        ({"shape": (0, 4)}, "shape"),
        ({"n_epochs": 0}, "n_epochs"),
        ({"radius": 1.0}, "radius"),
        ({"radius": (None, 0)}, "radius"),
        ({"radius": (-1.0, 0.5)}, "radius"),
    ],
)
def test_bad_parameters(parameters, name):
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        SelfOrganisingMap(**parameters).fit(gaussian(20, 2))
