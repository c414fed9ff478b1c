"""Folders that appear whole, or not at all; what must be there before Spark starts."""

import sys

import pytest
from pyarrow import fs

from microcell.engines._spark_files import (
    check_java,
    check_output,
    format_of_folder,
    run_on_spark,
)
from microcell.engines._spark_folder import StagedFolder
from microcell.exceptions import InputError, OutputExistsError
from microcell.recipe import Recipe, Schema
from microcell.spark import anonymize


def fill(address, text):
    store = fs.LocalFileSystem()
    store.create_dir(address)
    with store.open_output_stream(f"{address}/part-0") as file:
        file.write(text.encode())


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_that_is_not_published_leaves_nothing(tmp_path):
    with StagedFolder(tmp_path / "release") as staged:
        fill(staged.address, "new")
        assert names(tmp_path) == [staged.address.rpartition("/")[2]]
    assert names(tmp_path) == []


def test_an_error_leaves_what_was_there(tmp_path):
    fill(str(tmp_path / "release"), "old")
    with (
        pytest.raises(ZeroDivisionError),
        StagedFolder(tmp_path / "release", True) as s,
    ):
        fill(s.address, "new")
        raise ZeroDivisionError
    assert names(tmp_path) == ["release"]
    assert (tmp_path / "release/part-0").read_text() == "old"


def test_overwriting_replaces_the_whole_folder(tmp_path):
    fill(str(tmp_path / "release"), "old")
    (tmp_path / "release/part-1").write_text("old too")
    with StagedFolder(tmp_path / "release", overwrite=True) as staged:
        fill(staged.address, "new")
        staged.publish()
    assert names(tmp_path) == ["release"] and names(tmp_path / "release") == ["part-0"]
    assert (tmp_path / "release/part-0").read_text() == "new"


def test_what_exists_is_kept_from_the_start_and_at_the_end(tmp_path):
    with StagedFolder(tmp_path / "release") as staged:
        fill(staged.address, "new")
        fill(str(tmp_path / "release"), "meanwhile")
        with pytest.raises(OutputExistsError):
            staged.publish()
    assert (tmp_path / "release/part-0").read_text() == "meanwhile"
    with pytest.raises(OutputExistsError, match="overwrite=True"):
        StagedFolder(tmp_path / "release")


def test_what_was_there_comes_back_if_the_new_one_cannot_be_named(tmp_path):
    fill(str(tmp_path / "release"), "old")
    with StagedFolder(tmp_path / "release", overwrite=True) as staged:
        with pytest.raises(OSError):  # nothing was written
            staged.publish()
    assert names(tmp_path) == ["release"]
    assert (tmp_path / "release/part-0").read_text() == "old"


def test_addresses_of_files_work_too(tmp_path):
    with StagedFolder(f"file://{tmp_path}/release") as staged:
        fill(staged.address.removeprefix("file://"), "new")
        staged.publish()
    assert names(tmp_path) == ["release"]


def test_stores_without_renaming_are_refused():
    with pytest.raises(InputError, match="'s3a' has no folders"):
        StagedFolder("s3a://bucket/release")


def test_only_folders_of_parquet_are_written(tmp_path):
    check_output(tmp_path / "release")
    with pytest.raises(InputError, match=r"ends in '\.csv'"):
        check_output(tmp_path / "release.csv")


def test_formats_of_folders(tmp_path):
    recipe = Recipe(Schema(["age"]), k=5)
    with pytest.raises(InputError, match="does not exist"):
        format_of_folder(tmp_path / "none", recipe)
    (tmp_path / "_SUCCESS").write_text("")
    with pytest.raises(InputError, match="holds nothing"):
        format_of_folder(tmp_path, recipe)
    (tmp_path / "a.csv").write_text("")
    assert format_of_folder(tmp_path, recipe) == "csv"
    (tmp_path / "b.orc").write_text("")
    with pytest.raises(InputError, match="holds csv, orc"):
        format_of_folder(tmp_path, recipe)
    said = Recipe(Schema(["age"]), k=5, format="csv")
    assert format_of_folder("s3a://bucket/visits", said) == "csv"
    assert format_of_folder(tmp_path / "x.parquet", recipe) == "parquet"


def test_without_java_it_says_so(monkeypatch, tmp_path):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="openjdk-17-jre-headless"):
        check_java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "java"))
    with pytest.raises(InputError, match="JAVA_HOME"):
        check_java()


def test_without_pyspark_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    recipe = Recipe(Schema(["age"]), k=5)
    with pytest.raises(InputError, match=r"microcell\[spark\]"):
        anonymize(None, recipe)
    with pytest.raises(InputError, match=r"microcell\[spark\]"):
        run_on_spark(tmp_path, recipe, tmp_path / "release")
