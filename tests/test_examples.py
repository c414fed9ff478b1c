"""The demo and the recipes in examples/; the gallery has a test file of its own."""

from pathlib import Path

import polars as pl
import pytest
from marks import first_is_quick

from microcell import Recipe
from microcell.datasets import make_hospital
from microcell.release import anonymize_file

RECIPES = Path(__file__).parent.parent / "examples" / "recipes"


@pytest.mark.parametrize(
    "layout", first_is_quick(["%d.%m.%Y", "%Y-%m-%d"])
)  # as people, as datasets
def test_hospital(layout, tmp_path):
    table = make_hospital(2000, random_state=0).frame
    written = table.with_columns(pl.col("born").dt.strftime(layout))
    written.write_csv(tmp_path / "hospital.csv")
    recipe = Recipe.from_toml(RECIPES / "hospital.toml")
    recipe = Recipe.of({**given(recipe), "order": "keep"})
    done = anonymize_file(tmp_path / "hospital.csv", recipe, tmp_path / "out.csv")
    released = pl.read_csv(tmp_path / "out.csv", infer_schema=False)
    assert released.columns == [
        "postcode", "city", "born", "sex", "icd", "hiv", "cost", "outcome",
    ]  # fmt: skip
    masked = ["postcode", "city", "born", "sex", "icd"]
    households = released.with_columns(table["household"]).group_by(masked)
    assert households.agg(pl.col("household").n_unique())["household"].min() >= 5
    for name in ("hiv", "cost", "outcome"):
        assert released[name].to_list() == written[name].cast(pl.String).to_list()
    born = released["born"].drop_nulls()
    decades = {
        "%d.%m.%Y": r"^\[01\.01\.\d{3}0; 31\.12\.\d{3}9\]$",
        "%Y-%m-%d": r"^\[\d{3}0-01-01, \d{3}9-12-31\]$",
    }
    assert born.str.contains(decades[layout]).all()
    zips = released["postcode"].drop_nulls()
    assert zips.str.contains(r"^[0-9]*\**$").all() and (zips.str.len_chars() == 5).all()
    scores = done.release.scores
    assert scores["prosecutor_max_risk"] == 1 / 5
    assert scores["journalist_max_risk"] < 1 / 100


@pytest.mark.slow
def test_adult_whole(tmp_path, benchmark_data):
    table, recipe = benchmark_data / "adult.csv", RECIPES / "adult.toml"
    done = anonymize_file(table, recipe, tmp_path / "out.csv")
    released = pl.read_csv(tmp_path / "out.csv", infer_schema=False)
    assert released.height == 48_842
    masked = list(done.release.recipe.schema.quasi_identifiers)
    assert len(masked) == 8
    assert released.group_by(masked).len()["len"].min() >= 5
    assert released["age"].str.contains(r"^\d+$").all()
    assert 0 < released["workclass"].null_count() < 4000
    assert released["native-country"].n_unique() > 20
    assert done.release.scores["sse_loss"] < 0.1


def given(recipe):
    """Options of a recipe, to change one."""
    names = ["method", "ends", "importance", "representatives", "missing", "unit"]
    return {"schema": recipe.schema, "k": recipe.k, "dates": recipe.dates} | {
        name: getattr(recipe, name) for name in [*names, "weights"]
    }
