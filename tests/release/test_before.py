import copy
import pickle

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from microcell import Schema, anonymize, apply_recipe
from microcell.recipe import Recipe

AGES = [20.0, 22.0, 61.0, 63.0, 90.0]
TABLE = pl.DataFrame({"age": AGES, "ill": ["a", "b", "a", "b", "b"]})
SCHEMA = Schema("age", confidential="ill")


def test_the_original_is_beside_its_release():
    release = anonymize(TABLE, SCHEMA, k=2)
    assert release.before.names == ["age"]
    assert_array_equal(release.before.X[:, 0], AGES)
    assert_array_equal(release.before.X_released[:, 0], release.table["age"])


def test_what_was_clipped_or_merged_is_there_as_it_was():
    release = anonymize(TABLE, SCHEMA, k=2, clip={"age": ":70"})
    assert_array_equal(release.before.X[:, 0], AGES)


def through_pickle(release):
    return pickle.loads(pickle.dumps(release))


@pytest.mark.parametrize("through", [copy.copy, through_pickle])
def test_no_pickle_and_no_copy_carries_it(through):
    release = anonymize(TABLE, SCHEMA, k=2)
    again = through(release)
    assert again.before is None
    assert again.summary() == release.summary()
    assert np.float64(20.0).tobytes() not in pickle.dumps(release)


def test_a_release_need_not_remember():
    recipe = Recipe(SCHEMA, k=2)
    assert apply_recipe(TABLE, recipe, remember=False).before is None


def test_a_private_release_never_remembers():
    recipe = Recipe(
        Schema("age", others="drop"),
        k=2,
        method="dp-microaggregation",
        parameters={"epsilon": 1.0, "bounds": {"age": [0, 100]}},
        unit="records",
    )
    assert apply_recipe(TABLE, recipe).before is None


def test_printed_it_shows_no_value():
    release = anonymize(TABLE, SCHEMA, k=2)
    assert "90" not in repr(release.before)
    assert "array" not in repr(release.before)
