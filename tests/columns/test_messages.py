"""Errors show where a value stands and its pattern, never the value."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from commands import run
from marks import for_each

from microcell import Schema, SchemaError, anonymize, measure
from microcell.columns import type_columns

NAME = "John Smith 35"
PATTERN = "'Aaaa Aaaaa 99'"


@for_each("make", [pl.DataFrame, pd.DataFrame, pa.table])
@for_each(
    ("values", "kind"),
    [
        (["1", "2", NAME, "x"], "numeric"),
        (["2024-01-01", "2024-01-02", NAME, "x"], "date"),
        (["low", "high", NAME, "x"], ["low", "high"]),
    ],
)
def test_values_that_do_not_fit(make, values, kind):
    schema = Schema(["a"], kinds={"a": kind})
    with pytest.raises(SchemaError) as caught:
        anonymize(make({"a": values}), schema, k=2)
    assert "'a'" in str(caught.value)
    assert f"{PATTERN} in record 3" in str(caught.value)
    assert "Smith" not in str(caught.value)


@pytest.mark.parametrize("kind", ["numeric", "date", ["1", "2024-01-01"]])
def test_records_are_counted_in_the_table(kind):
    """Those that are left out count too."""
    value = "2024-01-01" if kind == "date" else "1"
    table = pl.DataFrame({"a": [None, value, None, value, NAME]})
    schema = Schema(["a"], kinds={"a": kind})
    with pytest.raises(SchemaError, match="in record 5"):
        anonymize(table, schema, k=2, missing="drop")


@pytest.mark.parametrize("kind", ["nominal", ["cook", "clerk"]])
def test_a_release_with_values_of_its_own(kind):
    original = pl.DataFrame({"a": ["cook", "clerk", "cook"]})
    release = pl.DataFrame({"a": ["cook", "cook", NAME]})
    with pytest.raises(SchemaError, match=f"{PATTERN} in record 3") as caught:
        measure(original, release, "a", kinds={"a": kind})
    assert "of the release" in str(caught.value)
    assert "Smith" not in str(caught.value)


def test_values_of_the_original_are_no_order_to_show():
    original = pl.DataFrame({"a": [1931, 1962, 1935]})
    release = pl.DataFrame({"a": [1931, 1962, 1977]})
    with pytest.raises(SchemaError, match="'9999' in record 3") as caught:
        measure(original, release, "a", kinds={"a": "ordinal"})
    assert not any(year in str(caught.value) for year in ("1931", "1977"))


def test_a_release_with_intervals_of_its_own():
    original = pl.DataFrame({"a": [31, 35, 33]})
    release = pl.DataFrame({"a": ["[31, 35]", "[31, 35]", "[John, Smith]"]})
    with pytest.raises(SchemaError, match=r"'\[Aaaa, Aaaaa\]' in record 3"):
        measure(original, release, "a")


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        (["31", "35", NAME], {}),
        (["31", "35", NAME], {"a": "numeric"}),
        (["2024-01-01", "2024-01-02", NAME], {}),
        (["2024-01-01", "2024-01-02", NAME], {"a": "date"}),
    ],
)
def test_text_columns(values, kinds):
    with pytest.raises(SchemaError, match=f"'a' .*{PATTERN} in record 3") as caught:
        type_columns(pl.DataFrame({"a": values}), ["a"], kinds)
    assert "Smith" not in str(caught.value)


def test_the_command_line_shows_no_value(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"age,job\n31,cook\n33,cook\n{NAME},clerk\n")
    arguments = ["-k", "2", "-q", "age", "--others", "drop", "-o"]
    out = tmp_path / "out.csv"
    done = run("anonymize", str(path), *arguments, str(out))
    assert done.exit_code == 2 and not out.exists()
    assert "record 3" in done.stderr and "'Aaaa Aaaaa 99'" in done.stderr
    assert "--missing-mark" in done.stderr and "Smith" not in done.stderr


def test_small_strata_of_a_group_are_shown_by_their_pattern():
    wards = ["a"] * 5 + ["b"] * 4 + ["c"]
    table = pl.DataFrame({"age": range(10), "ward": wards})
    shown = r"1 of 3 strata by \['ward'\].*ward like 'a' \(1\)"
    with pytest.raises(SchemaError, match=shown):
        anonymize(table, Schema(["age"], others=["ward"]), k=3, strata="ward")


@pytest.mark.parametrize(
    "names",
    [
        [f"John {chr(65 + i)}" for i in range(10)],
        ["Ann"] * 4 + [f"John {chr(65 + i)}" for i in range(6)],
        [f"John {i // 2}" for i in range(400)] + ["John Smith"],
    ],
    ids=["unique", "mostly unique", "many"],
)
def test_strata_that_are_persons_are_counted(names):
    table = pl.DataFrame({"age": range(len(names)), "name": names})
    with pytest.raises(SchemaError, match=r"strata by \['name'\]") as caught:
        anonymize(
            table,
            Schema(["age"], others=["name"]),
            k=2,
            strata="name",
            allow_unique="name",
        )
    assert "John" not in str(caught.value)
    assert "small_strata='merge'" in str(caught.value)
