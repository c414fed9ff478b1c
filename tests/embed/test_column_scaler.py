"""Scales of mixed tables: as scikit-learn composes them, by block, from parts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.compose import ColumnTransformer
from tables import gaussian

from microcell.embed import SCALES, ColumnScaler, Mismatch, StandardScale
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


@pytest.mark.parametrize("scale", ["standard", "minmax", "none"])
@given(
    seed=st.integers(0, 100), cut=st.integers(1, 39), offset=st.sampled_from([0, 1e9])
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
