import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from slow_twins import slow_empty_small_units, slow_nearest_units
from tables import any_values, gaussian, grids, tables_and_k

from microcell.embed import CollaborativeMaps, SelfOrganisingMap
from microcell.partition import CTCA, KTCA
from microcell.partition._ctca import empty_small_units


@given(X=grids(), k=st.integers(1, 6))
def test_small_units_are_emptied_as_in_the_slow_twin(X, k):
    k = min(k, len(X))
    units = np.resize([0.5, -1.0, 2.0, 0.0, -2.5], (9, X.shape[1]))
    nearest = slow_nearest_units(X, units)
    found = nearest.copy()
    empty_small_units(X, units, found, k)
    assert found.tolist() == slow_empty_small_units(X, units, nearest, k)


@given(table=tables_and_k(elements=any_values))
def test_cells_have_at_least_k_records(table):
    X, k = table
    for part in (KTCA(k, n_epochs=2), CTCA(k, n_epochs=2)):
        part.fit(X)
        assert np.bincount(part.labels_).min() >= k
        assert len(set(part.cell_units_.tolist())) == part.n_cells_


def test_cells_are_the_units_of_a_map_of_coded_views():
    X = gaussian(120, 4)
    part = KTCA().fit(X)
    coded = CollaborativeMaps().fit_transform(X)
    units = SelfOrganisingMap().fit(coded).labels_
    assert_array_equal(part.cell_units_[part.labels_], units)
    assert_array_equal(KTCA(views=None).fit(coded).labels_, part.labels_)


def test_constrained_cells_start_from_mixtures():
    X = gaussian(120, 4)
    part = CTCA(4).fit(X)
    coded = CollaborativeMaps(code="mixture").fit_transform(X)
    som = SelfOrganisingMap().fit(coded)
    expected = slow_empty_small_units(coded, som.prototypes_, som.labels_, 4)
    assert part.cell_units_[part.labels_].tolist() == expected


def test_k_is_found_or_asked_for():
    X = gaussian(200, 3)
    found = KTCA().fit(X)
    assert not found.promises_k and found.k == 1
    assert np.bincount(found.labels_).min() < 4  # so there is something to merge
    asked = KTCA(4).fit(X)
    assert asked.promises_k and np.bincount(asked.labels_).min() >= 4
    # Cells are merged whole.
    pairs = np.unique(np.column_stack([found.labels_, asked.labels_]), axis=0)
    assert len(pairs) == found.n_cells_


def test_a_merged_cell_has_the_place_of_its_largest_unit():
    X = gaussian(200, 3)
    found, asked = KTCA().fit(X), KTCA(6).fit(X)
    sizes = np.bincount(found.labels_)
    for cell in range(asked.n_cells_):
        parts = np.unique(found.labels_[asked.labels_ == cell])
        place = np.flatnonzero(found.cell_units_ == asked.cell_units_[cell])[0]
        assert place in parts and sizes[place] == sizes[parts].max()


def test_a_larger_map_has_smaller_cells():
    X = gaussian(400, 3)
    assert (
        CTCA(3, shape=(9, 12)).fit(X).n_cells_ > CTCA(3, shape=(3, 4)).fit(X).n_cells_
    )


def test_groups_that_are_far_apart_are_not_mixed():
    X = np.vstack([gaussian(30, 2), gaussian(30, 2, seed=1) + 1000])
    for part in (KTCA(5), CTCA(5)):
        labels = part.fit(X).labels_
        assert not set(labels[:30]) & set(labels[30:])


@pytest.mark.parametrize("part", [KTCA, CTCA])
def test_squares_out_of_range(part):
    X = gaussian(80, 4)
    for factor in (2.0**-900, 2.0**900):
        assert_array_equal(part(3).fit(X * factor).labels_, part(3).fit(X).labels_)


@pytest.mark.parametrize("k", [0, 1.5, "two"])
def test_bad_min_k(k):
    with pytest.raises(ValueError, match="must be an integer >= 1"):
        KTCA(k).fit(gaussian(20, 2))


@pytest.mark.parametrize("part", [KTCA, CTCA])
def test_a_weight_of_views_needs_views(part):
    with pytest.raises(ValueError, match="without views no maps collaborate"):
        part(3, views=None, beta=2.0).fit(gaussian(20, 2))
