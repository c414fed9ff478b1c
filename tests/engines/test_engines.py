"""Which engine a table goes to, and what cannot be honoured."""

import json

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from marks import for_each

from microcell import Schema, anonymize
from microcell._bytes import as_bytes
from microcell.engines import _engines
from microcell.engines._engines import choose_engine, memory_of_shards
from microcell.exceptions import InputError
from microcell.privacy import KAnonymity
from microcell.recipe import Recipe
from microcell.release import anonymize_file, check_file

N = 400


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "x": rng.normal(size=N),
            "y": rng.integers(0, 9, N),
            "job": rng.choice(["a", "b"], N),
            "ill": rng.choice(["flu", "gout"], N),
            "row": np.arange(N),
        }
    )


def recipe(**options):
    schema = Schema(["x", "y", "job"], confidential="ill", others=["row"])
    return Recipe(schema, k=5, allow_unique=["row"], **options)


def in_order(table):
    return table.sort("row")


@pytest.mark.parametrize(
    ("text", "size"),
    [("8GB", 8 * 10**9), ("1.5 g", 15 * 10**8), ("300MB", 3 * 10**8), (7, 7)],
)
def test_sizes(text, size):
    assert as_bytes(text) == size


@for_each("text", ["much", "8 GiB?", "-3GB", 0, "0GB", True])
def test_no_sizes(text):
    with pytest.raises(InputError, match="8GB") as caught:
        as_bytes(text)
    assert caught.value.option == "memory"


def test_a_small_table_is_released_as_a_whole(table, tmp_path):
    table.write_parquet(tmp_path / "table.parquet")
    chosen = choose_engine(tmp_path / "table.parquet", recipe(), tmp_path / "r.csv")
    assert chosen == ("whole", "")


@pytest.mark.parametrize("suffix", ["csv", "parquet", "csv.gz"])
def test_a_table_larger_than_memory_goes_to_disk(table, tmp_path, suffix):
    from microcell.io import write_table

    path = tmp_path / f"table.{suffix}"
    write_table(table, path)
    chosen = choose_engine(path, recipe(), tmp_path / "r.csv", memory="1MB")
    assert chosen.engine == "disk"
    assert "of 1.0 MB that may be used" in chosen.notice


@pytest.mark.parametrize("compression", ["gzip", "zstd"])
def test_compressed_bytes_are_counted_unpacked(compression, tmp_path):
    path = tmp_path / "table.csv"
    with pa.output_stream(str(path), compression=compression) as stream:
        stream.write(b"x,y,job\n" + 2_000_000 * b"1,1,a\n")  # a few kB
    assert path.stat().st_size < 100_000
    found = choose_engine(path, recipe(), tmp_path / "out.csv", memory="480MB")
    assert found.engine == "disk" and "at least 484.0 MB, of 480.0 MB" in found.notice
    assert choose_engine(path, recipe(), "out.csv", memory="500MB").engine == "whole"
    assert _engines.memory_need(path, 10**6) < 10**6 + _engines.LIBRARY_BYTES * 1.1


def test_what_cannot_be_cut_says_that_memory_is_short(table, tmp_path):
    table.write_parquet(tmp_path / "table.parquet")
    with pytest.raises(InputError, match=r"of 1\.0 MB.*order") as caught:
        choose_engine(
            tmp_path / "table.parquet",
            recipe(order="keep"),
            tmp_path / "r.csv",
            memory="1MB",
        )
    assert caught.value.option == "order"


def test_other_formats_stay_whole(table, tmp_path):
    path = tmp_path / "table.feather"
    table.write_ipc(path)
    assert choose_engine(path, recipe(), "r.csv").engine == "whole"
    with pytest.raises(InputError, match="only files of Parquet and text") as caught:
        choose_engine(path, recipe(), "r.csv", memory="1MB")
    assert caught.value.option == "memory"


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"engine": "cloud"}, "engine"),
        ({"master": "local[2]"}, "master"),
        ({"engine": "disk", "master": "yarn"}, "master"),
        ({"engine": "spark", "memory": "8GB"}, "memory"),
        ({"engine": "spark", "jobs": 2}, "jobs"),
        ({"engine": "memory", "memory": "8GB"}, "memory"),
        ({"jobs": 0}, "jobs"),
    ],
)
def test_options_that_an_engine_cannot_honour_are_refused(tmp_path, given, option):
    with pytest.raises(InputError) as caught:
        choose_engine(tmp_path / "t.csv", recipe(), tmp_path / "r.csv", **given)
    assert caught.value.option == option


