"""Columns of arrays and dataframes."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames import LIBRARIES
from marks import for_each

from microcell.exceptions import InputError
from microcell.metrics._table_columns import (
    code_columns,
    comparable_numbers,
    open_columns,
)

TEXT = {"a": ["x", None, "y"], "b": [1.0, 2.0, 4.0]}


@pytest.mark.parametrize("library", LIBRARIES)
def test_codes_are_equal_where_values_are(library):
    table = LIBRARIES[library]()
    names, codes = code_columns(table)
    assert names[:2] == ["name", "age"] and codes.shape == (6, 7)
    sex = codes[:, names.index("sex")]
    assert (sex == sex[0]).tolist() == [True, False] * 3
    assert len(set(codes[:, names.index("age")])) == 6


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_codes_of_two_tables_agree(library):
    other = {"a": [None, "z", "x"], "b": [1.0, 1.0, 1.0]}
    tables = {"one": library(TEXT), "two": library(other)}
    names, (X, Z), nominal = comparable_numbers(tables)
    assert names == ["a", "b"] and nominal == [0]
    assert Z[0, 0] == X[1, 0] and Z[2, 0] == X[0, 0]
    assert Z[1, 0] not in X[:, 0]
    assert X[:, 1].std() == pytest.approx(1) and Z[0, 1] == X[0, 1]


def test_categories_and_texts_are_compared_as_text():
    one = pd.DataFrame({"a": pd.Categorical(["x", "y"], categories=["y", "x"])})
    _, (X, Z), _ = comparable_numbers(
        {"one": one, "two": pd.DataFrame({"a": ["y", "x"]})}
    )
    assert X[:, 0].tolist() == Z[::-1, 0].tolist()


def test_arrays_are_taken_as_they_are():
    _, (X,), nominal = comparable_numbers({"table": [[1, 2], [3, 4]]}, [1])
    np.testing.assert_array_equal(X, [[1.0, 2.0], [3.0, 4.0]])
    assert nominal == [1]


FRAME = pl.DataFrame({"a": [1.0, 2.0]})


@for_each(
    ("other", "nominal", "message"),
    [
        (pl.DataFrame({"a": ["[1, 2]", "[1, 2]"]}), None, "numbers in one table"),
        (pl.DataFrame({"a": [1.0, None]}), None, "missing or infinite"),
        (pl.DataFrame({"a": [1.0], "b": [1.0]}), None, "'b'"),
        (pl.DataFrame({"b": [1.0, 2.0]}), None, "'a'"),
        ([[1.0], [2.0]], None, "both be arrays"),
        (FRAME, [0], "text"),
    ],
)
def test_tables_that_cannot_be_compared(other, nominal, message):
    with pytest.raises(InputError, match=message):
        comparable_numbers({"one": FRAME, "two": other}, nominal)


@pytest.mark.parametrize("table", [[1, 2], np.empty((0, 2)), pl.DataFrame({"a": []})])
def test_no_records_or_columns(table):
    with pytest.raises(InputError, match="must have records and columns"):
        open_columns(table)


def test_not_a_number():
    with pytest.raises(InputError, match="NaN"):
        comparable_numbers({"table": [[np.nan]]})
