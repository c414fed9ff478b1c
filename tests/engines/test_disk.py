"""Runs on disk: the same release however a table is stored and whoever works on it."""

import hmac
import json
import os
import shutil
import stat
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sharded import SimpleTask, release_of

from microcell import Recipe, Schema, SchemaError, anonymize_file
from microcell.engines import _disk, _disk_steps, _space
from microcell.engines._disk import run_on_disk
from microcell.engines._parts import open_parts
from microcell.exceptions import InputError, OutputExistsError, PrivacyError
from microcell.io import Dialect
from microcell.pipeline import _beside
from microcell.release import Sidecars

K = 3


def make_table(n_records, seed=0):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "x": rng.normal(size=n_records).round(2),
            "ill": rng.choice(["flu", "gout", 'a "b", c', ""], n_records),
        }
    )


@pytest.fixture(autouse=True)
def release_of_doubles(monkeypatch):
    monkeypatch.setattr(_disk_steps, "make_release", release_of)


def write_files(table, folder, n_files, suffix, row_group=None):
    folder.mkdir()
    step = -(-table.height // n_files)
    for i in range(n_files):
        part = table[i * step : (i + 1) * step]
        path = folder / f"{i}{suffix}"
        if suffix == ".parquet":
            part.write_parquet(path, row_group_size=row_group)
        elif part.height:
            part.write_csv(path, separator="\t" if suffix == ".tsv" else ",")
    return folder


def release(
    source,
    output,
    part_bytes=1 << 20,
    n_leaves=4,
    spoilt=False,
    jobs=2,
    memory=None,
    dialect=Dialect(),  # noqa: B008
    **sidecars,
):
    parts = open_parts(source, part_bytes=part_bytes)
    task = SimpleTask(K, n_leaves, tuple(parts.schema), parts.as_text, spoilt)
    beside = Sidecars(**sidecars)
    given = {"jobs": jobs, "memory": memory, "dialect": dialect}
    return run_on_disk(task, parts, output, sidecars=beside, **given)


def read(output):
    """The records of a release as text, in an order of their own."""
    if output.is_dir():
        table = pl.concat(pl.read_parquet(f) for f in sorted(output.iterdir()))
    else:
        table = pl.read_csv(output, infer_schema=False)
    table = table.with_columns(
        pl.col("x").cast(pl.Float64), pl.col("ill").fill_null("")
    )
    return table.sort(table.columns)


@pytest.fixture
def folder(tmp_path):
    yield tmp_path
    leftovers = [p.name for p in tmp_path.iterdir() if "microcell" in p.name]
    assert leftovers == []


class Killed(BaseException):
    """Stands for a kill: nothing is tidied up."""


def left(work):
    """All that a kill does to the folder of a run: its lock ends with the process."""
    os.close(work._lock)


@settings(max_examples=15)  # two runs each
@given(
    n_records=st.integers(K, 60),
    n_files=st.integers(1, 4),
    suffix=st.sampled_from([".parquet", ".csv", ".tsv"]),
    row_group=st.sampled_from([1, 7, 1000]),
    part_bytes=st.sampled_from([1, 100, 1 << 20]),
    jobs=st.sampled_from([1, 2]),
    to=st.sampled_from(["out", "out.csv", "out.csv.gz"]),
    seed=st.integers(0, 3),
)
def test_same_records_however_stored(
    tmp_path_factory, n_records, n_files, suffix, row_group, part_bytes, jobs, to, seed
):
    folder = tmp_path_factory.mktemp("split")
    table = make_table(n_records, seed)
    table.write_parquet(folder / "whole.parquet")
    release(folder / "whole.parquet", folder / "expected", jobs=1)
    shuffled = table.sample(fraction=1.0, shuffle=True, seed=seed)
    source = write_files(shuffled, folder / "source", n_files, suffix, row_group)
    run = release(source, folder / to, part_bytes, jobs=jobs)
    assert read(folder / to).equals(read(folder / "expected"))
    assert run.release.records == n_records
    assert run.release.k >= K
    assert not [p for p in folder.iterdir() if "microcell" in p.name]
    shutil.rmtree(folder)


def test_certificate_names_files(folder):
    source = write_files(make_table(200), folder / "source", 3, ".parquet")
    run = release(source, folder / "out", certificate=folder / "c.json")
    said = json.loads((folder / "c.json").read_text())
    assert said == run.certificate
    assert [f["name"] for f in said["files"]] == sorted(os.listdir(folder / "out"))
    assert sum(f["records"] for f in said["files"]) == 200
    for file in said["files"]:
        path = folder / "out" / file["name"]
        assert pl.read_parquet(path).height == file["records"]
        assert _disk.sha256(path) == file["sha256"]
        assert path.stat().st_size == file["bytes"]


def test_text_dialect(folder):
    source = write_files(make_table(50), folder / "source", 1, ".csv")
    run = release(source, folder / "out.csv", dialect=Dialect(";", "cp1252"))
    text = (folder / "out.csv").read_bytes()
    assert text.count(b"x;ill\n") == 1 and text.startswith(b"x;ill\n")
    assert run.certificate["file"]["sha256"] == _disk.sha256(folder / "out.csv")
    with pytest.raises(InputError, match="utf-16 begins with a mark"):
        release(source, folder / "o.csv", dialect=Dialect(encoding="utf-16"))


def test_broken_promise_leaves_nothing(folder):
    source = write_files(make_table(200), folder / "source", 2, ".parquet")
    for name in ("out", "out.csv"):
        with pytest.raises(PrivacyError):
            release(source, folder / name, spoilt=True, certificate=folder / "c.json")
    assert os.listdir(folder) == ["source"]


def test_existing_output_is_kept(folder):
    source = write_files(make_table(200), folder / "source", 2, ".parquet")
    release(source, folder / "out")
    before = read(folder / "out")
    with pytest.raises(OutputExistsError, match="exists"):
        release(source, folder / "out")
    make_table(90, seed=1).write_parquet(folder / "other.parquet")
    release(folder / "other.parquet", folder / "out", overwrite=True)
    after = read(folder / "out")
    assert after.height == 90 and before.height == 200


@pytest.mark.parametrize("to", ["out", "out.csv"])
def test_output_that_appears_meanwhile_is_kept(folder, monkeypatch, to):
    source = write_files(make_table(200), folder / "source", 2, ".parquet")
    classes = _disk_steps.Engine._verified

    def meanwhile(*args):
        if to == "out":
            (folder / to).mkdir()
        else:
            (folder / to).write_text("mine")
        return classes(*args)

    monkeypatch.setattr(_disk_steps.Engine, "_verified", meanwhile)
    with pytest.raises(FileExistsError):
        release(source, folder / to, certificate=folder / "c.json")
    assert sorted(os.listdir(folder)) == sorted(["source", to])


def test_kill_while_a_release_is_replaced(folder, monkeypatch):
    """The old one is aside; the next run, which may not replace it, puts it back."""
    source = write_files(make_table(200), folder / "source", 2, ".parquet")
    other = write_files(make_table(90), folder / "other", 1, ".parquet")
    release(source, folder / "out")
    before = read(folder / "out")
    rename = os.rename

    def killed(old, new):
        if Path(new) == folder / "out":
            raise Killed
        rename(old, new)

    with monkeypatch.context() as patch:
        patch.setattr(_disk.Work, "remove", left)
        patch.setattr(os, "rename", killed)
        with pytest.raises(Killed):
            release(other, folder / "out", overwrite=True)
    assert not (folder / "out").exists()
    with pytest.raises(OutputExistsError):
        release(other, folder / "out")
    assert read(folder / "out").equals(before)
    release(other, folder / "out", overwrite=True)
    assert read(folder / "out").height == 90


def test_foreign_folder_is_not_overwritten(folder):
    source = write_files(make_table(200), folder / "source", 2, ".parquet")
    with pytest.raises(InputError, match="other things than a release"):
        release(source, source, overwrite=True)
    assert len(os.listdir(source)) == 2


def test_source_is_not_overwritten(folder):
    release(
        write_files(make_table(200), folder / "source", 2, ".parquet"), folder / "a"
    )
    with pytest.raises(InputError, match="holds the table that is read"):
        release(folder / "a", folder / "a", overwrite=True)
    assert read(folder / "a").height == 200


def test_source_is_hashed(folder):
    source = write_files(make_table(200), folder / "source", 2, ".parquet")
    keys = [folder / "a.key", folder / "b.key"]
    both = release(source, folder / "a", source_note=keys[0]).certificate["source"]
    one = release(source / "0.parquet", folder / "b", source_note=keys[1])
    note = json.loads(keys[1].read_text())
    content = (source / "0.parquet").read_bytes()
    digest = hmac.new(bytes.fromhex(note["key"]), content, "sha256").hexdigest()
    assert one.certificate["source"] == {"hmac_sha256": digest}
    assert both["files"] == 2


def test_jobs_are_counted_from_one(folder):
    source = write_files(make_table(200), folder / "source", 2, ".parquet")
    with pytest.raises(InputError, match=r"'jobs' parameter must be an integer >= 1"):
        release(source, folder / "out", jobs=0)


def test_full_disk_is_refused_first(folder, monkeypatch):
    source = write_files(make_table(200), folder / "source", 2, ".parquet")
    full = shutil.disk_usage(folder)._replace(free=100)
    monkeypatch.setattr(_space.shutil, "disk_usage", lambda path: full)
    with pytest.raises(InputError, match=r"needs about .* has 100 bytes free"):
        release(source, folder / "out")


def test_disk_that_fills_up_is_named(folder, monkeypatch):
    source = write_files(make_table(200), folder / "source", 2, ".parquet")

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_disk_steps, "write_run", full)
    with pytest.raises(OSError, match=r"is full .* nothing was published"):
        release(source, folder / "out")