def test_a_folder_in_memory_is_refused(table, tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="folder"):
        choose_engine(tmp_path / "folder", recipe(), "r.csv", engine="memory")
    assert choose_engine(tmp_path / "folder", recipe(), "r.csv").engine == "disk"


def test_memory_below_the_libraries_is_refused():
    with pytest.raises(InputError, match="libraries"):
        memory_of_shards("100MB")
    assert memory_of_shards("1GB") == 6 * 10**8
    assert memory_of_shards(None) > 0


@pytest.mark.parametrize("output", ["release.csv", "release"])
def test_memory_and_disk_release_the_same_records(table, tmp_path, output):
    path = tmp_path / "table.parquet"
    table.write_parquet(path)
    whole = anonymize_file(
        path, recipe(shard=90), tmp_path / "whole.parquet", engine="memory", jobs=2
    )
    done = anonymize_file(
        path,
        recipe(shard=90),
        tmp_path / output,
        engine="disk",
        jobs=1,
        certificate=tmp_path / "certificate.json",
        write_recipe=tmp_path / "recipe.toml",
    )
    in_memory = pl.read_parquet(tmp_path / "whole.parquet")
    if output == "release":
        released = pl.concat(map(pl.read_parquet, (tmp_path / output).iterdir()))
    else:
        released = pl.read_csv(tmp_path / output)
    assert in_order(released).equals(in_order(in_memory.select(released.columns)))
    assert list(done.release.disclosure) == ["ill"]
    for name, scores in whole.release.disclosure.items():
        assert dict(done.release.disclosure[name]) == pytest.approx(dict(scores))
    said = json.loads((tmp_path / "certificate.json").read_text())["disclosure"]
    assert said["ill"] == dict(done.release.disclosure["ill"])
    assert done.release.findings[0].found == whole.release.findings[0].found >= 5
    assert KAnonymity(5).verify(released, ["x", "y", "job"]).holds
    again = Recipe.from_toml(tmp_path / "recipe.toml")
    assert again.shard == 90
    assert (tmp_path / "certificate.json").exists()
    names = {
        "table.parquet",
        "whole.parquet",
        "certificate.json",
        "certificate.source-key.json",
        "recipe.toml",
        output,
    }
    assert {entry.name for entry in tmp_path.iterdir()} == names


def test_the_recipe_that_is_written_says_the_shards(table, tmp_path):
    table.write_parquet(tmp_path / "table.parquet")
    anonymize_file(
        tmp_path / "table.parquet",
        recipe(),
        tmp_path / "release",
        engine="disk",
        write_recipe=tmp_path / "recipe.toml",
    )
    assert Recipe.from_toml(tmp_path / "recipe.toml").shard == 2_500_000


def test_a_folder_is_checked_as_one_table(table, tmp_path):
    folder = tmp_path / "table"
    folder.mkdir()
    table.with_columns(pl.lit(1).alias("x")).write_parquet(folder / "a.parquet")
    table.with_columns(pl.lit(2).alias("x"))[:3].write_parquet(folder / "b.parquet")
    check = check_file(folder, ["x"], k=4)
    assert check.sizes.tolist() == [3, N]
    assert check.findings[0].records_failing == 3
    with pytest.raises(InputError, match="holds no files"):
        (tmp_path / "empty").mkdir()
        check_file(tmp_path / "empty", ["x"], k=4)


def test_the_output_may_not_be_the_input(table, tmp_path):
    folder = tmp_path / "table"
    folder.mkdir()
    table.write_parquet(folder / "one.parquet")
    for output in (folder, folder / "release"):
        with pytest.raises(InputError, match="also an input"):
            anonymize_file(folder, recipe(), output, engine="disk")


def test_shards_in_the_recipe_cut_a_table_in_memory(table):
    schema = Schema(["x", "y", "job"], confidential="ill", others=["row"])
    same = {"k": 5, "allow_unique": ["row"]}
    whole = anonymize(table, schema, **same)
    cut = anonymize(table, schema, shard=90, **same)
    again = anonymize(table[::-1], schema, shard=90, **same)
    assert "shard" in "".join(cut.notices)
    assert "shard" not in "".join(whole.notices)
    assert in_order(cut.table).equals(in_order(again.table))
    assert not in_order(cut.table).equals(in_order(whole.table))
    assert cut.findings[0].found >= 5


