"""Confidential columns of a declared kind."""

import numpy as np
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
from microcell.exceptions import InputError
from microcell.metrics import homogeneity

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


def test_several_targets_shape_cells_at_once(tmp_path):
    rng = np.random.default_rng(0)
    table = pl.DataFrame(rng.normal(size=(120, 3)), schema=["a", "b", "c"])
    table = table.with_columns(
        ill=(pl.col("a") > 0).cast(pl.Int64), home=pl.col("b") > 0
    )
    given = {
        "schema": Schema(["a", "b", "c"], confidential=["ill", "home"]),
        "k": 5,
        "method": "lda-mdav",
        "parameters": {"alpha": 64.0},
    }
    both = anonymize(table, target="ill,home", **given)
    cells = [both.table]
    for one in ("ill", "home"):
        cells.append(anonymize(table, target=one, **given).table)
        assert not cells[0].equals(cells[-1])
    assert both.recipe.targets == ["ill", "home"]
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(both.recipe.to_toml())
    assert Recipe.from_toml(recipe).targets == ["ill", "home"]
    shares = {
        one: homogeneity(cells[0].select("a", "b", "c").to_numpy(), table[one])
        for one in ("ill", "home")
    }
    worst = max(share.homogeneous_records for share in shares.values())
    assert both.scores["homogeneous_records"] == pytest.approx(worst, abs=0.01)
    of_one = given | {"method": "ktca++", "parameters": {}}
    with pytest.raises(InputError, match="one confidential attribute"):
        anonymize(table, target="ill,home", **of_one)
    with pytest.raises(SchemaError, match="name one of"):
        anonymize(table, target="ill,house", **given)