def test_too_little_memory_is_refused(folder):
    source = write_files(make_table(200), folder / "source", 2, ".parquet")
    with pytest.raises(InputError, match="records takes about"):
        release(source, folder / "out", memory=1000)


def test_changed_source_is_noticed(folder, monkeypatch):
    source = write_files(make_table(200), folder / "source", 2, ".parquet")
    classes = _disk_steps.Engine._verified

    def meanwhile(*args):
        os.utime(source / "0.parquet", ns=(1, 1))
        return classes(*args)

    monkeypatch.setattr(_disk_steps.Engine, "_verified", meanwhile)
    with pytest.raises(InputError, match="changed while it was read"):
        release(source, folder / "out")


@pytest.mark.parametrize("to", ["out", "out.csv"])
def test_file_that_changes_after_it_was_verified(folder, monkeypatch, to):
    source = write_files(make_table(200), folder / "source", 2, ".parquet")
    classes = _disk_steps.Engine._verified

    def meanwhile(engine, job, shards):
        content = bytearray(shards[0].path.read_bytes())
        content[-2] ^= 1
        shards[0].path.write_bytes(content)
        return classes(engine, job, shards)

    monkeypatch.setattr(_disk_steps.Engine, "_verified", meanwhile)
    with pytest.raises(OSError, match="changed after it was verified"):
        release(source, folder / to)
    assert not (folder / to).exists()


