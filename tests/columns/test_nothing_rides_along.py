"""A release has the values of its columns and their names, and nothing else."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from marks import for_each

from microcell import Schema, SchemaError, anonymize

AGES = [31, 62, 35, 58, 33, 60]
SECRET = {"note": "astronaut"}


def pandas_table(index=None):
    return pd.DataFrame({"age": AGES, "job": list("abcabc")}, index=index)


SCHEMA = Schema(["age"], confidential="job")


@for_each(
    "index",
    [
        [19700101, 19700102, 3, 4, 5, 6],
        [5, 4, 3, 2, 1, 0],
        [7, 7, 7, 8, 8, 8],
        pd.RangeIndex(100, 106),
        pd.Index([1, 2, 3, 4, 5, 9], dtype="uint8"),
    ],
)
def test_an_index_of_numbers_is_not_released(index):
    table = pandas_table(index)
    release = anonymize(table, SCHEMA, k=3)
    assert release.table.index.equals(pd.RangeIndex(6))
    assert release.table["age"].tolist() == [33, 60] * 3  # in the order of the rows
    assert release.table["job"].tolist() == list("abcabc")
    assert table.index.equals(pd.Index(index))


def test_an_index_after_records_were_dropped():
    table = pandas_table().astype({"age": float})
    table.loc[[0, 3], "age"] = np.nan
    release = anonymize(table, SCHEMA, k=2, missing="drop")
    assert release.table.index.equals(pd.RangeIndex(4))
    assert release.table["job"].tolist() == ["b", "c", "b", "c"]


def test_an_index_of_a_filtered_table():
    table = pandas_table()
    kept = table[table["age"] > 32]
    released = anonymize(kept, SCHEMA, k=2).table
    assert released.index.equals(pd.RangeIndex(5))
    assert released["job"].tolist() == kept["job"].tolist()


def test_attributes_and_flags_of_pandas():
    table = pandas_table()
    table.attrs["note"] = "astronaut"
    table["job"].attrs["note"] = "astronaut"
    table.columns.name = "astronaut"
    table.flags.allows_duplicate_labels = False
    released = anonymize(table, SCHEMA, k=3).table
    assert released.attrs == {} and released.columns.name is None
    assert all(released[name].attrs == {} for name in released)
    assert released.flags.allows_duplicate_labels
    assert table.attrs == {"note": "astronaut"}  # the original is not touched


def test_a_subclass_of_pandas_comes_back_plain():
    class Tagged(pd.DataFrame):
        _metadata = ("note",)

        @property
        def _constructor(self):
            return Tagged

    table = Tagged(pandas_table())
    table.note = "astronaut"
    assert type(anonymize(table, SCHEMA, k=3).table) is pd.DataFrame


def noted(kind):
    inner = pa.field("x", pa.int64(), metadata=SECRET)
    return {
        "int": pa.int64(),
        "struct": pa.struct([inner]),
        "list": pa.list_(inner),
        "large list": pa.large_list(inner),
        "fixed list": pa.list_(inner, 1),
        "list of structs": pa.list_(pa.struct([inner])),
        "map": pa.map_(pa.string(), pa.struct([inner])),
    }[kind]


VALUES = {
    "int": 1,
    "struct": {"x": 1},
    "list": [1],
    "large list": [1],
    "fixed list": [1],
    "list of structs": [{"x": 1}],
    "map": [("a", {"x": 1})],
}


@for_each("kind", VALUES)
def test_metadata_of_arrow(kind):
    column = pa.array([VALUES[kind]] * 6, noted(kind))
    fields = [
        pa.field("age", pa.int64(), metadata=SECRET),
        pa.field("a", noted(kind), metadata=SECRET),
    ]
    table = pa.table([pa.array(AGES), column], pa.schema(fields, metadata=SECRET))
    assert "astronaut" in table.schema.to_string()
    released = anonymize(table, Schema(["age"], others=["a"]), k=3).table
    assert "astronaut" not in released.schema.to_string()
    assert b"astronaut" not in released.schema.serialize().to_pybytes()
    assert released["a"].to_pylist() == column.to_pylist()


@for_each("kind", VALUES)
def test_metadata_of_arrow_in_pandas(kind):
    column = pd.array([VALUES[kind]] * 6, dtype=pd.ArrowDtype(noted(kind)))
    table = pd.DataFrame({"age": AGES, "a": column})
    released = anonymize(table, Schema(["age"], others=["a"]), k=3).table
    schema = pa.schema({"a": released["a"].dtype.pyarrow_dtype})
    assert b"astronaut" not in schema.serialize().to_pybytes()
    assert released["a"].tolist() == table["a"].tolist()


JOBS = ["cook", "clerk", "cook", "clerk", "cook", "astronaut"]
ENUM = pl.Enum(["astronaut", "clerk", "cook"])
WORDS = pa.dictionary(pa.int32(), pa.string())
NESTED = {
    "List(Enum)": pl.DataFrame({"a": [[j] for j in JOBS]}, {"a": pl.List(ENUM)}),
    "List(Categorical)": pl.DataFrame(
        {"a": [[j] for j in JOBS]}, {"a": pl.List(pl.Categorical)}
    ),
    "Array(Enum)": pl.DataFrame({"a": [[j] for j in JOBS]}, {"a": pl.Array(ENUM, 1)}),
    "Struct(Enum)": pl.DataFrame(
        {"a": [{"j": j} for j in JOBS]}, {"a": pl.Struct({"j": ENUM})}
    ),
    "List(List(Struct(Enum)))": pl.DataFrame(
        {"a": [[[{"j": j}]] for j in JOBS]},
        {"a": pl.List(pl.List(pl.Struct({"j": ENUM})))},
    ),
    "list<dictionary>": pa.table({"a": pa.array([[j] for j in JOBS], pa.list_(WORDS))}),
    "struct<dictionary>": pa.table(
        {"a": pa.StructArray.from_arrays([pa.array(JOBS).dictionary_encode()], ["j"])}
    ),
    "pandas list<dictionary>": pd.DataFrame(
        {
            "a": pd.Series(
                pd.arrays.ArrowExtensionArray(
                    pa.chunked_array([pa.array([[j] for j in JOBS], pa.list_(WORDS))])
                )
            )
        }
    ),
}


@for_each("name", NESTED)
@for_each("missing", ["error", "drop"])
def test_categories_inside_of_lists_and_structures_are_refused(name, missing):
    table = NESTED[name]
    ages = [*map(float, AGES[:5]), None]  # the astronaut is left out
    if isinstance(table, pl.DataFrame):
        table = table.with_columns(age=pl.Series(ages))
    elif isinstance(table, pa.Table):
        table = table.append_column("age", pa.array(ages))
    else:
        table = table.assign(age=ages)
    schema = Schema(["age"], others=["a"])
    with pytest.raises(SchemaError, match=r"'a' has data type .* Convert them to text"):
        anonymize(table, schema, k=2, missing=missing)


def test_categories_of_records_that_were_left_out():
    ages = [*map(float, AGES[:5]), None]
    tables = {
        "polars": pl.DataFrame({"age": ages, "a": pl.Series(JOBS, dtype=ENUM)}),
        "pandas": pd.DataFrame({"age": ages, "a": pd.Categorical(JOBS)}),
        "pyarrow": pa.table({"age": ages, "a": pa.array(JOBS).dictionary_encode()}),
        "pandas over Arrow": pd.DataFrame(
            {"age": ages, "a": pd.array(JOBS, dtype=pd.ArrowDtype(WORDS))}
        ),
    }
    for table in tables.values():
        release = anonymize(table, Schema(["age"], others=["a"]), k=2, missing="drop")
        released = release.table
        if isinstance(released, pl.DataFrame):
            assert released["a"].dtype == pl.Enum(["clerk", "cook"])
        else:
            as_arrow = (
                released if isinstance(released, pa.Table) else pa.table(released)
            )
            words = as_arrow["a"].chunk(0).dictionary.to_pylist()
            assert sorted(words) == ["clerk", "cook"]


@pytest.mark.parametrize("ordered", [True, False])
def test_dictionaries_of_arrow_keep_nulls_and_order(ordered):
    codes = pa.array([2, None, 0, 0, 2, None], pa.int8())
    words = pa.array(["low", "mid", "high"])
    column = pa.DictionaryArray.from_arrays(codes, words, ordered=ordered)
    table = pa.table({"age": AGES, "a": column})
    released = anonymize(table, Schema(["age"], others=["a"]), k=3).table["a"]
    assert released.to_pylist() == column.to_pylist()
    assert released.type == column.type
    dictionary = released.chunk(0).dictionary.to_pylist()
    assert dictionary == (["low", "high"] if ordered else ["high", "low"])


def test_a_null_in_a_dictionary_is_missing():
    column = pa.DictionaryArray.from_arrays([0, 1, 0, 1, 0, 0], ["cook", None])
    table = pa.table({"age": AGES, "a": column})
    with pytest.raises(SchemaError, match=r"Missing values .*'a' \(2\)"):
        anonymize(table, Schema(["age", "a"]), k=2)
    release = anonymize(table, Schema(["age", "a"]), k=2, missing="drop")
    assert release.n_dropped == 2
