"""One method is the default, everywhere."""

import inspect
import tomllib

import numpy as np
import polars as pl
import pytest
from marks import for_each
from tables import gaussian
from typer.testing import CliRunner

from microcell import (
    METHODS,
    Recipe,
    ReleaseClassifier,
    ReleaseRegressor,
    Schema,
    anonymize,
)
from microcell._default_method import DEFAULT_METHOD
from microcell.app._catalogue import catalogue
from microcell.app._vetting import vet
from microcell.cli._app import app
from microcell.exceptions import InputError
from microcell.privacy import PSensitivity, TCloseness

SCHEMA = Schema(["a", "b"], confidential="ill")
WIDE = {"COLUMNS": "300", "NO_COLOR": "1", "TERM": "dumb"}


def people(n=60):
    X = gaussian(n, 2)
    ill = np.random.default_rng(1).choice(["flu", "gout", "cold"], n)
    return pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "ill": ill})


def test_it_is_one_of_the_methods():
    assert DEFAULT_METHOD in METHODS


def test_every_door_has_the_same():
    assert inspect.signature(anonymize).parameters["method"].default == DEFAULT_METHOD


def test_each_default_that_the_signature_shows_may_be_passed():
    shown = inspect.signature(anonymize).parameters.values()
    given = {p.name: p.default for p in shown if p.kind is p.KEYWORD_ONLY}
    recipe = anonymize(people(), SCHEMA, **{**given, "k": 3}).recipe
    assert recipe == Recipe(SCHEMA, k=3)
    assert Recipe(SCHEMA, k=3).method == DEFAULT_METHOD
    assert Recipe(SCHEMA, k=3, method=None).method == DEFAULT_METHOD
    assert anonymize(people(), SCHEMA, k=3).recipe.method == DEFAULT_METHOD
    for model in (ReleaseClassifier(), ReleaseRegressor()):
        assert model.method == DEFAULT_METHOD
    written = tomllib.loads(Recipe(SCHEMA, k=3).to_toml())
    assert written["method"]["name"] == DEFAULT_METHOD
    read = Recipe.from_dict({"roles": written["roles"], "method": {"k": 3}})
    assert read.method == DEFAULT_METHOD


def test_the_command_line_says_it():
    shown = CliRunner().invoke(app, ["anonymize", "--help"], env=WIDE)
    assert f"Default: {DEFAULT_METHOD}." in " ".join(shown.output.split())


def test_the_app_shows_it_first():
    usual = [method for method in catalogue()["methods"] if method["usual"]]
    assert [method["name"] for method in usual] == [DEFAULT_METHOD]
    assert usual[0]["recommended"] and usual[0]["compared"]
    options = {option["name"]: option for option in catalogue()["options"]}
    assert options["method"]["default"] == DEFAULT_METHOD
    assert vet({"k": 3}, str) == {"k": 3}


def test_its_cells_are_those_of_the_method():
    table = people()
    by_name = anonymize(table, SCHEMA, k=3, method=DEFAULT_METHOD)
    assert anonymize(table, SCHEMA, k=3).table.equals(by_name.table)


@pytest.mark.parametrize(
    ("promise", "enforce"),
    [
        (TCloseness(0.4), "t-first"),
        (TCloseness(0.4), "k-first"),
        (PSensitivity(2), "p-first"),
    ],
)
def test_cells_built_for_a_promise_are_built_as_mdav_does(promise, enforce):
    given = {"k": 3, "promises": [promise], "enforce": enforce}
    release = anonymize(people(), SCHEMA, **given)
    assert release.recipe.method == "mdav"
    with pytest.raises(InputError, match=f"'{DEFAULT_METHOD}'") as caught:
        anonymize(people(), SCHEMA, method=DEFAULT_METHOD, **given)
    assert "method='mdav'" in str(caught.value)


def test_what_is_said_of_the_search_is_said_of_mdav():
    assert Recipe(SCHEMA, k=3, refine="long").method == "mdav"
    assert Recipe(SCHEMA, k=3, refine="no").method == "mdav"  # and not a search
    assert Recipe(SCHEMA, k=3).method == DEFAULT_METHOD
    for method in (DEFAULT_METHOD, "best"):
        with pytest.raises(InputError, match="is a search, so refine='no' cannot"):
            Recipe(SCHEMA, k=3, refine="no", method=method)
    with pytest.raises(InputError, match="would do it twice"):
        Recipe(SCHEMA, k=3, refine="long", method=DEFAULT_METHOD)


@for_each("n", [4, 5, 7, 8])
@for_each("wide", [1, 30])
def test_few_records_and_columns_that_say_nothing(n, wide):
    X = np.hstack([gaussian(n, wide), np.ones((n, 2))])
    names = [f"x{j}" for j in range(X.shape[1])]
    table = pl.DataFrame(dict(zip(names, X.T, strict=True)))
    by_mdav = anonymize(table, Schema(names), k=4, method="mdav")
    release = anonymize(table, Schema(names), k=4)
    assert np.bincount(release.labels).min() >= 4
    assert release.scores["sse_loss"] <= by_mdav.scores["sse_loss"] * (1 + 1e-12)
    same = anonymize(table.select(names[-2:]), Schema(names[-2:]), k=4)
    assert same.table.equals(table.select(names[-2:]))
