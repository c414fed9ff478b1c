"""A kind of column that the library does not have: a class, and a line in a list."""

import datetime as dt
import json

import numpy as np
import polars as pl
import pytest

from microcell import (
    Recipe,
    Schema,
    anonymize,
    anonymize_file,
    apply_recipe,
    measure,
)
from microcell.app._catalogue import _kinds
from microcell.columns import ENCODERS
from microcell.exceptions import SchemaError
from microcell.privacy import class_sizes
from microcell.report import facts_of

DATES = ENCODERS["date"]


class MonthEncoder(DATES):
    """Dates, of which the month is released."""

    kind = "month"

    @classmethod
    def recognises(cls, series):
        return False  # a date is a date, until somebody says that its month will do

    @classmethod
    def fit(cls, series, options, records=None):
        return cls(DATES.fit(series, options).like, "month")


@pytest.fixture(autouse=True)
def months(monkeypatch):
    monkeypatch.setitem(ENCODERS.places, "month", f"{__name__}.MonthEncoder")


def stays():
    rng = np.random.default_rng(0)
    days = rng.integers(0, 3_000, 120)
    return pl.DataFrame(
        {
            "admitted": [dt.date(2015, 1, 1) + dt.timedelta(int(d)) for d in days],
            "age": rng.integers(18, 90, 120),
            "ill": rng.choice(["flu", "gout"], 120),
        }
    )


SCHEMA = {"quasi_identifiers": ["admitted", "age"], "confidential": ["ill"]}


def schema():
    return Schema(**SCHEMA, kinds={"admitted": "month"})


def test_it_is_released_verified_measured_and_reported():
    table = stays()
    release = anonymize(table, schema(), k=5, unit="records")
    assert release.kinds == {"admitted": "month", "age": "numeric"}
    assert release.table["admitted"].dt.day().unique().to_list() == [1]
    assert class_sizes(release.table, SCHEMA["quasi_identifiers"]).min() >= 5
    scores = measure(
        table, release.table, SCHEMA["quasi_identifiers"], kinds=schema().kinds
    )
    assert scores == release.scores
    described = {c["name"]: c for c in facts_of(release)["utility"]["columns"]}
    assert described["admitted"]["kind"] == "month"
    assert described["admitted"]["sd_unit"] == "days"


def test_it_is_text_in_a_file_and_in_shards(tmp_path):
    path = tmp_path / "stays.csv"
    stays().write_csv(path)
    recipe = Recipe(schema(), k=5, unit="records", shard=60)
    frames = []
    for engine in ("memory", "disk"):
        to = tmp_path / f"{engine}.csv"
        anonymize_file(path, recipe, to, engine=engine)
        frames.append(pl.read_csv(to, try_parse_dates=True).sort(pl.all()))
    assert frames[0].equals(frames[1])
    assert frames[0]["admitted"].dt.day().unique().to_list() == [1]


def test_options_and_recipes_know_it(tmp_path):
    given = Recipe(schema(), k=5, clip={"admitted": "2016-01-01:"}, unit="records")
    path = tmp_path / "recipe.toml"
    path.write_text(given.to_toml())
    release = apply_recipe(stays(), path)
    assert release.recipe.schema.kinds == {"admitted": "month"}
    assert release.table["admitted"].min() >= dt.date(2016, 1, 1)
    kinds = {kind["name"]: kind for kind in _kinds()}
    assert kinds["month"]["moments"] and not kinds["month"]["numbers"]
    with pytest.raises(SchemaError, match="'digits' is for columns that are numeric"):
        anonymize(stays(), schema(), k=5, unit="records", digits={"admitted": 1})
    with pytest.raises(SchemaError, match=r"Did you mean 'month'\?"):
        Schema(**SCHEMA, kinds={"admitted": "months"})
    json.dumps(list(kinds.values()))
