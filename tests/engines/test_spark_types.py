"""Columns on their way to Spark and back."""

import datetime
import decimal

import polars as pl
import pyarrow as pa
import pytest
from marks import for_each
from polars.testing import assert_frame_equal

from microcell.engines import _spark_types
from microcell.engines._spark_types import (
    arrow_schema,
    arrow_type,
    batches_of,
    frames,
    own_name,
    polars_types,
    sent_name,
    spark_schema,
)
from microcell.exceptions import SchemaError

types = pytest.importorskip("pyspark.sql.types")

MOMENT = datetime.datetime(2024, 3, 31, 1, 30, 0, 123456)
EVERYTHING = pl.DataFrame(
    {
        "yes": [True, None],
        "byte": pl.Series([1, None], dtype=pl.Int8),
        "short": pl.Series([1, None], dtype=pl.Int16),
        "int": pl.Series([1, None], dtype=pl.Int32),
        "long": pl.Series([1, None], dtype=pl.Int64),
        "float": pl.Series([0.5, None], dtype=pl.Float32),
        "double": pl.Series([0.1, None], dtype=pl.Float64),
        "text": ["é", None],
        "bytes": [b"x", None],
        "day": [MOMENT.date(), None],
        "moment": pl.Series([MOMENT, None], dtype=pl.Datetime("us", "UTC")),
        "wall clock": pl.Series([MOMENT, None], dtype=pl.Datetime("us")),
        "price": pl.Series([decimal.Decimal("1.25"), None], dtype=pl.Decimal(20, 2)),
        "\0ours": [1.5, None],
        "a.b`c": [1.5, None],
    }
)


def test_types_survive_the_way_there_and_back():
    schema = arrow_schema(EVERYTHING)
    (back,) = frames(batches_of(EVERYTHING, schema))
    assert_frame_equal(back, EVERYTHING)
    there = spark_schema(schema)
    here = EVERYTHING.rename(sent_name)
    assert polars_types(there, there.names) == dict(here.schema)


@for_each("name", ["age", "\0ours", "a.b", "`", "__microcell_61", "é.", ""])
def test_every_name_travels_and_comes_back(name):
    assert own_name(sent_name(name)) == name
    assert not {"\0", ".", "`"} & set(sent_name(name))


def test_moments_travel_as_utc_whatever_the_session_calls_its_zone():
    for zone in ("UTC", "Asia/Kolkata", "+05:30"):
        moments = pa.array([MOMENT], pa.timestamp("us", tz=zone))
        (frame,) = frames([pa.RecordBatch.from_arrays([moments], ["seen"])])
        assert frame.schema["seen"] == pl.Datetime("us", "UTC")
        assert frame["seen"].dt.replace_time_zone(None).to_list() == [MOMENT]


def test_small_batches_are_worked_on_together(monkeypatch):
    monkeypatch.setattr(_spark_types, "ROWS_TOGETHER", 5)
    two = pa.RecordBatch.from_pydict({"a": [1, 2]})
    assert [frame.height for frame in frames([two] * 7)] == [6, 6, 2]
    assert list(frames([])) == []


def test_what_spark_lacks_is_widened_or_refused():
    assert arrow_type("a", pl.UInt32()) == pa.int64()
    assert arrow_type("a", pl.Enum(["x"])) == pa.string()
    for dtype in (pl.List(pl.Int8), pl.Duration("us")):
        with pytest.raises(SchemaError, match="'a' would be released as"):
            arrow_type("a", dtype)


@pytest.mark.parametrize("ddl", ["map<string,int>", "array<int>", "struct<x:int>"])
def test_nested_columns_are_refused_by_name(ddl):
    kinds = {
        "map<string,int>": types.MapType(types.StringType(), types.IntegerType()),
        "array<int>": types.ArrayType(types.IntegerType()),
        "struct<x:int>": types.StructType().add("x", types.IntegerType()),
    }
    schema = types.StructType().add("age", types.IntegerType())
    schema = schema.add("odd", kinds[ddl])
    assert polars_types(schema, ["age"]) == {"age": pl.Int32()}
    with pytest.raises(SchemaError, match="Column 'odd' is of Spark's type") as caught:
        polars_types(schema, ["age", "odd"])
    assert ddl in str(caught.value) and caught.value.column == "odd"
