"""Weights of columns: every method either honours them or says that it does not."""

import numpy as np
import polars as pl
import pytest
from marks import for_each
from tables import seed_of

from microcell import METHODS, Recipe, Schema, anonymize
from microcell.compose import Microaggregator
from microcell.embed import StandardScale
from microcell.exceptions import InputError, SchemaError
from microcell.partition import MDAV

NO_EFFECT = {  # whose cells are the same on any scale
    "mondrian": {},
    "lda-mondrian": {},
    "individual-ranking": {},
    "zscores": {"cost": "projected"},
    "sugeno": {"cost": "projected"},
    "kde": {"min_k": 1},
    "kde++": {"min_k": 1},
    "pcp": {"v": 1},
}
HONOURED = [
    *[(name, {}) for name in METHODS if NO_EFFECT.get(name) != {} and name != "best"],
    ("best", {"moves": 10_000}),  # it takes long by default
    ("pcp", {"cost": "projected"}),
    ("pcp", {"v": 2}),
    ("ktca", {"min_k": 1}),
    ("mdav-sd", {"target_form": "label"}),
]
HONOURED.remove(("dp-microaggregation", {}))


def clusters(seed=5):
    """Clusters of records, with a category and a code beside their numbers."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(12, 2)) * 4
    X = np.concatenate([rng.normal(c, 0.5, (rng.integers(2, 40), 2)) for c in centres])
    n = len(X)
    return pl.DataFrame(
        {
            "a": X[:, 0],
            "b": X[:, 1],
            "sex": rng.choice(["f", "m", "x"], n),
            "zip": rng.choice(["0374", "0375", "1000"], n),
            "ill": rng.choice(["no", "yes"], n),
        }
    )


SCHEMA = Schema(["a", "b", "sex", "zip"], confidential="ill", kinds={"zip": "prefix"})


def released(name, parameters, importance=None):
    options = {} if importance is None else {"importance": importance}
    return anonymize(
        clusters(),
        SCHEMA,
        k=5,
        method=name,
        measures="none",
        **{**seed_of(METHODS[name]), **parameters, **options},
    )


@for_each(("name", "parameters"), HONOURED)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_importance_changes_cells(name, parameters):
    plain = released(name, parameters)
    changed = [
        not np.array_equal(
            plain.labels, released(name, parameters, {column: 400}).labels
        )
        for column in ("b", "sex", "zip")
    ]
    assert any(changed)


@for_each("name", NO_EFFECT)
def test_importance_that_changes_nothing_is_refused(name):
    with pytest.raises(InputError, match="importance would change nothing"):
        released(name, NO_EFFECT[name], {"a": 4})


@pytest.mark.parametrize("importance", [{"a": 1}, dict.fromkeys("abc", 3)])
def test_it_is_how_weights_differ_that_counts(importance):
    with pytest.raises(InputError, match="it is how weights differ that counts"):
        Recipe(Schema(["a", "b", "c"]), k=2, importance=importance)
    with pytest.raises(InputError, match="it is how weights differ that counts"):
        Recipe(Schema("a"), k=2, importance={"a": 3})


def test_blocks_need_weights_that_differ_inside():
    schema = Schema(["a", "b", "c", "d"])
    options = {"k": 2, "method": "pcp", "parameters": {"v": 2}}
    Recipe(schema, importance={"a": 2}, **options)
    with pytest.raises(InputError, match="the same on any scale of these columns"):
        Recipe(schema, importance={"a": 2, "b": 2}, **options)


def test_estimators_have_their_own_geometry():
    own = Microaggregator(MDAV(2), embed=StandardScale())
    with pytest.raises(InputError, match="its own geometry"):
        Recipe(Schema(["a", "b"]), k=2, method=own, importance={"a": 2})


def test_differentially_private_releases_have_none():
    with pytest.raises(InputError, match="cannot honour importance"):
        Recipe(
            Schema(["a", "b"]),
            k=2,
            method="dp-microaggregation",
            parameters={"epsilon": 1.0, "bounds": {"a": [0, 1], "b": [0, 1]}},
            importance={"a": 2},
        )


@for_each("weight", [0, -1, float("inf"), float("nan"), "2", True])
def test_weights_are_positive_numbers(weight):
    with pytest.raises(InputError, match=r"must be a positive number. Got"):
        Recipe(Schema(["a", "b"]), k=2, importance={"a": weight})


def test_names_are_quasi_identifiers():
    with pytest.raises(SchemaError, match="'ill', which is not a quasi-identifier"):
        Recipe(Schema(["a", "b"], confidential="ill"), k=2, importance={"ill": 2})
    with pytest.raises(InputError, match="must map columns to values"):
        Recipe(Schema(["a", "b"]), k=2, importance=[2, 1])


def test_merged_strata_go_by_importance():
    table = pl.DataFrame(
        {
            "a": [0.0, 0.1, 5.0, 5.1, 2.0],
            "b": [0.0, 0.1, 5.0, 5.1, 9.0],
            "region": ["low", "low", "high", "high", "lone"],
        }
    )
    schema = Schema(["a", "b"], others=["region"])
    joined = [
        anonymize(
            table, schema, k=2, strata="region", small_strata="merge", importance=weight
        ).table["region"][4]
        for weight in ({"a": 100}, {"b": 100})
    ]
    assert joined == ["lone | low", "high | lone"]


def test_a_recipe_holds_it():
    recipe = Recipe(Schema(["a", "b"]), k=2, importance={"a": 2, "b": 0.5})
    assert recipe.importance == {"a": 2, "b": 0.5}
    assert Recipe.from_dict(recipe.to_dict()) == recipe
