"""Confidential columns are compared as what they stand for."""

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from marks import for_each

from microcell.columns import ConfidentialReading
from microcell.exceptions import SchemaError
from microcell.privacy import has_order, value_codes


def read(values, **said):
    table = pl.DataFrame({"x": values})
    return ConfidentialReading(("x",), **said).read(table)["x"].to_list()


def test_in_every_library(make):
    table = make({"x": ["9,5", "10", "NA"], "y": ["1", "2", "3"]})
    after = nw.from_native(ConfidentialReading(("x",)).read(table), eager_only=True)
    numbers = after["x"].to_numpy().astype(float)
    np.testing.assert_array_equal(numbers, [9.5, 10.0, np.nan])
    assert after["y"].to_list() == ["1", "2", "3"]


@for_each(
    ("values", "numbers"),
    [
        (["9,5", "10"], [9.5, 10]),
        (["1.234,5", "10"], [1234.5, 10]),
        (["1,234.5", "10"], [1234.5, 10]),
        (["12 %", "7 %"], [12, 7]),
        (["12.5", ""], [12.5, None]),
        (["12,5", "n.a."], ["12,5", "n.a."]),  # categories
        (["1,234", "10"], ["1,234", "10"]),  # 1.234 or 1234: nobody said it
    ],
)
def test_marks_are_found_where_there_is_one_way_to_read(values, numbers):
    assert read(values) == numbers


def test_said_marks_decide():
    assert read(["1,234", "10"], decimal=",") == [1.234, 10]
    assert read(["1,234", "10"], decimal=".") == [1234, 10]


def test_programs_write_numbers_with_points_beside_columns_with_commas():
    assert read(["12.5", "10"], decimal=",") == [12.5, 10]


def test_declared_kinds():
    for values in (["1", "", "1"], [1, None, 1]):
        table = pl.DataFrame({"x": values})
        after = ConfidentialReading(("x",), {"x": "nominal"}).read(table)
        assert not has_order(after, "x")
        assert value_codes(after, "x").tolist() == [0, 1, 0]
    assert read(["mid", "low"], kinds={"x": ["low", "mid"]}) == [1, 0]
    assert read(["12,5"], kinds={"x": "numeric"}, decimal=",") == [12.5]
    with pytest.raises(SchemaError, match="decimal=','"):
        read(["12,5"], kinds={"x": "numeric"})


def test_what_cannot_be_read_is_said():
    table = pl.DataFrame({"x": ["1,234", "10"], "y": ["flu", "gout"]})
    (said,) = ConfidentialReading(("x", "y")).notices(table)
    assert "'x'" in said and "categories" in said
    assert not ConfidentialReading(("x",), decimal=",").notices(table)
