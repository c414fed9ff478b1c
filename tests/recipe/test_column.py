"""What is said of a column stands under the column, in Python and in recipes."""

import tomllib
import warnings
from dataclasses import replace

import polars as pl
import pytest
from marks import for_each
from typer.testing import CliRunner

from microcell import (
    Column,
    Recipe,
    Schema,
    SchemaError,
    anonymize,
    anonymize_file,
    apply_recipe,
)
from microcell.cli._app import app
from microcell.exceptions import InputError

TABLE = pl.DataFrame(
    {
        "age": [20.5, 31.5, 42.5, 53.5, 64.5, 75.5] * 4,
        "zip": ["10115", "10117", "20095", "20097", "80331", "80333"] * 4,
        "ill": ["flu", "gout"] * 12,
    }
)
SCHEMA = Schema(["age", "zip"], confidential="ill")
AGE = Column(kind="numeric", clip="25:70", digits=0, importance=2)
ZIP = Column(kind="prefix")
OLDER = {
    "clip": {"age": "25:70"},
    "digits": {"age": 0},
    "importance": {"age": 2},
}
OLD_RECIPE = """
[roles]
quasi_identifiers = ["age", "zip"]
confidential = ["ill"]
[kinds]
age = "numeric"
zip = "prefix"
[clip]
age = "25:70"
[digits]
age = 0
[importance]
age = 2
[method]
k = 3
"""
ROLES = {"quasi_identifiers": ["age", "zip"], "confidential": ["ill"]}


def test_all_ways_to_say_it_give_one_recipe(tmp_path):
    columns = {"age": AGE, "zip": ZIP}
    in_schema = replace(SCHEMA, columns=columns)
    old = Schema(**ROLES, kinds={"age": "numeric", "zip": "prefix"})
    path = tmp_path / "old.toml"
    path.write_text(OLD_RECIPE)
    with pytest.warns(DeprecationWarning, match=r"columns\.NAME"):
        read = Recipe.from_toml(path)
    recipe = Recipe(in_schema, k=3)
    assert recipe == read == Recipe(SCHEMA, k=3, columns=columns)
    assert recipe == Recipe(old, k=3, **OLDER)
    assert recipe == Recipe.of({**ROLES, "columns": columns, "k": 3})
    assert recipe.clip == {"age": "25:70"} and recipe.schema.kinds["zip"] == "prefix"
    contents = tomllib.loads(recipe.to_toml())
    assert contents["columns"] == {
        "age": {"kind": "numeric", "clip": "25:70", "digits": 0, "importance": 2},
        "zip": {"kind": "prefix"},
    }
    releases = [
        anonymize(TABLE, in_schema, k=3),
        anonymize(TABLE, SCHEMA, k=3, columns=columns),
        anonymize(TABLE, old, k=3, **OLDER),
        apply_recipe(TABLE, recipe),
    ]
    assert all(one.table.equals(releases[0].table) for one in releases)


def test_an_old_recipe_is_a_note_on_the_command_line(tmp_path):
    """Also where warnings are errors: the release is what it was."""
    TABLE.write_csv(tmp_path / "t.csv")
    (tmp_path / "old.toml").write_text(OLD_RECIPE)
    out = tmp_path / "o.csv"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("error")
        names = ("anonymize", tmp_path / "t.csv", "--recipe", tmp_path / "old.toml")
        done = CliRunner().invoke(app, [*map(str, names), "-o", str(out)])
    assert done.exit_code == 0 and out.exists(), done.output
    assert "[columns.NAME]" in str(caught[0].message)


@for_each(
    ("columns", "message"),
    [
        ({"agee": AGE}, "'kinds' names 'agee', which .* Did you mean 'age'"),
        ({"agee": Column()}, "'columns' names 'agee', which is not"),
        ({"ill": Column(clip=":9")}, "'clip' names 'ill', which is not a quasi"),
        ({"age": {"clipp": ":9"}}, "'age' has no key 'clipp'. Did you mean 'clip'"),
        ({"age": "numeric"}, r"must be a Column, for example Column\(kind="),
        ({"age": Column(kind="numerc")}, "Did you mean 'numeric'"),
        ({"age": Column(publish="medain")}, "Did you mean 'median'"),
        ({"age": Column(digits=1.5)}, "must be an integer"),
        ({"zip": Column(kind="nominal", dates="%Y")}, "is declared 'nominal'"),
        ({"zip": Column(kind="nominal", hierarchy="f")}, "and its kind is 'nominal'"),
        (["age"], "'columns' must map names to Column"),
    ],
)
def test_what_cannot_be_said_of_a_column(columns, message):
    for say in (
        lambda: Schema(["age", "zip"], confidential="ill", columns=columns),
        lambda: anonymize(TABLE, SCHEMA, k=3, columns=columns),
    ):
        with pytest.raises(InputError, match=message):
            say()


