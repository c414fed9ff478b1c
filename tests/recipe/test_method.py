"""Methods by name, by import path, and as objects of a program."""

import tomllib

import numpy as np
import polars as pl
import pytest
from marks import for_each
from sklearn.base import BaseEstimator

from microcell import METHODS, ByBlock, Microaggregator, Recipe, Schema, anonymize
from microcell.exceptions import InputError
from microcell.partition import MDAV, Mondrian
from microcell.recipe._method import resolve_method

TABLE = pl.DataFrame(
    {"age": np.random.default_rng(0).permutation(60), "sex": ["f", "m", "m"] * 20}
)
SCHEMA = Schema(["age", "sex"])


def coarse(k, *, scale=None, factor=2):
    """A user's own method: Mondrian with larger cells."""
    return Microaggregator(Mondrian(factor * k), embed=scale)


def test_a_function_is_a_method_and_is_recorded_by_its_path():
    def local(k, *, scale=None):
        return Microaggregator(MDAV(k), embed=scale)

    release = anonymize(TABLE, SCHEMA, k=3, method=local)
    assert release.table.equals(anonymize(TABLE, SCHEMA, k=3, method="mdav").table)
    with pytest.raises(InputError, match="recipe file cannot hold"):
        release.recipe.to_toml()
    assert release.certificate()["recipe"]["method"]["name"].endswith("local")

    named = anonymize(TABLE, SCHEMA, k=3, method=METHODS["vmdav"], gamma=0.5)
    contents = tomllib.loads(named.recipe.to_toml())
    assert contents["method"]["name"] == "vmdav"
    assert Recipe.from_dict(contents) == named.recipe
    assert named.recipe.parameters == {"gamma": 0.5}


def test_a_function_has_its_parameters():
    release = anonymize(TABLE, SCHEMA, k=3, method=coarse, factor=4)
    assert release.findings[0].found >= 12
    with pytest.raises(InputError, match="coarse' has no parameter 'gamma'"):
        anonymize(TABLE, SCHEMA, k=3, method=coarse, gamma=1)


def test_an_estimator_is_a_method():
    estimator = Microaggregator(MDAV(3))
    release = anonymize(TABLE, SCHEMA, k=3, method=estimator, strata="sex")
    assert release.table["sex"].equals(TABLE["sex"])  # categories keep their modes
    assert not hasattr(estimator, "labels_")
    with pytest.raises(ValueError, match="was made with k=3"):
        anonymize(TABLE, SCHEMA, k=4, method=estimator)


def test_blocks_out_of_order_publish_each_column_as_itself():
    """Blocks that were not in column order once swapped the columns."""
    table = pl.DataFrame(
        {
            "a": np.arange(20) + 0.5,
            "b": np.arange(20) + 100.5,
            "c": np.arange(20) - 50.5,
        }
    )

    def method(k, *, scale=None):
        return ByBlock(Microaggregator(MDAV(k), embed=scale), blocks=[[1, 0], [2]])

    release = anonymize(table, Schema(["a", "b", "c"]), k=3, method=method)
    for name in table.columns:
        assert release.table[name].mean() == pytest.approx(table[name].mean())
    assert [f.promise for f in release.findings][:2] == [
        "k-anonymity of b, a",
        "k-anonymity of c",
    ]


class Constant(BaseEstimator):
    """An estimator of somebody else: one cell of all records."""

    def fit_transform(self, X, y=None):
        self.labels_ = np.zeros(len(X), dtype=int)
        return np.repeat(X.mean(axis=0, keepdims=True), len(X), axis=0)


class Careless(Constant):
    def fit_transform(self, X, y=None):
        super().fit_transform(X, y)
        return X


def test_estimators_of_others_are_held_to_k_anonymity():
    numbers = TABLE.select("age")
    schema = Schema(["age"])
    release = anonymize(numbers, schema, k=5, method=Constant())
    assert release.findings[0].found == 60
    with pytest.raises(RuntimeError, match="promised 5, found 1"):
        anonymize(numbers, schema, k=5, method=Careless())
    with pytest.raises(InputError, match="masks by itself"):
        anonymize(numbers, schema, k=5, method=Constant(), aggregate="median")
    with pytest.raises(InputError, match="masks by itself"):
        anonymize(TABLE, SCHEMA, k=5, method=Constant(), strata="sex")


@for_each("method", ["magic", "os", "nowhere:x", "os:environ", 5, ":f"])
def test_what_is_no_method(method):
    with pytest.raises(InputError, match=r"must be one of|cannot be imported"):
        resolve_method(method)


def test_a_seed_needs_a_random_method():
    with pytest.raises(InputError, match="draws no random numbers"):
        anonymize(TABLE, SCHEMA, k=3, random_state=0)


def noisy(k, *, scale=None, random_state=None):
    rng = np.random.default_rng(random_state)
    seen.append(int(rng.integers(1000)))
    return Microaggregator(MDAV(k), embed=scale)


seen: list[int] = []


def test_a_seed_reaches_the_method_and_no_certificate():
    releases = [
        anonymize(TABLE, SCHEMA, k=3, method=noisy, random_state=7) for _ in range(2)
    ]
    assert len(set(seen)) == 1
    assert "seed" not in releases[0].certificate()["recipe"]["method"]
    assert releases[0].recipe.to_dict()["method"]["seed"] == 7
