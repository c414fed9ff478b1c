import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.privacy import class_codes, class_sizes, count_classes

VALUES = {
    "text": st.sampled_from(["a", "b", None]),
    "number": st.sampled_from([1.5, float("nan"), None]),
    "flag": st.sampled_from([True, False, None]),
}
rows = st.lists(st.fixed_dictionaries(VALUES), min_size=1, max_size=30)
SCHEMA = {"text": pl.String, "number": pl.Float64, "flag": pl.Boolean}


def key(row):
    """A record as something that Python can count, NaN and null told apart."""
    return tuple("nan" if v != v else v for v in row)


@given(records=rows)
def test_same_classes_as_counting_by_hand(records):
    table = pl.DataFrame(records, schema=SCHEMA)
    counted = {}
    for row in table.rows():
        counted[key(row)] = counted.get(key(row), 0) + 1
    assert class_sizes(table, table.columns).tolist() == sorted(counted.values())
    codes = class_codes(table, table.columns)
    seen = list(dict.fromkeys(map(key, table.rows())))
    assert [seen[c] for c in codes] == [key(row) for row in table.rows()]


@given(records=rows, cut=st.integers(0, 30))
def test_counts_of_parts_add_up(records, cut):
    table = pl.DataFrame(records, schema=SCHEMA)
    parts = [count_classes(part, table.columns) for part in (table[:cut], table[cut:])]
    whole = count_classes(table, table.columns).sizes
    assert (parts[0] + parts[1]).sizes.tolist() == whole.tolist()


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_missing_value_is_a_value_of_its_own(library):
    frame = pl.DataFrame({"a": ["x", None, None], "b": [1, 1, 1]})
    table = {"pandas": frame.to_pandas, "polars": frame.clone}.get(
        library, frame.to_arrow
    )()
    assert class_sizes(table, ["a", "b"]).tolist() == [1, 2]


def test_units_are_counted_once():
    table = pl.DataFrame({"a": [1, 1, 1, 2]})
    assert class_sizes(table, ["a"], np.array([7, 7, 8, 7])).tolist() == [1, 2]


def test_categories_numbered_differently_are_the_same():
    def part(values):
        words = pd.Categorical(values, categories=sorted(values, reverse=True))
        return pa.Table.from_pandas(pd.DataFrame({"a": words}))

    counts = count_classes(part(["x", "y"]), ["a"]) + count_classes(part(["y"]), ["a"])
    assert counts.sizes.tolist() == [1, 2]


def test_columns_may_have_any_name():
    table = pl.DataFrame({"records": [1, 1], "len": [2, 2], "index": [3, 4]})
    assert class_sizes(table, ["records", "len"]).tolist() == [2]
    assert class_codes(table, ["index"]).tolist() == [0, 1]