def test_columns_have_no_other_options():
    with pytest.raises(TypeError, match=r"Column has no option 'clipp'. Did you mean"):
        Column(clipp=":9")


def test_nothing_is_said_twice(tmp_path):
    with pytest.raises(SchemaError, match=r"'clip' of column 'age' is said twice"):
        Recipe(replace(SCHEMA, columns={"age": AGE}), k=3, clip={"age": ":9"})
    more = Recipe(replace(SCHEMA, columns={"age": AGE}), k=3, clip={"age": "25:70"})
    assert more.clip == {"age": "25:70"}
    path = tmp_path / "r.toml"
    path.write_text(OLD_RECIPE + '[columns.age]\nclip = ":9"')
    with pytest.raises(InputError, match="says 'clip' of column 'age' twice"):
        Recipe.from_toml(path)


def test_limits_that_are_numbers_stay_numbers():
    """A decimal mark that is found out later does not change them."""
    limits = {"age": Column(clip=(18.5, None))}
    recipe = Recipe(SCHEMA, k=3, columns=limits)
    assert recipe.clip == replace(recipe, decimal=",").clip == {"age": [18.5, ""]}
    assert Recipe.from_dict(tomllib.loads(recipe.to_toml())) == recipe


def test_marks_of_missing_values_stand_under_their_column(tmp_path):
    """In Python, in recipes and on the command line; those of all columns stay."""
    columns = {"age": Column(missing_marks=999)}
    recipe = Recipe(SCHEMA, k=3, columns=columns, missing_marks=["-"])
    assert recipe.missing_marks == {"*": ("-",), "age": ("999",)}
    mapping = {"age": ["999"], "*": ["-"]}
    assert recipe == Recipe(SCHEMA, k=3, missing_marks=mapping)
    assert recipe == replace(recipe, missing_marks=recipe.missing_marks)
    contents = tomllib.loads(recipe.to_toml())
    assert contents["columns"] == {"age": {"missing_marks": ["999"]}}
    assert contents["records"]["missing_marks"] == ["-"]
    older = Recipe(SCHEMA, k=3).to_dict()
    older["records"]["missing_marks"] = mapping
    assert recipe == Recipe.from_dict(contents) == Recipe.from_dict(older)
    with pytest.raises(SchemaError, match="'missing_marks' names 'ill'"):
        Schema(["age"], confidential="ill", columns={"ill": columns["age"]})
    with pytest.raises(SchemaError, match="'missing_marks' of column 'age' is said tw"):
        Recipe(SCHEMA, k=3, columns=columns, missing_marks={"age": ["-9"]})
    table = TABLE.with_columns(age=pl.col("age").replace(75.5, 999))
    release = anonymize(table, SCHEMA, k=3, columns=columns, missing="drop")
    assert release.n_dropped == 4


@pytest.mark.parametrize("engine", ["memory", "disk"])
def test_marks_of_a_column_hold_in_parts(tmp_path, engine):
    table = TABLE.with_columns(age=pl.col("age").replace(75.5, 999))
    table.write_csv(tmp_path / "t.csv")
    columns = {"age": Column(missing_marks=[999]), "zip": ZIP}
    recipe = Recipe(SCHEMA, k=3, columns=columns, missing="drop", shard=10)
    source, out = tmp_path / "t.csv", tmp_path / "o.csv"
    anonymize_file(source, recipe, out, engine=engine)
    assert pl.read_csv(out)["age"].max() < 70 and pl.read_csv(out).height == 20


@for_each("name", [*OLDER, "kinds", "hierarchies", "dates", "missing_marks"])
def test_a_mapping_says_something_of_each_column(name):
    with pytest.raises(InputError, match=r"of column .age. must be said\. Got None"):
        Schema(["age", "zip"], **{name: {"age": None}})
