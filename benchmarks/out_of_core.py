"""A table larger than memory on disk: seconds, memory and loss as it grows.

``python -m benchmarks.out_of_core FOLDER [ROWS ...]`` makes ROWS x 5 normal numbers in
Parquet files under FOLDER, releases them in a process of its own with two jobs and
prints a line of JSON for each; the files are removed again.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from math import log10
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.memory import resident

COLUMNS = 5
IN_A_FILE = 10**6  # records
K = 5
JOBS = 2
SIZES = (10**6, 10**7, 10**8)


def make(folder, rows):
    folder.mkdir(parents=True)
    for number, start in enumerate(range(0, rows, IN_A_FILE)):
        rng = np.random.default_rng(number)
        n = min(IN_A_FILE, rows - start)
        table = pl.DataFrame({f"x{j}": rng.normal(size=n) for j in range(COLUMNS)})
        table.write_parquet(folder / f"{number:05d}.parquet")


def compile_kernels(folder):
    """A small run, so that the seconds of the large one are those of work."""
    make(folder / "small", 20_000)
    release(folder / "small", folder / "small-release")
    shutil.rmtree(folder / "small")
    shutil.rmtree(folder / "small-release")


def release(source, output):
    from microcell.engines._disk import run_on_disk
    from microcell.engines._parts import open_parts
    from microcell.pipeline._task import Task
    from microcell.recipe import Recipe, Schema

    parts = open_parts(source)
    recipe = Recipe(Schema([f"x{j}" for j in range(COLUMNS)]), k=K)
    task = Task(recipe, parts.schema, parts.as_text)
    return run_on_disk(task, parts, output, jobs=JOBS)


def one(folder):
    compile_kernels(folder)
    start, used = time.perf_counter(), os.times()
    done = release(folder / "source", folder / "release")
    took, now = time.perf_counter() - start, os.times()
    files = list((folder / "release").iterdir())
    records = sum(pl.scan_parquet(f).select(pl.len()).collect().item() for f in files)
    assert records == done.release.n_records
    result = {
        "rows": done.release.n_records,
        "seconds": round(took, 1),
        "processor_seconds": round(now.user + now.system - used.user - used.system, 1),
        "peak_megabytes": round(resident("VmHWM")),
        "shards": done.release.n_shards,
        "k": min(f.found for f in done.release.findings),
        "loss_percent": round(100 * done.release.scores["sse_loss"], 4),
        "source_megabytes": size(folder / "source"),
        "release_megabytes": size(folder / "release"),
        "stages": {name: round(s, 1) for name, s in done.seconds.items()},
    }
    print(json.dumps(result))


def size(folder):
    return round(sum(f.stat().st_size for f in folder.iterdir()) / 1e6)


def main(folder, sizes):
    before = None
    for rows in sizes:
        make(folder / "source", rows)
        try:
            done = subprocess.run(
                [sys.executable, "-m", "benchmarks.out_of_core", "one", str(folder)],
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            )
            found = json.loads(done.stdout)
            if before is not None:
                exponent = log10(found["seconds"] / before["seconds"])
                found["growth"] = round(exponent / log10(rows / before["rows"]), 2)
            before = found
            print(json.dumps(found), flush=True)
        finally:
            for name in ("source", "release", "small", "small-release"):
                shutil.rmtree(folder / name, ignore_errors=True)


if __name__ == "__main__":
    if sys.argv[1] == "one":
        one(Path(sys.argv[2]))
    else:
        main(Path(sys.argv[1]), [int(n) for n in sys.argv[2:]] or SIZES)
