"""A run on disk writes what a release in memory writes, of every kind of column."""

import json

import polars as pl
import pytest
from marks import first_is_quick, slow
from pipeline.test_job import CASES, people, recipe_of

from microcell.pipeline import _job
from microcell.release import anonymize_file

N = 700
# Parts of text and of types are compared with memory in pipeline/test_job.py.
QUICK = ("kinds", "gaps ignored", "intervals", "sets", "seeded", "values")
AS_A_FOLDER = ("kinds", "gaps apart", "intervals")


@pytest.fixture(autouse=True)
def small_buckets(monkeypatch):
    monkeypatch.setattr(_job, "IN_A_BUCKET", 100)


def write_in_pieces(table, folder, suffix):
    folder.mkdir()
    for i, start in enumerate((0, 150, 600)):
        part = table[start : (150, 600, N)[i]]
        path = folder / f"{i}.{suffix}"
        if suffix == "csv":
            part.write_csv(path)
        else:
            part.write_parquet(path, row_group_size=100)


def lines(path):
    """Lines of a text file, in an order of their own under the header."""
    header, *records = path.read_text().splitlines()
    return [header, *sorted(records)]


def in_files(folder):
    table = pl.concat(pl.read_parquet(file) for file in sorted(folder.iterdir()))
    return table.sort(table.columns)


@pytest.mark.parametrize("suffix", first_is_quick(["csv", "parquet"]))
@pytest.mark.parametrize(
    "case", [case if case in QUICK else slow(case) for case in CASES]
)
def test_same_files_as_in_memory(case, suffix, tmp_path):
    quasi_identifiers, options = CASES[case]
    table = people(N)
    recipe = recipe_of(quasi_identifiers, **dict(options))
    whole = tmp_path / f"whole.{suffix}"
    table.write_csv(whole) if suffix == "csv" else table.write_parquet(whole)
    write_in_pieces(table.sample(N, shuffle=True, seed=1), tmp_path / "in", suffix)
    memory = anonymize_file(whole, recipe, tmp_path / "memory.csv")
    disk = anonymize_file(
        tmp_path / "in",
        recipe,
        tmp_path / "disk.csv",
        certificate=tmp_path / "disk.json",
        engine="disk",
        jobs=2,
    )
    assert lines(tmp_path / "disk.csv") == lines(tmp_path / "memory.csv")
    assert json.loads((tmp_path / "disk.json").read_text()) == disk.certificate
    found = [finding.found for finding in disk.release.findings]
    assert found == pytest.approx([f.found for f in memory.release.findings])
    assert not list(tmp_path.glob(".*"))
    if case not in AS_A_FOLDER:
        return
    anonymize_file(tmp_path / "in", recipe, tmp_path / "disk", engine="disk", jobs=1)
    anonymize_file(whole, recipe, tmp_path / "memory.parquet")
    expected = pl.read_parquet(tmp_path / "memory.parquet")
    expected = expected.sort(expected.columns)
    assert in_files(tmp_path / "disk").equals(expected)
    assert not list(tmp_path.glob(".*"))
