"""A run on disk that is killed at any moment shows nothing, and can go on."""

import random
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from marks import first_is_quick

CODE = """
import sys
from pathlib import Path
from microcell.engines._disk import run_on_disk
from microcell.engines._parts import open_parts
from microcell.release import Sidecars

tests, which, source, output, overwrite, signals = sys.argv[1:]
sys.path.insert(0, tests)
parts = open_parts(source, part_bytes=200_000)
if which == "simple":
    from microcell.engines import _disk_steps
    from sharded import SimpleTask, release_of
    _disk_steps.make_release = release_of
    task = SimpleTask(5, 12, tuple(parts.schema), parts.as_text)
else:
    from microcell.pipeline._task import Task
    from microcell.recipe import Recipe, Schema
    schema = Schema(["x", "y"], confidential="ill")
    recipe = Recipe(schema, k=5, method="mdav", shard=12_000)
    task = Task(recipe, parts.schema, parts.as_text)
if signals:
    from microcell.cli._signals import end_on_signals
    end_on_signals()
print("begun", flush=True)
run_on_disk(task, parts, output, jobs=2, sidecars=Sidecars(overwrite=bool(overwrite)))
"""
TESTS = str(Path(__file__).parents[1])


def make_source(folder, n_records, n_files):
    rng = np.random.default_rng(0)
    folder.mkdir()
    for i in range(n_files):
        n = n_records // n_files
        numbers = {name: rng.normal(size=n).round(4) for name in "xy"}
        ill = rng.choice(["flu", "gout"], n)
        table = pl.DataFrame({**numbers, "ill": ill})
        table.write_parquet(folder / f"{i}.parquet")
    return folder


def start(which, source, output, overwrite=False, signals=False):
    """A run of its own, from the moment at which everything is imported."""
    options = ["overwrite" if overwrite else "", "signals" if signals else ""]
    arguments = [TESTS, which, source, output, *options]
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        text=True,
    )
    assert process.stdout.readline() == "begun\n", process.stderr.read()
    return process


def finish(process):
    _, said = process.communicate(timeout=600)
    assert process.returncode == 0, said


def read(output):
    if output.is_dir():
        table = pl.concat(pl.read_parquet(f) for f in sorted(output.iterdir()))
    else:
        table = pl.read_csv(output)
    return table.sort(table.columns)


def kill_again_and_again(folder, which, to, n_kills, n_records, before=None):
    """Kill runs at random moments; what is to be seen is whole, and one run finishes.

    Returns how many runs were killed at work.
    """
    source = make_source(folder / "source", n_records, 6)
    began = time.monotonic()
    finish(start(which, source, folder / "expected"))
    whole_run = time.monotonic() - began
    expected = read(folder / "expected")
    output = folder / to
    if before is not None:
        finish(start(which, before, output))
    old = None if before is None else read(output)
    draw = random.Random(7)
    killed = 0
    for _ in range(n_kills):
        process = start(which, source, output, before is not None)
        time.sleep(draw.uniform(0, whole_run) / 2)
        process.kill()
        process.communicate()
        if process.returncode == -signal.SIGKILL:
            killed += 1
        works = list(folder.glob(".*microcell-*"))
        assert all(stat.S_IMODE(w.stat().st_mode) == 0o700 for w in works)
        if output.exists():
            found = read(output)
            assert found.equals(expected) or (old is not None and found.equals(old))
            if before is None:
                _remove(output)
        else:
            assert before is None or works  # moved aside, for the next start
    finish(start(which, source, output, before is not None))
    assert read(output).equals(expected)
    assert not list(folder.glob(".*microcell*"))
    return killed


def _remove(output):
    if output.is_dir():
        for file in output.iterdir():
            file.unlink()
        output.rmdir()
    else:
        output.unlink()


def test_killed_runs(tmp_path):
    assert kill_again_and_again(tmp_path, "simple", "out", 1, 60_000) > 0


@pytest.mark.parametrize(
    "number", first_is_quick([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
)
def test_only_ctrl_c_leaves_nothing(tmp_path, number):
    """On the command line, while threads write."""
    source, output = make_source(tmp_path / "source", 60_000, 6), tmp_path / "out"
    process = start("simple", source, output, signals=True)
    while not list(tmp_path.glob(".*microcell-*/runs/*.done")):
        assert process.poll() is None
        time.sleep(0.001)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number, said
    left = [path for path in tmp_path.iterdir() if path != source]
    if number == signal.SIGINT:
        assert said == "error: Interrupted; nothing was written.\n" and not left
        return
    (work,) = left
    assert list(work.glob("runs/*.done"))
    assert said.count("\n") == 1 and "same command" in said and str(work) in said
    finish(start("simple", source, output))
    assert sorted(tmp_path.iterdir()) == [output, source]


@pytest.mark.slow
@pytest.mark.parametrize("to", ["out", "out.csv"])
def test_ten_killed_runs(tmp_path, to):
    assert kill_again_and_again(tmp_path, "real", to, 10, 300_000) >= 5


@pytest.mark.slow
def test_ten_killed_runs_that_replace(tmp_path):
    before = make_source(tmp_path / "before", 5_000, 1)
    killed = kill_again_and_again(tmp_path, "real", "out", 10, 300_000, before)
    assert killed >= 5
