"""Columns that make strata are looked at as closely as those that are released."""

import narwhals as nw
import polars as pl
import pytest

from microcell import Schema, SchemaError, anonymize
from microcell.columns import strata_codes

AGES = pl.DataFrame({"age": [20.0, 21.0, 22.0, 60.0, 61.0, 62.0]})


def test_strata_of_objects_are_refused_where_they_are_not_released():
    """Arrow would tell objects apart by their addresses in memory."""
    one, other = object(), object()
    groups = pl.Series("group", [one] * 3 + [other] * 3, dtype=pl.Object)
    schema = Schema(["age"], others="drop")
    with pytest.raises(SchemaError, match="'group' has data type Object"):
        anonymize(AGES.with_columns(groups), schema, k=3, strata="group")


def test_pairs_of_values_are_strata_of_their_own():
    table = pl.DataFrame({"a": list("xxyyzz"), "b": list("uvuvuv")})
    codes = strata_codes(nw.from_native(table), ["a", "b"])
    assert codes.tolist() == [0, 1, 2, 3, 4, 5]


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(SchemaError, match="'regoin'") as caught:
        anonymize(
            AGES.with_columns(region=pl.lit("north")),
            Schema(["age"], others=["region"]),
            k=3,
            strata="regoin",
        )
    assert "'region'" in str(caught.value)


def test_missing_values_make_no_stratum():
    table = AGES.with_columns(region=pl.Series(["n", "n", "n", None, None, None]))
    schema = Schema(["age"], others=["region"])
    with pytest.raises(SchemaError, match="'region' makes strata but has missing"):
        anonymize(table, schema, k=3, strata="region")
