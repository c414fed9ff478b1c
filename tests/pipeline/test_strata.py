"""What a reader sees together must hold together: strata that are released."""

import datetime as dt

import narwhals as nw
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each

from microcell import (
    Recipe,
    Schema,
    SchemaError,
    anonymize,
    anonymize_file,
)
from microcell.exceptions import InputError
from microcell.io import read_table
from microcell.privacy import class_sizes

TABLE = pl.DataFrame(
    {
        "age": [20, 21, 22, 23, 24, 25, 60, 61, 62, 63, 64, 65, 66],
        "region": ["north"] * 6 + ["south"] * 6 + ["isle"],
    }
)
SCHEMA = Schema(["age"], others=["region"])
MERGE = {"strata": "region", "small_strata": "merge"}


def test_released_strata_count_and_merged_ones_share_a_value(tmp_path):
    release = anonymize(TABLE, SCHEMA, k=5, **MERGE)
    assert class_sizes(release.table, ["age", "region"]).min() >= 5
    regions = release.table["region"].to_list()
    assert set(regions) == {"north", "isle | south"}
    assert release.findings[0].found >= 5
    assert "strata merged       2 of 3" in release.summary()
    document = release.save(tmp_path / "o.csv")
    assert document["strata_merged"] == 2
    treatment = {c["name"]: c["treatment"] for c in document["columns"]}
    assert treatment["region"] == "text, joined where strata were merged"


def test_strata_count_in_the_promise():
    """Without strata as a wrapper, the same table would break k over both columns."""
    release = anonymize(TABLE.head(12), SCHEMA, k=5, strata="region")
    assert release.known == ("age", "region")
    assert release.findings[0].found == 6


VALUES = {
    "integers": ((10, 9, 8), {"10", "8 | 9"}),
    "floats": ((10.5, 9.0, 8.0), {"10.5", "8.0 | 9.0"}),
    "dates": (
        (dt.date(2024, 1, 1), dt.date(2023, 5, 5), dt.date(2024, 2, 2)),
        {"2024-01-01", "2023-05-05 | 2024-02-02"},
    ),
}


@for_each(("values", "joined"), VALUES.values())
@for_each("convert", ["clone", "to_pandas", "to_arrow"])
def test_merged_strata_of_other_types_become_text(values, joined, convert):
    north, south, isle = values
    table = TABLE.with_columns(region=pl.Series([north] * 6 + [south] * 6 + [isle]))
    table = getattr(table, convert)()
    release = anonymize(table, SCHEMA, k=5, **MERGE)
    regions = nw.from_native(release.table)["region"].to_list()
    # pandas has moments, and no dates
    assert {text.replace(" 00:00:00", "") for text in regions} == joined
    assert type(release.table) is type(table)
    assert release.columns[1]["treatment"].startswith("text, joined")


def test_merged_strata_of_booleans_become_text():
    table = TABLE.with_columns(region=pl.Series([True] * 12 + [False]))
    release = anonymize(table, SCHEMA, k=5, **MERGE)
    assert set(release.table["region"]) == {"False | True"}


def test_merged_strata_that_have_no_text_are_refused():
    table = TABLE.with_columns(region=pl.col("region").cast(pl.Binary))
    with pytest.raises(SchemaError, match="cannot be joined"):
        anonymize(table, SCHEMA, k=5, **MERGE)
    table = TABLE.with_columns(region=pl.col("region").rank("dense").cast(pl.Int64))
    schema = Schema(["age", "region"])
    assert anonymize(table, schema, k=5, **MERGE).findings[0].found >= 5


def test_a_stratum_of_two_with_k_of_three_is_shown_by_its_pattern():
    table = TABLE.with_columns(region=pl.Series(["a"] * 6 + ["b"] * 5 + ["c"] * 2))
    with pytest.raises(
        SchemaError, match=r"1 of 3 strata.*k=3 records: region like 'a' \(2\)"
    ):
        anonymize(table, SCHEMA, k=3, strata="region")


words = st.sampled_from(["a", "b", "a | b", "c"])
numbers = st.integers(-1, 2)
days = st.sampled_from([dt.date(2024, 1, 1), dt.date(2024, 1, 2)])
rows = st.tuples(st.integers(0, 9), words, numbers, days, st.booleans())


@settings(max_examples=25)
@given(
    records=st.lists(rows, min_size=4, max_size=40),
    k=st.integers(2, 4),
    names=st.lists(
        st.sampled_from(["word", "number", "day", "yes"]), min_size=1, unique=True
    ),
    small=st.sampled_from(["error", "merge"]),
    suffix=st.sampled_from([".csv", ".parquet"]),
)
def test_a_reader_of_the_file_always_finds_k(
    records, k, names, small, suffix, tmp_path_factory
):
    """Over quasi-identifiers and all strata that are released, counted in the file."""
    table = pl.DataFrame(
        records, schema=["age", "word", "number", "day", "yes"], orient="row"
    )
    schema = Schema(["age"], others=[*names, "drop"])
    sizes = table.group_by(names).len()["len"]
    try:
        release = anonymize(table, schema, k=k, strata=names, small_strata=small)
    except SchemaError as error:
        assert error.option == "strata" and small == "error" and sizes.min() < k
        return
    except InputError as error:
        assert error.option == "k" and table.height < k
        return
    assert small == "merge" or sizes.min() >= k
    path = tmp_path_factory.getbasetemp() / f"strata{suffix}"
    release.save(path, overwrite=True)
    written = read_table(path)
    assert set(written.columns) == {"age", *names}
    assert written.group_by(["age", *names]).len()["len"].min() >= k
    if release.n_strata[0] == 0:
        assert release.table.select(names).equals(table.select(names))


def test_nothing_is_joined_where_nothing_was_merged():
    table = TABLE.head(12).with_columns(region=pl.Series([1] * 6 + [2] * 6))
    release = anonymize(table, SCHEMA, k=5, **MERGE)
    assert release.table["region"].equals(table["region"])
    assert "strata merged" not in release.summary()


def test_blocks_count_released_strata_too():
    table = TABLE.with_columns(bmi=pl.col("age").reverse())
    schema = Schema(["age", "bmi"], others=["region"])
    release = anonymize(table, schema, k=5, method="individual-ranking", **MERGE)
    for name in ("age", "bmi"):
        assert class_sizes(release.table, [name, "region"]).min() >= 5


def test_several_strata_columns():
    table = TABLE.with_columns(sex=pl.Series(["f", "m"] * 6 + ["f"]))
    schema = Schema(["age"], others=["region", "sex"])
    options = {"strata": ["region", "sex"], "small_strata": "merge"}
    release = anonymize(table, schema, k=3, **options)
    assert class_sizes(release.table, ["age", "region", "sex"]).min() >= 3


def test_merged_strata_of_digits_are_joined_in_every_format(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("age,g\n" + "".join(f"{i},{1 if i else 7}\n" for i in range(12)))
    recipe = Recipe(
        Schema(["age"], others=["g"]), k=3, strata="g", small_strata="merge"
    )
    for suffix in (".csv", ".parquet"):
        release = anonymize_file(path, recipe, tmp_path / f"o{suffix}").release
        assert set(release.table["g"]) == {"1 | 7"}
        assert "strata kept apart, of 2" in [f.promise for f in release.findings]
