"""People, strata, weights and the rest on disk: the release of the table in memory."""

import numpy as np
import polars as pl
import pytest
from marks import for_each
from pipeline.test_features_in_parts import (
    EVERYTHING,
    PEOPLE,
    assert_same_release,
    recipe_of,
    visits,
)

from microcell import Recipe, Schema
from microcell.engines import _people_parts
from microcell.engines._disk import run_on_disk
from microcell.engines._parts import open_parts
from microcell.pipeline import _job
from microcell.pipeline._task import Task
from microcell.release import apply_recipe


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(_people_parts, "PART_BYTES", 20_000)
    monkeypatch.setattr(_job, "IN_A_BUCKET", 200)


def on_disk(source, recipe, output):
    parts = open_parts(source, part_bytes=20_000)
    task = Task(recipe, parts.schema, parts.as_text, parts.notices)
    return run_on_disk(task, parts, output, jobs=2)


@pytest.mark.parametrize(
    "suffix, form", [(".parquet", "apart"), (".csv", "together"), (".csv", "apart")]
)
def test_everything_on_disk(tmp_path, suffix, form):
    table, recipe = visits(), recipe_of(**EVERYTHING, unit_records=form)
    source = tmp_path / f"table{suffix}"
    if suffix == ".csv":
        table = table.select(pl.all().cast(pl.String).fill_null(""))
        table.write_csv(source)
    else:
        table.write_parquet(source, row_group_size=100)
    whole = apply_recipe(table, recipe)
    run = on_disk(source, recipe, tmp_path / "release")
    released = pl.read_parquet(tmp_path / "release")
    assert_same_release(released, run.release, whole)
    assert not any("\0" in name for name in released.columns)
    assert run.certificate["k_counts"] == "person"
    assert [path.name for path in tmp_path.iterdir() if path.name[0] == "."] == []


def test_a_person_may_be_anywhere_in_the_files(tmp_path):
    table, recipe = visits(), recipe_of(**PEOPLE)
    folder = tmp_path / "table"
    folder.mkdir()
    rows = np.random.default_rng(3).permutation(table.height)
    for place, part in enumerate(np.array_split(rows, 3)):
        table[part].write_parquet(folder / f"{place}.parquet")
    run = on_disk(folder, recipe, tmp_path / "release")
    released = pl.read_parquet(tmp_path / "release")
    assert_same_release(released, run.release, apply_recipe(table, recipe))
    assert "300 values of person" not in run.release.summary()
    assert f"{table['person'].n_unique()} values of person" in run.release.summary()


def heavy_tails(seed):
    """One to thirty rows of each person, and a third of all rows of one of them."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 31, 60)
    person = rng.permutation(np.repeat(np.arange(61), [*sizes, sizes.sum() // 2]))
    n = person.size
    return pl.DataFrame(
        {
            "person": [f"p{number}" for number in person],
            "visit": np.arange(n),
            "age": 20 + person % 50 + rng.integers(0, 4, n),
            "pay": rng.lognormal(8, 1, n).round(1),
            "sex": np.where(person % 2, "f", "m"),
            "ill": rng.choice(["flu", "gout", "cold"], n, p=[0.5, 0.3, 0.2]),
        }
    )


@for_each("seed", range(4))
def test_people_of_classes_recounted_from_the_files(tmp_path_factory, seed):
    """By the number of a visit, which tells the rows of the source."""
    folder, table = tmp_path_factory.mktemp("apart"), heavy_tails(seed)
    names = ["age", "pay", "sex"]
    schema = Schema(names, identifiers="person", confidential="ill", others=["visit"])
    recipe = Recipe(
        schema,
        k=5,
        shard=150,
        unit="person",
        unit_records="apart",
        allow_unique=["visit"],
        method="mdav",
    )
    table.write_parquet(folder / "table.parquet", row_group_size=100)
    release = on_disk(folder / "table.parquet", recipe, folder / "release").release
    written = pl.read_parquet(folder / "release")
    assert release.n_shards > 3
    assert sorted(written["visit"]) == list(range(table.height))
    whose = written.join(table.select("visit", "person"), on="visit")
    people = whose.group_by(names).agg(pl.col("person").n_unique())["person"]
    assert release.findings[0].found == people.min() >= 5
    counts = whose.group_by(names).agg(pl.col("person").n_unique(), pl.len())
    assert release.class_sizes == {
        size: (group.height, group["len"].sum())
        for (size,), group in counts.group_by("person")
    }
    unfound = 1 - 1 / whose.select(pl.len().over(names)).to_series().to_numpy()
    risk = whose.with_columns(unfound=unfound).group_by("person")
    risk = 1 - risk.agg(pl.col("unfound").product())["unfound"]
    assert release.scores["household_max_risk"] == pytest.approx(risk.max(), abs=1e-4)
    whole = apply_recipe(table, recipe)
    columns = whole.table.columns
    assert written.select(columns).sort("visit").equals(whole.table.sort("visit"))
