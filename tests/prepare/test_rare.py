"""Rare categories become one: by brute force, in every library, or an error."""

from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell import Schema, anonymize, measure
from microcell.exceptions import InputError, SchemaError
from microcell.prepare._rare import rare_values


def slow_rare(column, least):
    """Merge the rarest, one after the other, until none is rare."""
    counts = Counter(column)
    merged = set()
    while counts:
        size = sum(counts[v] for v in merged | {"other"})
        rest = sorted((v for v in counts if v not in merged | {"other"}),
                      key=lambda v: (counts[v], v))  # fmt: skip
        rare = rest and counts[rest[0]] < least
        if not rest or not (rare or 0 < size < least):
            break
        merged.add(rest[0])
    return ["other" if value in merged else value for value in column]


@given(
    column=st.lists(st.sampled_from(["a", "b", "c", "d", "other"]), min_size=1),
    least=st.integers(2, 6),
)
def test_equal_to_merging_one_by_one(column, least):
    values, counts = np.unique(column, return_counts=True)
    rare = rare_values(values.tolist(), counts, least)
    words = dict(zip(values, rare, strict=True))
    assert ["other" if words[v] else v for v in column] == slow_rare(column, least)


CITIES = ["Rome"] * 6 + ["Lima"] * 5 + ["Oslo"] * 2 + ["Bonn", "Graz"]
TABLE = {"city": CITIES, "age": list(range(20, 35)), "sick": ["y", "n", "n"] * 5}
LIBRARIES = {
    "polars": pl.DataFrame(TABLE),
    "polars categories": pl.DataFrame(TABLE).with_columns(
        pl.col("city").cast(pl.Categorical)
    ),
    "pandas": pd.DataFrame(TABLE),
    "pandas categories": pd.DataFrame(TABLE).astype({"city": "category"}),
    "pyarrow": pa.table(TABLE),
}
SCHEMA = Schema(["city", "age"], confidential="sick")


@pytest.mark.parametrize("name", LIBRARIES)
def test_rare_cities_are_others(name):
    table = LIBRARIES[name]
    release = anonymize(table, SCHEMA, k=3, rare="merge", importance={"city": 100})
    arrow = release.table if name == "pyarrow" else pa.table(release.table)
    assert set(arrow["city"].to_pylist()) == {"Rome", "Lima", "other"}
    assert any("'city': 3 of 5 categories" in notice for notice in release.notices)
    assert "Bonn" not in release.summary() + str(release.certificate())
    # What merging loses is part of the loss, here as for whoever has the two tables.
    assert dict(measure(table, release.table, ["city", "age"])) == release.scores


def test_the_limit_can_be_given():
    table = LIBRARIES["polars"]
    more = {"k": 3, "rare": "merge", "importance": {"city": 100}}
    release = anonymize(table, SCHEMA, rare_below=6, **more)
    assert set(release.table["city"]) == {"Rome", "other"}
    release = anonymize(table, SCHEMA, rare_below=2, **more)
    assert any("2 of 5" in notice for notice in release.notices)


def test_intervals_beside():
    release = anonymize(
        LIBRARIES["polars"], SCHEMA, k=3, rare="merge", aggregate="interval"
    )
    assert release.scores["sse_loss"] > 0


def test_what_cannot_be_merged():
    table = pl.DataFrame({"code": [1] * 5 + [2], "age": [1, 2, 3, 4, 5, 6]})
    with pytest.raises(SchemaError, match=r"'code' has 2 rare categories.*Int64"):
        anonymize(table, Schema(["code", "age"]), k=2, rare="merge")
    with pytest.raises(SchemaError, match="no nominal quasi-identifier"):
        anonymize(table, Schema("age", others="drop"), k=2, rare="merge")
    with pytest.raises(InputError, match="rare_below needs rare='merge'"):
        anonymize(table, Schema(["code", "age"]), k=2, rare_below=3)
    with pytest.raises(InputError, match="'rare_below' parameter must be"):
        anonymize(table, Schema("age"), k=2, rare="merge", rare_below=0)


def test_nothing_rare_changes_nothing():
    table = LIBRARIES["polars"].head(11)
    plain = anonymize(table, SCHEMA, k=3)
    merged = anonymize(table, SCHEMA, k=3, rare="merge")
    assert merged.table.equals(plain.table) and not merged.notices
