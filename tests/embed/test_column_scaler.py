"""Scales of mixed tables: as scikit-learn composes them, by block, from parts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.compose import ColumnTransformer
from tables import gaussian

from microcell.embed import SCALES, ColumnScaler, Levels, Mismatch, StandardScale
from microcell.exceptions import InputError


def mixed(n=40, seed=0):
    codes = np.random.default_rng(seed).integers(0, 4, (n, 2)).astype(float)
    return np.column_stack([codes[:, 0], gaussian(n, 2, seed) * 50, codes[:, 1]])


@pytest.mark.parametrize("scale", SCALES)
def test_the_same_as_a_column_transformer(scale):
    X = mixed()
    composed = ColumnTransformer(
        [("measured", SCALES[scale](), [1, 2]), ("nominal", Mismatch(), [0, 3])]
    )
    scaler = ColumnScaler(scale, nominal=[0, 3])
    assert_array_equal(scaler.fit_transform(X), composed.fit_transform(X))
    codes = ColumnScaler(scale, nominal=[0, 3], expand=False).fit_transform(X)
    assert_array_equal(codes[:, 2:], X[:, [0, 3]])


def test_columns_of_one_kind():
    X = mixed()
    assert (
        ColumnScaler(nominal=range(4)).fit_transform(X[:, [0, 3, 0, 3]]).shape[0] == 40
    )
    plain = ColumnScaler().fit_transform(X)
    assert_array_equal(plain, StandardScale().fit_transform(X))


def test_a_block_of_columns():
    X = mixed()
    block = ColumnScaler("minmax", nominal=[0, 3]).take_columns([3, 1])
    assert block.nominal == [0]
    alone = ColumnScaler("minmax", nominal=[0]).fit_transform(X[:, [3, 1]])
    assert_array_equal(block.fit_transform(X[:, [3, 1]]), alone)


@settings(max_examples=60)
@given(
    scale=st.sampled_from(["standard", "minmax", "none"]),
    seed=st.integers(0, 100),
    cut=st.integers(1, 39),
    offset=st.sampled_from([0, 1e9]),
)
def test_parts_merge_to_the_whole(scale, seed, cut, offset):
    X = mixed(seed=seed)
    X[:, 1] += offset
    whole = ColumnScaler(scale, nominal=[0, 3]).fit(X)
    parts = [
        ColumnScaler(scale, nominal=[0, 3]).fit(part) for part in (X[:cut], X[cut:])
    ]
    for merged in (parts[0].merge(parts[1]), parts[1].merge(parts[0])):
        assert_allclose(merged.transform(X), whole.transform(X), atol=1e-9)


def test_constant_parts_merge():
    parts = [StandardScale().fit([[v], [v]]) for v in (3.0, 5.0)]
    merged = parts[0].merge(parts[1])
    assert_array_equal(merged.transform([[3.0], [5.0]]), [[-1.0], [1.0]])


def test_quartiles_do_not_merge():
    parts = [ColumnScaler("robust").fit(mixed(seed=s)) for s in (0, 1)]
    with pytest.raises(InputError, match="does not follow from those of its parts"):
        parts[0].merge(parts[1])


def with_gaps(seed=0, share=0.3):
    X = mixed(seed=seed)
    X[np.random.default_rng(seed + 1).random(X.shape) < share] = np.nan
    return X


def test_a_missing_value_stands_in_the_middle():
    X = with_gaps()
    Z = ColumnScaler("standard", nominal=[0, 3], missing="middle", expand=False)
    Z = Z.fit_transform(X)
    for place, j in enumerate([1, 2]):
        gaps = np.isnan(X[:, j])
        assert_allclose(Z[gaps, place], 0, atol=1e-12)
        alone = StandardScale().fit_transform(X[~gaps][:, [j]])[:, 0]
        assert_array_equal(Z[~gaps, place], alone)
    for place, j in enumerate([0, 3], start=2):
        gaps = np.isnan(X[:, j])
        values, counts = np.unique(X[~gaps, j], return_counts=True)
        assert (Z[gaps, place] == values[np.argmax(counts)]).all()
        assert_array_equal(Z[~gaps, place], X[~gaps, j])


def test_a_missing_value_is_a_category():
    X = with_gaps()
    scaler = ColumnScaler("standard", nominal=[0, 3], missing="category", expand=False)
    Z = scaler.fit_transform(X)
    assert scaler.coded_ == [2, 3, 4, 5]
    assert_array_equal(Z[:, 2:4], np.where(np.isnan(X[:, [0, 3]]), -1, X[:, [0, 3]]))
    assert_array_equal(Z[:, 4:], np.isnan(X[:, [1, 2]]))


@pytest.mark.parametrize("missing", ["error", "middle", "category"])
def test_without_gaps_no_policy_changes_anything(missing):
    X = mixed()
    Z = ColumnScaler(nominal=[0, 3], missing=missing).fit_transform(X)
    assert_allclose(Z, ColumnScaler(nominal=[0, 3]).fit_transform(X), atol=1e-12)


def test_gaps_are_refused_unless_there_is_a_policy():
    with pytest.raises(ValueError, match="NaN"):
        ColumnScaler(nominal=[0, 3]).fit(with_gaps())


def squared_distances(Z):
    return np.sum((Z[:, None] - Z[None]) ** 2, axis=2)


@given(seed=st.integers(0, 50), missing=st.sampled_from(["middle", "category"]))
def test_coordinates_and_codes_measure_alike(seed, missing):
    X = with_gaps(seed, share=0.2)
    X = np.column_stack([X, np.random.default_rng(seed).integers(0, 3, len(X))])
    levels = Levels(np.array([[0, 0], [0, 1], [1, 2], [0, 3]]), np.array([0.3, 0.7]))
    importance = [2.0, 0.5, 3.0, 1.0, 4.0]
    given = dict(
        nominal=[0, 3], trees={4: levels}, importance=importance, missing=missing
    )
    wide = ColumnScaler(**given).fit_transform(X)
    scaler = ColumnScaler(**given, expand=False)
    Z = scaler.fit_transform(X)
    measured = len(scaler.measured_)
    expected = squared_distances(Z[:, :measured])
    for column, unit in zip(scaler.coded_, scaler.units_, strict=True):
        expected += unit * (Z[:, None, column] != Z[None, :, column])
    assert_allclose(squared_distances(wide), expected, atol=1e-9)
    plain = StandardScale().fit_transform(X[~np.isnan(X[:, 1])][:, [1]])[:, 0]
    assert_allclose(Z[~np.isnan(X[:, 1]), 0], plain * np.sqrt(0.5))


@given(
    seed=st.integers(0, 50),
    cut=st.integers(1, 39),
    missing=st.sampled_from(["middle", "category"]),
)
def test_parts_with_gaps_merge_to_the_whole(seed, cut, missing):
    X = with_gaps(seed)
    given = dict(nominal=[0, 3], missing=missing, importance=[1.0, 2.0, 1.0, 5.0])
    whole = ColumnScaler(**given).fit(X)
    one, two = (ColumnScaler(**given).fit(part) for part in (X[:cut], X[cut:]))
    for merged in (one.merge(two), two.merge(one)):
        assert_allclose(merged.transform(X), whole.transform(X), atol=1e-9)


def test_weights_must_be_positive():
    for wrong in ([1.0, 0.0, 1.0, 1.0], [1.0], [1.0, np.inf, 1.0, 1.0]):
        with pytest.raises(ValueError, match="positive number for each of the 4"):
            ColumnScaler(importance=wrong).fit(mixed())


def test_a_block_keeps_its_weights_and_trees():
    levels = Levels(np.array([[0], [1]]), np.array([1.0]))
    scaler = ColumnScaler(trees={2: levels}, importance=[1.0, 2.0, 3.0])
    block = scaler.take_columns([2, 1])
    assert list(block.trees) == [0] and block.importance == [3.0, 2.0]
