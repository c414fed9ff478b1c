"""microcell inspect on the command line."""

import json

import polars as pl
import pytest
from commands import run

from microcell import Recipe
from microcell.datasets import make_hospital


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "hospital.csv"
    make_hospital(300, random_state=0).frame.write_csv(path)
    return path


def test_from_a_table_to_a_release_with_nothing_to_type(table, tmp_path):
    recipe, out = tmp_path / "r.toml", tmp_path / "out.csv"
    done = run("inspect", table, "--write-recipe", recipe)
    assert done.exit_code == 0, done.stderr
    assert "quasi-identifier" in done.stdout and "city follows from" in done.stdout
    assert f"microcell anonymize {table} --recipe {recipe}" in done.stdout
    assert Recipe.from_toml(recipe).k == 5
    done = run("anonymize", table, "--recipe", recipe, "-o", out)
    assert done.exit_code == 0, done.stderr
    assert "counted in household: promised 5, found" in done.stdout
    assert "household" not in pl.read_csv(out).columns


def test_nothing_is_written_without_a_word(table, tmp_path):
    before = sorted(tmp_path.iterdir())
    assert run("inspect", table).exit_code == 0
    assert sorted(tmp_path.iterdir()) == before


def test_json(table):
    done = run("inspect", table, "--json", "-k", "7")
    found = json.loads(done.stdout)
    assert found["k"] == 7 and found["records"] == 300 and found["unit"] == "household"
    assert {c["name"]: c["role"] for c in found["columns"]}["hiv"] == "confidential"
    assert {"distinction", "separation", "unique"} <= set(found["sets"][0])


def test_dialect_goes_into_the_recipe(tmp_path):
    path, recipe = tmp_path / "t.csv", tmp_path / "r.toml"
    make_hospital(300, random_state=0).frame.write_csv(path, separator=";")
    done = run("inspect", path, "--delimiter", ";", "--write-recipe", recipe)
    assert done.exit_code == 0, done.stderr
    done = run("anonymize", path, "--recipe", recipe, "-o", tmp_path / "out.csv")
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-k", "1"), ">= 2"),
        (("-k", "five"), "five"),
        (("--write-recipe", "{table}"), "also an input"),
        (("--write-recipe", "{folder}/no/r.toml"), "no"),
        (("--delimiter", ";;"), "delimiter"),
    ],
)
def test_errors(table, arguments, words):
    given = [a.format(table=table, folder=table.parent) for a in arguments]
    done = run("inspect", table, *given)
    assert done.exit_code == 2 and words in done.stderr


def test_a_recipe_is_not_replaced_without_a_word(table, tmp_path):
    recipe = tmp_path / "r.toml"
    recipe.write_text("mine")
    done = run("inspect", table, "--write-recipe", recipe)
    assert done.exit_code == 2 and "--overwrite" in done.stderr
    assert recipe.read_text() == "mine"
    assert run("inspect", table, "--write-recipe", recipe, "--overwrite").exit_code == 0


def test_planted_values_are_not_in_errors(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("age,name\n" + "30,Ann\n" * 9 + "31,Quizzlewort,x\n")
    done = run("inspect", path)
    assert done.exit_code == 2 and "Quizzlewort" not in done.output
