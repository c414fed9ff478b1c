"""Code columns against the same table with a coordinate for each code."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.hard_tables import codes_of, random_tables
from marks import for_each
from numpy.testing import assert_allclose, assert_array_equal
from partition.rounds import indexed, of_mdav, of_vmdav, plain
from slow_twins import Coded, slow_mdav, slow_vmdav
from tables import gaussian, tables_and_k

from microcell.embed import Mismatch
from microcell.kernels.codes import (
    Codes,
    centre_of,
    distance_of_centres,
    distances_to_centre,
    split_codes,
    sum_of_records,
    with_codes,
)
from microcell.kernels.codes import distance_to_centre as to_centre
from microcell.partition import MDAV, VMDAV

PARTS = [MDAV(4), MDAV(3, leftover="nearest"), VMDAV(3), VMDAV(3, gamma=1.1)]


def mixed(n, seed, n_measured=2, n_codes=(2, 5, 30)):
    """Measures without ties, and codes."""
    rng = np.random.default_rng(seed)
    coded = [rng.integers(0, count, n) for count in n_codes]
    return np.column_stack([rng.normal(size=(n, n_measured)), *coded]).astype(float)


def expanded(X, n_measured=2):
    return np.hstack([X[:, :n_measured], Mismatch().fit_transform(X[:, n_measured:])])


@for_each("n", [4, 7, 8, 11, 12, 60, 500])
@for_each("part", PARTS)
def test_same_cells_as_with_a_coordinate_for_each_code(part, n):
    for seed in range(5):
        X = mixed(n, seed)
        part.set_params(categorical_features=None)
        expected = part.fit_predict(expanded(X))
        part.set_params(categorical_features=[2, 3, 4], mismatch_units=None)
        assert_array_equal(part.fit_predict(X), expected)


@given(table=tables_and_k(), n_measured=st.integers(0, 3))
def test_same_cells_as_the_slow_twins(table, n_measured):
    X, k = table
    coded = list(range(min(n_measured, X.shape[1]), X.shape[1]))
    twin = Coded(X, X.shape[1] - len(coded))
    labels = MDAV(k, categorical_features=coded).fit_predict(X)
    assert_array_equal(labels, slow_mdav(twin, k))
    labels = VMDAV(k, gamma=1.1, categorical_features=coded).fit_predict(X)
    if len(X) % k == 0:  # leftovers go to centres of cells
        assert_array_equal(labels, slow_vmdav(twin, k, 1.1))


@pytest.mark.parametrize("index", ["tree", "table"])
@given(
    X=random_tables(most_rows=400, most_columns=6),
    n_coded=st.integers(1, 5),
    k=st.integers(1, 8),
    only_codes=st.booleans(),
    units=st.sampled_from([[1.0], [0.2, 5.0, 1.0]]),
)
def test_an_index_finds_the_same_cells(index, X, n_coded, k, only_codes, units):
    k = min(k, len(X))
    n_measured = 0 if only_codes else X.shape[1]
    X, codes = split_codes(
        np.column_stack([X[:, :n_measured], codes_of(X, n_coded)]),
        list(range(n_measured, n_measured + n_coded)),
        np.resize(units, n_coded),
    )
    fast = {"index": index, "rebuild_from": 30}
    for rounds, option in ((of_mdav, 3 * k), (of_vmdav, 0.7)):
        labels, rows, n_cells = plain(rounds, X, k, option, codes)
        found = indexed(rounds, X, k, option, codes, **fast)
        assert_array_equal(found[0], labels)
        assert_array_equal(found[1], rows)
        assert found[2] == n_cells


@given(X=random_tables(most_rows=60, most_columns=3), n_coded=st.integers(1, 3))
def test_distances_to_a_centre_are_those_of_coordinates(X, n_coded):
    X = X / max(abs(X).max(), 1e-300)
    coded = list(range(X.shape[1], X.shape[1] + n_coded))
    Y, codes = split_codes(np.column_stack([X, codes_of(X, n_coded)]), coded)
    E = expanded(Y, codes.n_measured)
    half = len(X) // 2 + 1
    centres = [
        centre_of(*sum_of_records(part, codes), len(part), codes)
        for part in (Y, Y[:half])
    ]
    for part, centre in zip((E, E[:half]), centres, strict=True):
        expected = ((E - part.mean(axis=0)) ** 2).sum(axis=1)
        found = distances_to_centre(Y, centre, codes)
        assert_allclose(found, expected, atol=1e-12)
        one = [to_centre(y, centre, codes) for y in Y]
        assert_allclose(found, one, atol=1e-15)
    expected = ((E.mean(axis=0) - E[:half].mean(axis=0)) ** 2).sum()
    assert distance_of_centres(*centres, codes) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("part", PARTS, ids=repr)
def test_units_are_those_of_coordinates(part):
    units = np.array([3.0, 0.2, 1.0])
    for seed in range(5):
        X = mixed(200, seed)
        parts = [Mismatch().fit_transform(X[:, [j]]) for j in (2, 3, 4)]
        parts = [p * np.sqrt(u) for p, u in zip(parts, units, strict=True)]
        part.set_params(categorical_features=None, mismatch_units=None)
        expected = part.fit_predict(np.hstack([X[:, :2], *parts]))
        part.set_params(categorical_features=[4, 2, 3], mismatch_units=units[[2, 0, 1]])
        assert_array_equal(part.fit_predict(X), expected)


@pytest.mark.parametrize("units", [[1.0], [1.0, 0.0], [1.0, -1.0], [1.0, np.nan]])
def test_bad_units(units):
    with pytest.raises(ValueError, match="'mismatch_units' parameter"):
        MDAV(2, categorical_features=[0, 1], mismatch_units=units).fit(gaussian(6, 3))


def test_codes_may_be_any_numbers_in_any_columns():
    X = mixed(60, 0)
    odd = X[:, [3, 0, 4, 1, 2]] * [-7, 1, 1e9, 1, 0.5]
    expected = MDAV(3, categorical_features=[2, 3, 4]).fit_predict(X)
    mask = [True, False, True, False, True]
    for named in ([0, 2, 4], mask, np.array([4, 0, 2])):
        assert_array_equal(
            MDAV(3, categorical_features=named).fit_predict(odd), expected
        )


def test_no_codes_are_plain_measures():
    X = gaussian(60, 3)
    for none in (None, [], np.zeros(3, dtype=bool)):
        labels = MDAV(3, categorical_features=none).fit_predict(X)
        assert_array_equal(labels, MDAV(3).fit_predict(X))


def test_numbering_goes_through():
    X, codes = split_codes(np.array([[5.0, 1.0, 9.0], [5.0, 2.0, 8.0]]), [0, 2])
    assert X.tolist() == [[1.0, 0.0, 2.0], [2.0, 0.0, 1.0]]
    assert codes.n_measured == 1 and codes.starts.tolist() == [0, 1, 3]
    assert isinstance(codes, Codes)


@for_each("named", [[3], [-1], [0.5], "age", [True, False], [[0, 1]]])
def test_bad_categorical_features(named):
    with pytest.raises(ValueError, match="'categorical_features' parameter"):
        with_codes(gaussian(5, 3), named)
