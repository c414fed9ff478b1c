"""People, strata, weights and the rest on disk: the release of the table in memory."""

import numpy as np
import polars as pl
import pytest
from pipeline.test_features_in_parts import (
    EVERYTHING,
    PEOPLE,
    assert_same_release,
    recipe_of,
    visits,
)

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


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_everything_on_disk(tmp_path, suffix):
    table, recipe = visits(), recipe_of(**EVERYTHING)
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
