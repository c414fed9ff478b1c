"""What a reader sees together must hold together: strata that are released."""

import polars as pl
import pytest

from microcell import Schema, SchemaError, anonymize
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
    assert treatment["region"] == "joined where strata were merged"


def test_strata_count_in_the_promise():
    """Without strata as a wrapper, the same table would break k over both columns."""
    release = anonymize(TABLE.head(12), SCHEMA, k=5, strata="region")
    assert release.known == ("age", "region")
    assert release.findings[0].found == 6


def test_merged_strata_of_numbers_are_refused():
    table = TABLE.with_columns(region=pl.col("region").rank("dense").cast(pl.Int64))
    with pytest.raises(SchemaError, match="cannot be joined"):
        anonymize(table, SCHEMA, k=5, **MERGE)
    schema = Schema(["age", "region"])
    assert anonymize(table, schema, k=5, **MERGE).findings[0].found >= 5


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
