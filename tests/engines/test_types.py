"""Every data type and method in shards: parts give what the table in memory gives."""

import datetime as dt

import numpy as np
import polars as pl
import pytest
from engines.in_parts import run_in_parts, split
from marks import for_each
from tables import seed_of

from microcell import Schema
from microcell.exceptions import InputError
from microcell.methods import METHODS
from microcell.recipe import Recipe
from microcell.release._anonymize import apply_recipe

N = 300
WHOLE = {"lda-mdav", "lda-vmdav", "lda-mondrian", "mdav-sd", "dp-microaggregation"}
LEARNING = {"ktca++", "ctca++", "kde++"}  # from a target


def table():
    rng = np.random.default_rng(0)
    start = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    words = pl.Series(rng.choice(["lo", "mid", "hi"], N))
    return pl.DataFrame(
        {
            "float": rng.normal(size=N).astype(np.float32),
            "bool": rng.random(N) < 0.3,
            "word": words.cast(pl.Categorical),
            "order": words.cast(pl.Enum(["lo", "mid", "hi"])),
            "moment": [
                start + dt.timedelta(minutes=int(m)) for m in rng.integers(0, 9999, N)
            ],
            "time": [dt.time(int(h), 30) for h in rng.integers(0, 24, N)],
            "decimal": pl.Series(rng.integers(0, 9999, N)).cast(pl.Decimal(10, 2)),
            "small": rng.integers(-5, 5, N).astype(np.int8),
            "code": rng.choice(["A01", "A02", "B10", "B11"], N),
            "stay": [dt.timedelta(days=int(d)) for d in rng.integers(0, 30, N)],
            "same": np.full(N, 3.0),
            "far": 2e13 + rng.integers(0, 1000, N) / 100,
            "zip": rng.integers(10000, 10020, N).astype(str),
        }
    )


def as_words(frame):
    words = [n for n, t in frame.schema.items() if t in (pl.Categorical, pl.Enum)]
    frame = frame.with_columns(pl.col(words).cast(pl.String))
    return frame.sort(frame.columns)


def assert_same(recipe):
    frame = table()
    whole = apply_recipe(frame, recipe)
    released, found = run_in_parts(split(frame, 4, 1), recipe)
    assert found.n_shards > 1
    assert as_words(released).equals(as_words(whole.table))
    loss = whole.scores["sse_loss"]
    assert found.scores["sse_loss"] == pytest.approx(loss, rel=1e-9)


@for_each("column", [n for n in table().columns if n != "float"])
def test_types(column):
    assert_same(Recipe(Schema([column, "float"], others="drop"), k=5, shard=60))


@for_each(
    ("schema", "options"),
    [
        ({"kinds": {"code": "prefix"}}, {}),
        ({"kinds": {"zip": "numeric"}}, {"integers": "round"}),
        ({}, {"clip": {"moment": "2020-01-02:2020-01-05"}, "digits": {"float": 1}}),
        ({}, {"aggregate": "median"}),
        ({}, {"aggregate": "medoid"}),
        ({}, {"missing_marks": {"small": ["-5"]}, "missing": "category"}),
        (
            {
                "hierarchies": {
                    "code": {"A01": ["A"], "A02": ["A"], "B10": ["B"], "B11": ["B"]}
                }
            },
            {},
        ),
    ],
)
def test_options(schema, options):
    columns = ["float", "code", "zip", "moment", "small"]
    assert_same(
        Recipe(Schema(columns, others="drop", **schema), k=5, shard=60, **options)
    )


@for_each("method", sorted(set(METHODS) - WHOLE - LEARNING))
def test_methods(method):
    parameters = seed_of(METHODS[method])
    seed = parameters.pop("random_state", None)
    assert_same(
        Recipe(
            Schema(["float", "small"], others="drop"),
            k=5,
            shard=60,
            method=method,
            random_state=seed,
            parameters=parameters,
        )
    )


@pytest.mark.parametrize("method", sorted(LEARNING))
def test_methods_that_learn_from_all_records_are_refused(method):
    schema = Schema(["float", "small"], confidential="code", others="drop")
    recipe = Recipe(schema, k=5, shard=60, method=method)
    with pytest.raises(InputError, match="cannot be cut into shards"):
        run_in_parts([table()], recipe)