def test_work_is_for_the_owner_alone(folder, monkeypatch):
    source = write_files(make_table(200), folder / "source", 2, ".parquet")
    seen = []
    classes = _disk_steps.Engine._verified

    def look(engine, *args):
        for path in [engine.work.path, *engine.work.path.rglob("*")]:
            seen.append((path.is_dir(), stat.S_IMODE(path.stat().st_mode)))
        return classes(engine, *args)

    monkeypatch.setattr(_disk_steps.Engine, "_verified", look)
    before = os.umask(0o022)
    try:
        release(source, folder / "out")
        release(source, folder / "out.csv")
    finally:
        os.umask(before)
    assert set(seen) == {(True, 0o700), (False, 0o600)}
    modes = {stat.S_IMODE(p.stat().st_mode) for p in (folder / "out").iterdir()}
    assert modes == {0o644}
    assert stat.S_IMODE((folder / "out").stat().st_mode) == 0o755
    assert stat.S_IMODE((folder / "out.csv").stat().st_mode) == 0o644


def killed_run(monkeypatch, source, output, method, after):
    """A run that ends without tidying up after some calls of a method of its job."""
    from sharded import SimpleJob

    calls, plain = [], getattr(SimpleJob, method)

    def counted(*args, **options):
        calls.append(1)
        if len(calls) > after:
            raise Killed
        return plain(*args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(_disk.Work, "remove", left)
        patch.setattr(SimpleJob, method, counted)
        with pytest.raises(Killed):
            release(source, output, jobs=1)
    assert not output.exists()
    (work,) = output.parent.glob(".*microcell-*")
    return work


def counted_calls(monkeypatch, *methods):
    from sharded import SimpleJob

    calls = dict.fromkeys(methods, 0)
    for method in methods:
        plain = getattr(SimpleJob, method)

        def counted(*args, plain=plain, method=method, **options):
            calls[method] += 1
            return plain(*args, **options)

        monkeypatch.setattr(SimpleJob, method, counted)
    return calls


@pytest.mark.parametrize("to", ["out", "out.csv"])
def test_finished_steps_are_not_done_again(folder, monkeypatch, to):
    source = write_files(make_table(400), folder / "source", 5, ".parquet")
    release(source, folder / "expected")
    killed_run(monkeypatch, source, folder / to, "route", 3)
    work = killed_run(monkeypatch, source, folder / to, "mask", 1)
    said = [path.read_bytes()[64:] for path in work.rglob("*.done")]
    assert len(said) > 5 and all(json.loads(each) for each in said)
    calls = counted_calls(monkeypatch, "route", "mask", "classes")
    release(source, folder / to, jobs=1)
    assert calls == {"route": 0, "mask": 3, "classes": 3}
    assert read(folder / to).equals(read(folder / "expected"))


@pytest.mark.parametrize(
    ("step", "again"),
    [
        ("shards/000000.parquet", {"route": 0, "mask": 3}),
        ("shards/000000.parquet.done", {"route": 0, "mask": 3}),
        ("runs/000002.arrow", {"route": 1, "mask": 2}),
        ("spilled.done", {"route": 0, "mask": 2}),
    ],
)
def test_spoilt_step_is_done_again(folder, monkeypatch, step, again):
    source = write_files(make_table(400), folder / "source", 5, ".parquet")
    release(source, folder / "expected")
    work = killed_run(monkeypatch, source, folder / "out", "mask", 2)
    content = bytearray((work / step).read_bytes())
    content[len(content) // 2] ^= 1
    (work / step).write_bytes(content)
    calls = counted_calls(monkeypatch, "route", "mask")
    release(source, folder / "out", jobs=1)
    assert calls == again
    assert read(folder / "out").equals(read(folder / "expected"))


def test_other_job_starts_anew(folder, monkeypatch):
    source = write_files(make_table(400), folder / "source", 5, ".parquet")
    work = killed_run(monkeypatch, source, folder / "out", "mask", 2)
    os.utime(source / "0.parquet")
    calls = counted_calls(monkeypatch, "mask")
    release(source, folder / "out", jobs=1)
    assert calls == {"mask": 4} and not work.exists()


@pytest.mark.parametrize("to", ["out", "out.csv"])
def test_kill_after_the_release_is_there(folder, monkeypatch, to):
    source = write_files(make_table(400), folder / "source", 5, ".parquet")
    with monkeypatch.context() as patch:
        patch.setattr(_disk.Work, "remove", left)
        release(source, folder / to)
    assert len(list(folder.glob(".*microcell-*"))) == 1
    before = read(folder / to)
    with pytest.raises(OutputExistsError):
        release(source, folder / to)
    assert not list(folder.glob(".*microcell-*"))
    assert read(folder / to).equals(before)


def test_progress_has_stage_share_and_time(folder):
    from microcell._progress import listen

    source = write_files(make_table(400), folder / "source", 5, ".parquet")
    heard = []
    with listen(lambda *said: heard.append(said)):
        release(source, folder / "out", jobs=1)
    shares = [done / total for done, total, _ in heard]
    assert shares == sorted(shares) and 0 <= shares[0] and shares[-1] <= 1
    steps = [step for *_, step in heard]
    assert any(step.startswith("masking shards (stage 3 of 5") for step in steps)
    assert any("left)" in step for step in steps)


def test_output_of_another_kind_is_refused(folder):
    source = write_files(make_table(20), folder / "source", 1, ".parquet")
    with pytest.raises(InputError, match="written as a whole"):
        release(source, folder / "out.xlsx")
    assert Path(source).exists()


def test_file_system_without_links(folder, monkeypatch):
    def refuse(*_, **__):
        raise OSError("no links")

    make_table(60).write_parquet(folder / "table.parquet")
    monkeypatch.setattr(os, "link", refuse)
    run = release(folder / "table.parquet", folder / "out", jobs=1)
    files = {file["name"]: file["bytes"] for file in run.certificate["files"]}
    there = {path.name: path.stat().st_size for path in (folder / "out").iterdir()}
    assert files == there


@pytest.mark.parametrize("n_repeats", [0, 1])
@pytest.mark.parametrize("at_once", [10**9, 700])
def test_one_repeat_among_more_values_than_a_sample_stops(
    tmp_path, monkeypatch, n_repeats, at_once
):
    monkeypatch.setattr(_beside, "VALUES_OF_IDENTIFIERS", 5)
    monkeypatch.setattr(_beside, "NUMBERS_AT_ONCE", at_once)
    names = [f"p{i}" for i in range(3000 - n_repeats)] + ["P7 "] * n_repeats
    rng = np.random.default_rng(0)
    table = pl.DataFrame({"name": names, "age": rng.integers(20, 90, 3000)})
    write_files(table, tmp_path / "in", 3, ".parquet")
    recipe = Recipe(Schema("age", identifiers="name"), k=5, method="mdav")

    def run():
        return anonymize_file(tmp_path / "in", recipe, tmp_path / "out", engine="disk")

    if n_repeats:
        with pytest.raises(SchemaError, match="fewer than 3000 values for 3000 rec"):
            run()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]
    else:
        run()
