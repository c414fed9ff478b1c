import tomllib

import numpy as np
import polars as pl
import pytest
from frames import LIBRARIES, SCHEMA
from marks import for_each

from microcell import Recipe, Schema, anonymize, apply_recipe
from microcell.methods import mdav, random_aggregation
from microcell.privacy import PSensitivity

FULL = Recipe(
    Schema(
        ["age", "grade"],
        identifiers="name",
        confidential="illness",
        others=["ward"],
        kinds={"age": "numeric", "grade": ["low", "high"]},
    ),
    k=4,
    method="vmdav",
    parameters={"gamma": 0.9},
    scale="minmax",
    aggregate="median",
    missing="drop",
    missing_marks=["?"],
    strata="ward",
    small_strata="merge",
)


@pytest.mark.parametrize("recipe", [FULL, Recipe(Schema(["a"]), k=2)])
def test_round_trip(recipe, tmp_path):
    path = tmp_path / "recipe.toml"
    path.write_text(recipe.to_toml())
    assert Recipe.from_toml(path) == recipe


def test_what_is_published_holds_no_seed_of_an_estimator_or_a_function():
    def drawn(k, *, scale=None, seed=0):
        return mdav(k, scale=scale)

    own = Recipe(Schema(["age"]), k=3, method=drawn, parameters={"seed": 987123})
    assert own.without_seed()["method"]["parameters"] == {"seed": "withheld"}
    assert own.parameters == {"seed": 987123}
    seeded = random_aggregation(3, random_state=987123)
    method = Recipe(Schema(["age"]), k=3, method=seeded).without_seed()["method"]
    assert "987123" in repr(seeded)
    assert method["estimator"] == repr(seeded).replace("987123", "withheld")


def test_a_recipe_makes_the_release_again(tmp_path):
    table = LIBRARIES["polars"]()
    release = anonymize(table, SCHEMA, k=3, method="mondrian", mode="relaxed")
    path = tmp_path / "recipe.toml"
    path.write_text(release.recipe.to_toml())
    assert apply_recipe(table, path).table.equals(release.table)


HEAD = "[roles]\nquasi_identifiers = ['a']\n[method]\nk = 5\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[roles]\nquasi_identifer = ['a']", r"no key 'quasi_identifer'. Did you mean"),
        ("[rolls]\n", r"no key 'rolls'. Did you mean 'roles'"),
        ("k = 5", "no key 'k'"),
        ("roles = 5", r"\[roles\] in the recipe must be a table"),
        ("[method]\nk = 5", "names no quasi_identifiers"),
        ("[roles]\nquasi_identifiers = ['a']", "no k in"),
        ("[roles]\nquasi_identifiers = ['a']\n[method]\nk = 2.5", "integer >= 2"),
        ("not toml", "is not a TOML file"),
        ("[roles]\nquasi_identifiers = 5\n[method]\nk = 5", "'quasi_identifiers' must"),
        (HEAD + "[columns.a]\nkind = 5", "order of column 'a'"),
        (HEAD + "[columns.a]\nclipp = 5", r"no key 'clipp'. Did you mean 'clip'"),
        (HEAD + "[columns.b]\nclip = ':9'", "'clip' names 'b', which is not a quasi"),
        (HEAD + "[columns]\na = 5", r"\[columns.a\] in the recipe must be a table"),
        (HEAD + "parameters = 5", "'parameters' must map"),
        (HEAD + "[records]\nstrata = 5", "'strata' must be"),
    ],
)
def test_bad_recipes(text, message, tmp_path):
    path = tmp_path / "recipe.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        apply_recipe(pl.DataFrame({"a": [1, 2]}), path)


def test_a_recipe_is_readable():
    contents = tomllib.loads(FULL.to_toml())
    assert contents["method"]["parameters"] == {"gamma": 0.9}
    assert contents["columns"]["grade"] == {"kind": ["low", "high"]}


def test_numbers_of_numpy_can_be_written():
    recipe = Recipe(
        Schema(["a"]),
        k=np.int64(4),
        method="vmdav",
        parameters={"gamma": np.float64(1)},
    )
    assert tomllib.loads(recipe.to_toml())["method"]["parameters"] == {"gamma": 1.0}


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"a = " + b"[" * 20000 + b"]" * 20000, "nested too deeply"),
        (b"\xff\xfe", "not UTF-8"),
        (b"a = " + b"1" * 5000, "not a TOML file"),
        (b"a = ", "not a TOML file"),
    ],
)
def test_files_that_are_no_recipe(contents, message, tmp_path):
    path = tmp_path / "r.toml"
    path.write_bytes(contents)
    with pytest.raises(ValueError, match=message):
        Recipe.from_toml(path)


def test_recipes_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no recipe"):
        Recipe.from_toml(tmp_path / "nowhere.toml")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        Recipe.from_toml(tmp_path)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(OSError, match=r"cannot be read: Too many levels"):
        Recipe.from_toml(loop)


def test_promises_of_one_model_about_two_columns(tmp_path):
    schema = Schema(["a"], confidential=["b", "c"])
    promises = [PSensitivity(2, "b"), PSensitivity(3, "c")]
    recipe = Recipe(schema, k=3, promises=promises)
    path = tmp_path / "r.toml"
    path.write_text(recipe.to_toml())
    assert Recipe.from_toml(path).promises == tuple(promises)
    one = Recipe(schema, k=3, promises=PSensitivity(2))
    assert tomllib.loads(one.to_toml())["promises"] == {"p-sensitivity": 2}


@for_each(
    ("promises", "message"),
    [
        ({"magic": 2}, "no promise 'magic'"),
        ({"p-sensitivity": {"q": 2}}, "cannot be made of"),
        (
            {"p-sensitivity": "two"},
            "'p' of the promise 'p-sensitivity' must be an integer",
        ),
        ([2], "holds promises"),
        (5, "holds promises"),
    ],
)
def test_what_is_no_promise(promises, message):
    with pytest.raises(ValueError, match=message):
        Recipe(Schema(["a"], confidential="b"), k=3, promises=promises)
