"""Codes whose characters are the tree: distances, groups and texts by brute force."""

import itertools
import os

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each

from microcell.aggregate import Ancestor
from microcell.columns import fit_encoder
from microcell.columns._prefix import common_lengths
from microcell.exceptions import SchemaError

codes_of_any_length = st.lists(
    st.text("abA0", min_size=1, max_size=5), min_size=1, max_size=12
)
codes_of_one_length = st.lists(
    st.text("01a", min_size=4, max_size=4), min_size=1, max_size=12
)
columns = codes_of_any_length | codes_of_one_length


def encoder_of(values, kind="prefix"):
    return fit_encoder(nw.from_native(pl.Series("zip", values), series_only=True), kind)


def common_prefix(values):
    return os.path.commonprefix(list(values))  # noqa: RUF071 (of characters)


def slow_distance(one, other, values):
    """Share of the characters that are not in common, below what all have."""
    longest, trunk = max(map(len, values)), len(common_prefix(values))
    if one == other:
        return 0.0
    return (longest - len(common_prefix([one, other]))) / (longest - trunk)


def slow_ancestor(cell, values):
    """What is released of a cell."""
    if len(set(cell)) == 1:
        return cell[0]
    shared = common_prefix(cell)
    lengths = {len(value) for value in values}
    return shared + "*" * (len(values[0]) - len(shared) if len(lengths) == 1 else 1)


@given(values=columns)
def test_distances_are_those_of_the_tree(values):
    encoder = encoder_of(values)
    levels = encoder.levels
    assert levels.units.sum() == pytest.approx(1)
    for i, one in enumerate(encoder.values):
        for j, other in enumerate(encoder.values):
            expected = slow_distance(one, other, values)
            assert levels.distance(i, j) == pytest.approx(expected)


@given(values=columns, data=st.data())
def test_ancestors_are_common_prefixes(values, data):
    encoder = encoder_of(values)
    cells = data.draw(
        st.lists(
            st.lists(st.sampled_from(values), min_size=1, max_size=4),
            min_size=1,
            max_size=4,
        )
    )
    column = [value for cell in cells for value in cell]
    labels = np.repeat(np.arange(len(cells)), [len(cell) for cell in cells])
    X = encoder.encode(nw.from_native(pl.Series("zip", column), series_only=True))
    released = Ancestor(encoder.levels).aggregate(X[:, None], labels)[:, 0]
    expected = [slow_ancestor(cell, values) for cell in cells for _ in cell]
    texts = encoder.decode(released)
    assert texts.to_list() == expected
    assert encoder.encode(texts).tolist() == released.tolist()  # and back again


@given(values=columns)
def test_only_levels_and_groups_that_tell_values_apart(values):
    encoder = encoder_of(values)
    m = len(set(values))
    assert encoder.values == sorted(set(values))
    assert len(set(encoder.nodes)) == len(encoder.nodes) <= max(2 * m - 1, 1)
    counts = [np.unique(codes[:m]).size for codes in encoder.levels.codes.T]
    if m > 1:
        assert counts[0] > 1 and (np.diff(counts) > 0).all() and counts[-1] == m


def test_a_group_and_a_code_of_the_same_letters_are_told_apart():
    encoder = encoder_of(["E11", "E112", "E113", "I10"])
    assert encoder.nodes.tolist() == ["E11", "E112", "E113", "I10", "*", "E11*"]
    encoder = encoder_of(["03741", "03755", "03748", "10001"])
    assert encoder.nodes[4:].tolist() == ["*****", "037**", "0374*"]


def test_letter_case_and_zeros_are_kept():
    encoder = encoder_of(["0a", "0A", "00"])
    assert encoder.nodes.tolist() == ["00", "0A", "0a", "0*"]


@given(values=codes_of_any_length)
def test_neighbours_are_compared_in_parts(values):
    values = sorted(set(values))
    expected = [len(common_prefix(pair)) for pair in itertools.pairwise(values)]
    assert common_lengths(values).tolist() == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("microcell.columns._prefix.AT_ONCE", 2)
        assert common_lengths(values).tolist() == expected


def test_a_star_in_a_code_is_refused():
    with pytest.raises(SchemaError, match=r"'9\*9' in record 2, and '\*' marks"):
        encoder_of(["123", "1*3"])


@pytest.mark.parametrize("values", [[3741, 3755], [1.5, 2.5], [True, False]])
def test_numbers_have_lost_their_zeros(values):
    with pytest.raises(SchemaError, match=r"leading zeros. Read the column as text"):
        encoder_of(values)


LIBRARIES = {
    "polars": lambda v: pl.Series("zip", v),
    "polars categories": lambda v: pl.Series("zip", v, dtype=pl.Categorical),
    "polars enum": lambda v: pl.Series("zip", v, dtype=pl.Enum([*sorted(set(v)), "x"])),
    "pandas": lambda v: pd.Series(v, name="zip"),
    "pandas categories": lambda v: pd.Series(v, name="zip", dtype="category"),
    "pandas over Arrow": lambda v: pd.Series(v, name="zip", dtype="string[pyarrow]"),
    "pyarrow": lambda v: pa.chunked_array([v]),
    "pyarrow categories": lambda v: pa.chunked_array([pa.array(v).dictionary_encode()]),
}


@for_each("name", LIBRARIES)
def test_every_library(name):
    values = ["0374", "0375", "0375", "1000"]
    series = nw.from_native(LIBRARIES[name](values), series_only=True).alias("zip")
    encoder = fit_encoder(series, "prefix")
    assert encoder.encode(series).tolist() == [0, 1, 1, 2]
    released = encoder.decode(np.array([4.0, 4.0, 1.0, 3.0]))
    assert released.to_list() == ["037*", "037*", "0375", "****"]
    assert released.implementation == series.implementation
    assert released.name == "zip" and released.dtype == nw.String


def test_no_node_is_refused():
    encoder = encoder_of(["a", "b"])
    for wrong in (-1.0, 0.5, 3.0):
        with pytest.raises(SchemaError, match="no codes of its prefix"):
            encoder.decode(np.array([wrong]))
    with pytest.raises(SchemaError, match="'aa' in record 1, which is neither"):
        encoder.encode(nw.from_native(pl.Series("zip", ["zz"]), series_only=True))
