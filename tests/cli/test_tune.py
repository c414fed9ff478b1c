"""microcell tune: the sentence, the recipe, the folder, and the way out."""

import json
import os
import tomllib

import numpy as np
import polars as pl
import pytest
from commands import run

ROLES = ["-q", "age,bmi,sex", "-c", "ill"]


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "people.csv"
    pl.DataFrame(
        {
            "age": rng.integers(18, 90, 80),
            "bmi": rng.normal(25, 4, 80).round(1),
            "sex": rng.choice(["f", "m"], 80),
            "ill": rng.choice(["no", "flu"], 80),
        }
    ).write_csv(path)
    return path


def tuned(table, *more):
    methods = [] if "--methods" in more else ["--methods", "mdav,mondrian"]
    few = ["--jobs", 1, "--candidates", 14]
    return run("tune", table, *ROLES, *methods, *few, *more)


def test_the_recipe_it_writes_makes_a_release_within_the_limits(table, tmp_path):
    recipe, release = tmp_path / "best.toml", tmp_path / "release.csv"
    done = tuned(
        table, "--where", "linkage <= 30%", "--where", "t <= 0.2",
        "--write-recipe", recipe,
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert "has the least loss" in done.stdout.splitlines()[0]
    assert "candidates in" in done.stdout
    assert "seed" not in tomllib.loads(recipe.read_text())["method"]
    made = run("anonymize", table, "--recipe", recipe, "-o", release, "--json")
    assert made.exit_code == 0, made.stderr
    found = json.loads(made.stdout)
    assert found["scores"]["distance_linkage_risk"] <= 0.3
    assert found["disclosure"]["ill"]["t_distance_max"] <= 0.2


def test_json_and_a_folder_that_goes_on(table, tmp_path):
    out = tmp_path / "out"
    arguments = ("--where", "k >= 5", "--out", out)
    shown = json.loads(tuned(table, *arguments, "--json").stdout)
    assert shown["best"]["k"] >= 5
    assert {"choice.json", "recipe.toml", "comparison.csv"} <= set(os.listdir(out))
    assert json.loads((out / "choice.json").read_text())["why"] == shown["why"]
    again = tuned(table, *arguments)
    assert again.exit_code == 0, again.stderr
    assert f"{shown['candidates_run']} known from before" in again.stdout


def test_what_binds_is_said_and_the_code_is_2(table):
    done = tuned(table, "--where", "loss <= 0.1%", "--where", "linkage <= 90%")
    assert done.exit_code == 2
    said = " ".join(done.stderr.split())
    assert "Without the limit of loss" in said and "nearest comes" in said
    assert "Allow 'loss <= " in said
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--where", "linkge <= 5%"], "Did you mean 'linkage'?"),
        (["--where", "linkage"], "--where takes constraints like"),
        (["--where", "linkage <= 5"], "Did you mean 5%?"),
        (["--highest", "accuracy"], "label"),
        (["--least", "loss", "--highest", "k"], "One figure is sought"),
        (["--candidates", "0"], "--candidates must be"),
        (["--where", "k >= 9", "-k", "3,5"], "must be at least 9"),
    ],
)
def test_bad_input_is_said(table, arguments, said):
    done = run("tune", table, *ROLES, "--jobs", 1, *arguments)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())


def test_nothing_is_replaced_unasked(table, tmp_path):
    recipe = tmp_path / "best.toml"
    recipe.write_text("mine")
    assert tuned(table, "--write-recipe", recipe).exit_code == 2
    assert recipe.read_text() == "mine"
    assert tuned(table, "--write-recipe", table, "--overwrite").exit_code == 2
    done = tuned(table, "--write-recipe", recipe, "--overwrite")
    assert done.exit_code == 0, done.stderr
    assert recipe.read_text() != "mine"


def test_method_k_and_parameters_of_a_recipe_are_searched(table, tmp_path):
    recipe = tmp_path / "r.toml"
    release = tmp_path / "release.csv"
    made = run(
        "anonymize", table, *ROLES, "-k", 40, "-m", "vmdav", "-p", "gamma=0.5",
        "--scale", "minmax", "-o", release, "--write-recipe", recipe,
    )  # fmt: skip
    assert made.exit_code == 0, made.stderr
    done = run(
        "tune", table, "--recipe", recipe, "-m", "mdav", "--jobs", 1,
        "--candidates", 4, "--json",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    best = json.loads(done.stdout)["recipe"]
    assert best["method"]["k"] < 40 and best["method"]["name"] == "mdav"
    assert best["method"]["scale"] == "minmax"