@for_each("shard", [0, -5, 2.5, "many", True])
def test_shards_are_counts(shard):
    with pytest.raises((InputError, ValueError), match="shard"):
        recipe(shard=shard)


def test_jobs_do_not_change_cells(table):
    from microcell.release._anonymize import apply_recipe

    one, two = (apply_recipe(table, recipe(shard=90), jobs=jobs) for jobs in (1, 3))
    assert one.table.equals(two.table)
    assert np.array_equal(one.labels, two.labels)


def test_memory_of_the_system_is_known(monkeypatch):
    monkeypatch.setattr(_engines, "available_memory", lambda: 10**9)
    assert memory_of_shards(None) == 4 * 10**8


def test_sidecars_are_not_lost_in_a_folder(table, tmp_path):
    table.write_parquet(tmp_path / "table.parquet")
    source, output = tmp_path / "table.parquet", tmp_path / "release"
    anonymize_file(source, recipe(), output, engine="disk")
    with pytest.raises(InputError, match="replaced by the release"):
        anonymize_file(
            source,
            recipe(),
            output,
            engine="disk",
            certificate=output / "certificate.json",
            overwrite=True,
        )


@pytest.mark.parametrize("sidecar", ["certificate", "write_recipe"])
def test_sidecars_do_not_replace_the_recipe(table, tmp_path, sidecar):
    table.write_parquet(tmp_path / "table.parquet")
    kept = tmp_path / "recipe.toml"
    kept.write_text(recipe().to_toml())
    before = kept.read_bytes()
    with pytest.raises(InputError, match="also an input"):
        anonymize_file(
            tmp_path / "table.parquet",
            kept,
            tmp_path / "release",
            engine="disk",
            overwrite=True,
            **{sidecar: kept},
        )
    assert kept.read_bytes() == before


@pytest.mark.parametrize("engine", ["disk", "spark"])
def test_a_sheet_is_refused(table, tmp_path, engine):
    table.write_parquet(tmp_path / "table.parquet")
    with pytest.raises(InputError, match="sheet") as caught:
        anonymize_file(
            tmp_path / "table.parquet",
            recipe(sheet="May"),
            tmp_path / "release",
            engine=engine,
        )
    assert caught.value.option == "sheet"


def test_an_address_of_a_local_folder_is_an_input_too(table, tmp_path):
    folder = tmp_path / "my table"
    folder.mkdir()
    table.write_parquet(folder / "a.parquet")
    address = folder.as_uri()
    with pytest.raises(InputError, match="also an input"):
        anonymize_file(address, recipe(), folder, engine="spark", overwrite=True)
    with pytest.raises(InputError, match="also an input"):
        anonymize_file(folder, recipe(), address, engine="spark", overwrite=True)


def test_the_recipe_holds_the_dialect_that_was_found(table, tmp_path):
    table.write_csv(tmp_path / "table.csv", separator=";")
    release, _ = anonymize_file(
        tmp_path / "table.csv", recipe(), tmp_path / "release.csv", engine="disk"
    )
    assert (release.recipe.delimiter, release.recipe.encoding) == (";", "utf-8")


def test_visits_of_records_apart_are_not_counted_in_parts(table, tmp_path):
    table.write_parquet(tmp_path / "table.parquet")
    given = {"unit": "x", "measures": ["visits_max_risk"]}
    schema = Schema(["y"], identifiers="x", others="drop")
    apart = Recipe(schema, k=3, unit_records="apart", method="mdav", **given)
    with pytest.raises(InputError, match="visits_max_risk"):
        anonymize_file(
            tmp_path / "table.parquet", apart, tmp_path / "out.csv", engine="disk"
        )
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("engine", ["disk", "memory"])
def test_measures_that_need_the_table(table, tmp_path, engine):
    table.write_parquet(tmp_path / "table.parquet")
    asked = ["sse_loss", "distance_linkage_risk"]
    run = {"output": tmp_path / "release.csv", "engine": engine}
    if engine == "disk":
        with pytest.raises(InputError, match="distance_linkage_risk") as caught:
            anonymize_file(tmp_path / "table.parquet", recipe(measures=asked), **run)
        assert caught.value.option == "measures"
        asked = asked[:1]
    release, _ = anonymize_file(
        tmp_path / "table.parquet", recipe(measures=asked), **run
    )
    assert set(asked) <= set(release.scores)
