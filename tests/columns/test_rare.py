"""Rare categories become one: by brute force, in every library, or an error."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each

from microcell import Schema, anonymize, measure
from microcell.columns._rare import rare_values
from microcell.exceptions import InputError, SchemaError


def slow_rare(column, units, least):
    """Merge the rarest, one after the other, until none is rare."""
    people = {}
    for value, unit in zip(column, units, strict=True):
        people.setdefault(value, set()).add(unit)
    merged = set()
    while people:
        size = len(set().union(*(people.get(v, ()) for v in merged | {"other"})))
        rest = sorted((v for v in people if v not in merged | {"other"}),
                      key=lambda v: (len(people[v]), v))  # fmt: skip
        rare = rest and len(people[rest[0]]) < least
        if not rest or not (rare or 0 < size < least):
            break
        merged.add(rest[0])
    return ["other" if value in merged else value for value in column]


@given(
    records=st.lists(
        st.tuples(st.sampled_from(["a", "b", "c", "d", "other"]), st.integers(0, 9)),
        min_size=1,
    ),
    least=st.integers(2, 6),
    by_record=st.booleans(),
)
def test_equal_to_merging_one_by_one(records, least, by_record):
    column, units = zip(*records, strict=True)
    units = np.arange(len(column)) if by_record else np.array(units)
    values, codes = np.unique(column, return_inverse=True)
    rare = rare_values(values.tolist(), codes, units, least)
    words = dict(zip(values, rare, strict=True))
    merged = ["other" if words[v] else v for v in column]
    assert merged == slow_rare(column, units, least)


def test_a_category_of_one_person_is_rare():
    table = pl.DataFrame(TABLE).with_columns(
        city=pl.Series(["Rome"] * 6 + ["Lima"] * 9),
        who=pl.Series([f"p{i}" for i in range(6)] + ["x"] * 6 + ["y", "z", "z"]),
    )
    schema = Schema(["city", "age"], confidential="sick", identifiers="who")
    release = anonymize(table, schema, k=4, rare="merge", unit="who")
    assert set(release.table["city"]) == {"other"}, "Lima is of three people"
    assert any("fewer than 4 people" in notice for notice in release.notices)


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


@for_each("name", LIBRARIES)
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
    with pytest.raises(InputError, match=r"rare_below=.* goes with rare=.merge."):
        anonymize(table, Schema(["code", "age"]), k=2, rare_below=3)
    with pytest.raises(InputError, match="'rare_below' parameter must be"):
        anonymize(table, Schema("age"), k=2, rare="merge", rare_below=0)


def test_nothing_rare_changes_nothing():
    table = LIBRARIES["polars"].head(11)
    plain = anonymize(table, SCHEMA, k=3)
    merged = anonymize(table, SCHEMA, k=3, rare="merge")
    assert merged.table.equals(plain.table) and not merged.notices


def test_sets_of_merged_categories():
    rng = np.random.default_rng(0)
    cities = ["q", "r", *rng.choice(list("aaaaabbbbbccccc"), 298).tolist()]
    table = pl.DataFrame({"city": cities, "age": rng.integers(18, 90, 300)})
    shown = {"city": "set"}
    schema = Schema(["city", "age"])
    release = anonymize(table, schema, k=5, rare="merge", representatives=shown)
    texts = set(release.table["city"])
    assert any("other" in text for text in texts)
    scores = measure(table, release.table, ["city", "age"], aligned=True)
    assert scores["sse_loss"] == pytest.approx(release.scores["sse_loss"])
