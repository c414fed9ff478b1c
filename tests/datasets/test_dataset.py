import dataclasses

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from microcell.base import SchemaError
from microcell.datasets import Dataset
from microcell.recipe._schema import Schema


def dataset(columns, schema):
    return Dataset("toy", pl.DataFrame(columns), schema, "A toy.", "here", "CC0")


def test_text_is_coded_in_sorted_order_and_columns_follow_the_schema():
    data = dataset(
        {"n": [3, 1, 2], "t": ["b", "a", "b"], "c": ["no", "yes", "no"]},
        Schema(["t", "n"], confidential="c"),
    )
    X, y = data.arrays()
    assert X.dtype == np.float64
    assert_array_equal(X, [[1, 3], [0, 1], [1, 2]])
    assert y.dtype == np.int64
    assert_array_equal(y, [0, 1, 0])


def test_first_confidential_attribute_keeps_its_values():
    data = dataset(
        {"n": [3, 1], "c": [0.5, 2.5], "d": ["x", "y"]},
        Schema(["n"], confidential=["c", "d"]),
    )
    assert_array_equal(data.arrays()[1], [0.5, 2.5])


def test_y_is_none_without_confidential_attribute():
    X, y = dataset({"n": [3, 1]}, Schema(["n"])).arrays()
    assert X.shape == (2, 1) and y is None


def test_boolean_column():
    X, _ = dataset({"b": [True, False]}, Schema(["b"])).arrays()
    assert_array_equal(X, [[1], [0]])


def test_missing_values_are_named_and_counted():
    data = dataset(
        {"n": [3.0, float("nan"), None], "t": [None, "a", "b"], "i": [None, 1, 2]},
        Schema(["n", "t"], identifiers="i"),
    )
    with pytest.raises(ValueError, match=r"in n \(2\), t \(1\), of 3 .*drop_missing"):
        data.arrays()


def test_missing_confidential_value():
    data = dataset({"n": [3, 1], "c": ["a", None]}, Schema(["n"], confidential="c"))
    with pytest.raises(ValueError, match=r"in c \(1\), of 2 records"):
        data.arrays()


def test_every_column_needs_a_role():
    with pytest.raises(SchemaError, match="no role"):
        dataset({"n": [1], "m": [2]}, Schema(["n"]))


def test_repr_is_short_for_many_columns():
    columns = {f"attribute_{i}": [i] for i in range(40)}
    text = repr(dataset(columns, Schema(list(columns))))
    assert "quasi-identifiers (40): attribute_0," in text
    assert max(map(len, text.splitlines())) <= 88


def test_frozen():
    data = dataset({"n": [1]}, Schema(["n"]))
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.name = "other"
