"""Recipes and calls that cannot be honoured are refused in our words."""

import numpy as np
import polars as pl
import pytest
from marks import for_each

from microcell import (
    ByBlock,
    ByStratum,
    Microaggregator,
    Recipe,
    Schema,
    SchemaError,
    anonymize,
)
from microcell.exceptions import InputError
from microcell.partition import MDAV, Mondrian
from microcell.privacy import CellSize, KAnonymity, PSensitivity

TABLE = pl.DataFrame(
    {"age": np.arange(40) + 0.5, "inc": np.arange(40)[::-1] * 2.0, "a": ["x", "y"] * 20}
)


SCHEMA = Schema(["age", "inc"], confidential="a")


def too_small(k, *, scale=None):
    return Microaggregator(MDAV(2), embed=scale)


@pytest.mark.parametrize(
    "method",
    [
        ByBlock(Microaggregator(MDAV(2)), blocks=2),
        Microaggregator(ByStratum(MDAV(2), strata=Mondrian(10))),
        too_small,
    ],
    ids=["blocks", "strata", "function"],
)
def test_a_method_of_a_smaller_k_is_refused(method):
    with pytest.raises(InputError, match="made with k=2"):
        anonymize(TABLE, SCHEMA, k=5, method=method)


def test_what_the_schema_says_is_not_an_option():
    with pytest.raises(InputError, match="'others' is said in the schema"):
        anonymize(TABLE, SCHEMA, k=3, others="drop")


def test_a_scale_that_an_estimator_would_ignore_is_refused():
    estimator = Microaggregator(MDAV(5))
    with pytest.raises(InputError, match="its own geometry"):
        anonymize(TABLE, SCHEMA, k=5, method=estimator, scale="minmax")
    method = anonymize(TABLE, SCHEMA, k=5, method=estimator).certificate()["recipe"]
    assert "scale" not in method["method"]
    assert "MDAV" in method["method"]["estimator"]


def test_a_parameter_of_none_is_left_out_of_a_recipe():
    recipe = Recipe(SCHEMA, k=3, method="pcp", parameters={"v": None})
    assert recipe.parameters == {} and recipe.to_toml()


def test_promises_that_cannot_be_are_refused_first():
    for promise, message in (
        (PSensitivity(2, "nope"), "'nope', which is not confidential"),
        (PSensitivity(2, "age"), "'age', which is not confidential"),
        (KAnonymity(2, columns=("zz",)), "'zz', which is no quasi-identifier"),
        (KAnonymity(10), "is more than k=5"),
        (CellSize(10), "is more than k=5"),
    ):
        with pytest.raises(InputError, match=message):
            Recipe(SCHEMA, k=5, promises=[promise])
    with pytest.raises(InputError, match="'k' parameter must be an integer"):
        KAnonymity("x")


@for_each(
    "options",
    [
        {"measures": 5},
        {"parameters": [1]},
        {"promises": 5},
        {"promises": "p-sensitivity"},
        {"encoding": 5},
        {"delimiter": 7},
        {"method": Microaggregator},
        {"method": "os:getcwd"},
        {"method": "json:dumps"},
    ],
)
def test_odd_arguments_give_an_error_of_ours(options):
    with pytest.raises(InputError):
        anonymize(TABLE, SCHEMA, k=3, **options)


@pytest.mark.parametrize("contents", [5, "x", None, [1]])
def test_what_is_no_recipe(contents):
    with pytest.raises(InputError, match="table of sections"):
        Recipe.from_dict(contents)
    with pytest.raises(SchemaError, match="each value once"):
        Schema(["a"], kinds={"a": [[1], [2]]})


class Narrow:
    """A plan of somebody else that does not do what it must."""

    def __init__(self, labels=True):
        self.labels = labels

    def get_params(self, deep=True):
        return {"labels": self.labels}

    def fit_transform(self, X, y=None):
        if self.labels:
            self.labels_ = np.zeros(len(X), dtype=int)
            return X[:, :1]
        return X * 0

    def __sklearn_tags__(self):
        from sklearn.base import BaseEstimator

        return BaseEstimator().__sklearn_tags__()


def test_plans_that_release_something_else_are_refused():
    with pytest.raises(InputError, match="released an array of shape"):
        anonymize(TABLE, SCHEMA, k=3, method=Narrow())
    with pytest.raises(InputError, match="must have 'labels_'"):
        anonymize(TABLE, SCHEMA, k=3, method=Narrow(labels=False))
