"""Codes of hierarchies and weights of columns: coded and expanded geometry agree."""

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from microcell.columns import fit_encoder
from microcell.compose import Microaggregator
from microcell.embed import ColumnScaler
from microcell.partition import MDAV, VMDAV


def mixed(n, seed):
    """Two numbers, a category and a prefix code, and the levels of the code."""
    rng = np.random.default_rng(seed)
    letters = rng.integers(0, 3, (n, 3))
    texts = ["".join("abc"[c] for c in row[: rng.integers(1, 4)]) for row in letters]
    series = nw.from_native(pl.Series("code", texts), series_only=True)
    encoder = fit_encoder(series, "prefix")
    X = np.column_stack([rng.normal(size=(n, 2)), rng.integers(0, 4, n)])
    return np.column_stack([X, encoder.encode(series)]), encoder.levels


def scaler(levels, **more):
    return ColumnScaler(nominal=[2], trees={3: levels}, **more)


weights = st.lists(st.sampled_from([0.25, 1.0, 3.0]), min_size=4, max_size=4)


@given(seed=st.integers(0, 1000), importance=weights)
def test_distances_of_coded_and_expanded_records_by_hand(seed, importance):
    X, levels = mixed(12, seed)
    fitted = scaler(levels, importance=importance).fit(X)
    expanded = fitted.transform(X)
    coder = scaler(levels, importance=importance, expand=False).fit(X)
    coded = coder.transform(X)
    plain = (X - X.mean(axis=0)) / X.std(axis=0)
    for i in range(12):
        for j in range(12):
            expected = importance[0] * (plain[i, 0] - plain[j, 0]) ** 2
            expected += importance[1] * (plain[i, 1] - plain[j, 1]) ** 2
            expected += importance[2] * (X[i, 2] != X[j, 2])
            nodes = int(X[i, 3]), int(X[j, 3])
            expected += importance[3] * levels.distance(*nodes)
            assert_allclose(np.sum((expanded[i] - expanded[j]) ** 2), expected)
            apart = coded[i] - coded[j]
            found = np.sum(apart[:2] ** 2)
            found += np.sum(np.array(coder.units_) * (apart[2:] != 0))
            assert_allclose(found, expected)


class Expanding(MDAV):
    """MDAV that takes a coordinate for each category."""

    takes_codes = False


class ExpandingV(VMDAV):
    """V-MDAV that takes a coordinate for each category."""

    takes_codes = False


@settings(max_examples=25)
@given(seed=st.integers(0, 1000), k=st.integers(2, 6), importance=weights)
@pytest.mark.parametrize(
    ("part", "expanding"), [(MDAV, Expanding), (VMDAV, ExpandingV)]
)
def test_the_same_cells_coded_and_expanded(part, expanding, seed, k, importance):
    X, levels = mixed(60, seed)
    embed = scaler(levels, importance=importance)
    coded = Microaggregator(part(k), embed=embed).fit(X)
    assert coded.embed_.coded_  # and not expanded
    assert_array_equal(
        coded.labels_, Microaggregator(expanding(k), embed=embed).fit(X).labels_
    )


def test_importance_4_doubles_a_scaled_column():
    X, levels = mixed(40, 0)
    plain, weighed = scaler(levels), scaler(levels, importance=[4, 1, 1, 1])
    Z, W = plain.fit_transform(X), weighed.fit_transform(X)
    assert_allclose(W[:, 0], 2 * Z[:, 0])
    assert_array_equal(W[:, 1:], Z[:, 1:])
    units = scaler(levels, importance=[1, 1, 4, 1]).fit(X).units_
    assert units[0] == 4 and sum(units[1:]) == pytest.approx(1)


def test_a_tree_in_a_block_and_in_parts():
    X, levels = mixed(40, 1)
    block = scaler(levels, importance=[1, 2, 3, 4]).take_columns([3, 0])
    assert list(block.trees) == [0] and block.importance == [4, 1]
    whole = scaler(levels).fit(X)
    one, other = scaler(levels).fit(X[:15]), scaler(levels).fit(X[15:])
    assert_allclose(one.merge(other).transform(X), whole.transform(X), atol=1e-12)
