"""Confidential columns of a declared kind."""

import polars as pl
import pytest

from microcell import (
    Recipe,
    Schema,
    SchemaError,
    anonymize,
    anonymize_file,
)
from microcell.columns import open_frame, target_values

FRAME = open_frame(pl.DataFrame({"code": [1, 2, 9, 1], "grade": list("bacb")}))


def test_a_kind_decides_what_the_target_is():
    assert target_values(FRAME, "code").tolist() == [1, 2, 9, 1]
    assert target_values(FRAME, "code", "nominal").tolist() == [0, 1, 2, 0]
    assert target_values(FRAME, "grade", ["c", "b", "a"]).tolist() == [1, 2, 0, 1]


def test_a_kind_that_does_not_fit_is_refused():
    table = pl.DataFrame({"age": range(6), "ill": ["x", "y", None] * 2})
    options = {"confidential": "ill", "kinds": {"ill": "numeric"}}
    with pytest.raises(SchemaError, match="'ill' is declared numeric but holds"):
        anonymize(table, Schema(["age"], **options), k=3)
    options["kinds"] = {"ill": ["x"]}
    with pytest.raises(SchemaError, match="not in its order"):
        anonymize(table, Schema(["age"], **options), k=3)
    options["kinds"] = {"ill": ["x", "y"]}
    assert anonymize(table, Schema(["age"], **options), k=3).findings[0].holds


def test_a_target_of_a_declared_kind_shapes_cells():
    table = pl.DataFrame({"age": range(40), "ill": [1, 2, 3, 4] * 10})
    schema = Schema(["age"], confidential="ill", kinds={"ill": "nominal"})
    assert anonymize(table, schema, k=4, method="mdav-sd").findings[0].holds


def test_an_empty_target_is_missing_in_every_interface(tmp_path):
    path = tmp_path / "t.csv"
    rows = [f"{i},{i % 2 if i else ''}" for i in range(30)]
    path.write_text("age,y\n" + "\n".join(rows) + "\n")
    recipe = Recipe(Schema(["age"], confidential="y"), k=3, method="lda-mdav")
    for suffix in (".csv", ".parquet"):
        with pytest.raises(SchemaError, match=r"1 missing value\(s\)"):
            anonymize_file(path, recipe, tmp_path / f"o{suffix}")
    kinds = Schema(["age"], confidential="y", kinds={"y": "numeric"})
    for suffix in (".csv", ".parquet"):
        anonymize_file(path, Recipe(kinds, k=3), tmp_path / f"o{suffix}")
