"""Tables with a log: only their own reader knows which of their files are live."""

import importlib.util

import numpy as np
import polars as pl
import pytest

from microcell import Recipe, Schema, anonymize_file, check_file, measure_files
from microcell.cli._options import columns_of
from microcell.engines._parts import open_parts
from microcell.exceptions import InputError
from microcell.inspection import inspect_file
from microcell.io import _table_log, read_table
from microcell.selection import compare_file

LOGS = {
    "Delta": "_delta_log/00000000000000000000.json",
    "Iceberg": "metadata/00001-2f3a.metadata.json",
    "Hudi": ".hoodie/hoodie.properties",
}
RECIPE = Recipe(Schema(["age"]), k=2)


@pytest.fixture(params=LOGS)
def logged(request, tmp_path):
    """A table that read as plain Parquet has a deleted record."""
    folder = tmp_path / "visits"
    for name in ("data/ward=a", LOGS[request.param].rpartition("/")[0]):
        (folder / name).mkdir(parents=True)
    (folder / LOGS[request.param]).write_text("{}")
    pl.DataFrame({"age": [30, 31, 60, 62]}).write_parquet(folder / "data/a.parquet")
    pl.DataFrame({"age": [33]}).write_parquet(folder / "data/ward=a/deleted.parquet")
    return request.param, folder


def refused(kind):
    return pytest.raises(InputError, match=f"a table of {kind}")


@pytest.fixture
def no_reader(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "deltalake", None)


@pytest.mark.usefixtures("no_reader")
@pytest.mark.parametrize("engine", ["auto", "memory", "disk"])
@pytest.mark.parametrize("place", ["", "data", "data/ward=a", "data/a.parquet"])
def test_every_engine_refuses_it_by_name(logged, engine, place, tmp_path):
    kind, folder = logged
    with refused(kind):
        anonymize_file(folder / place, RECIPE, tmp_path / "r.parquet", engine=engine)
    assert not (tmp_path / "r.parquet").exists()


@pytest.mark.usefixtures("no_reader")
@pytest.mark.parametrize("place", ["", "data/a.parquet"])
def test_whoever_reads_refuses_it_by_name(logged, place, tmp_path):
    kind, folder = logged
    path, release = str(folder / place), tmp_path / "r.csv"
    release.write_text("age\n30\n")
    for read in (
        lambda: read_table(path),
        lambda: check_file(path, "age"),
        lambda: measure_files(path, release, "age"),
        lambda: inspect_file(path),
        lambda: compare_file(path, RECIPE.schema, tmp_path / "compared"),
        lambda: columns_of(path, {}),
    ):
        with refused(kind):
            read()


def test_a_folder_above_and_links_into_it(logged, tmp_path):
    kind, folder = logged
    with refused(kind):
        open_parts(folder.parent)
    (tmp_path / "elsewhere").mkdir()
    for target in ("data", "data/a.parquet"):
        link = tmp_path / "elsewhere" / target.rpartition("/")[2]
        link.symlink_to(folder / target)
        with refused(kind):
            open_parts(link)


def test_other_metadata_and_other_files_are_no_log(tmp_path):
    (tmp_path / "metadata").mkdir()
    (tmp_path / "metadata/dataset.metadata.json").write_text("{}")
    pl.DataFrame({"age": [30]}).write_parquet(tmp_path / "a.parquet")
    assert read_table(tmp_path / "a.parquet").height == 1
    (tmp_path / "_delta_log").mkdir()
    (tmp_path / "a.csv").write_text("age\n30\n")  # no table of Delta has text
    assert read_table(tmp_path / "a.csv").height == 1


needs_deltalake = pytest.mark.skipif(
    importlib.util.find_spec("deltalake") is None,
    reason="deltalake is not installed: pip install 'deltalake[pyarrow]'",
)


@needs_deltalake
def test_the_live_records_of_a_table_of_delta(tmp_path):
    from deltalake import DeltaTable, write_deltalake

    rng = np.random.default_rng(0)
    table = pl.DataFrame(
        {"age": rng.integers(18, 90, 60), "ward": rng.choice(["a", "b"], 60)}
    )
    folder = tmp_path / "visits.parquet"
    write_deltalake(folder, table.to_arrow(), partition_by=["ward"])
    DeltaTable(folder).delete("age < 40")
    live = table.filter(pl.col("age") >= 40)
    assert read_table(folder).sort("age", "ward").equals(live.sort("age", "ward"))
    recipe = Recipe(Schema(["age"], others=["ward"]), k=3)
    done = anonymize_file(folder, recipe, tmp_path / "release.csv")
    assert done.release.table.height == live.height
    assert check_file(folder, "age").n_records == live.height
    with refused("Delta"):
        anonymize_file(folder, recipe, tmp_path / "other", engine="disk")


@needs_deltalake
def test_a_table_that_the_reader_does_not_know_is_refused(tmp_path):
    (tmp_path / "_delta_log").mkdir()
    with pytest.raises(InputError, match="deltalake cannot read"):
        _table_log.read_delta(tmp_path, tmp_path, None)
