"""Three ways to spill a table to shards: runs, DuckDB and polars.

``python -m benchmarks.spill [ROWS]`` prints a Markdown table; a row is one way in
processes of its own, the best of three: seconds to write all shards, processor seconds
of that, seconds to read each shard again, peak megabytes, files and megabytes on disk.
DuckDB is left out where it is not installed.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq

from benchmarks.case import megabytes

COLUMNS = 5
PART = 10**6  # records of an input file, and of a run
THREADS = 2
LIMIT = "1GB"  # for DuckDB, which keeps to one
WAYS = ("runs", "polars to Arrow", "polars to Parquet", "DuckDB")
HEADER = (
    "| spill | rows | shards | write s | processor s | read s | peak MB | files "
    "| MB on disk |"
)
TIMES = 3


def make(folder, rows, shards):
    rng = np.random.default_rng(0)
    for i in range(0, rows, PART):
        n = min(PART, rows - i)
        table = pl.DataFrame({f"x{j}": rng.normal(size=n) for j in range(COLUMNS)})
        leaf = pl.Series("leaf", rng.integers(shards, size=n, dtype=np.int32))
        table.with_columns(leaf).write_parquet(folder / f"{i:010d}.parquet")


def runs(source, target, shards):
    from concurrent.futures import ThreadPoolExecutor

    from microcell.engines._runs import gathered, write_run

    def spill(file):
        path = target / f"{file.stem}.arrow"
        return write_run(pl.DataFrame(pq.read_table(file)), "leaf", path)

    with ThreadPoolExecutor(THREADS) as pool:
        made = list(pool.map(spill, sorted(source.iterdir())))
    yield
    for shard in range(shards):
        yield gathered(made, [shard]).height


def polars(source, target, shards, to):
    plan = pl.scan_parquet(source)
    by = pl.PartitionBy(target, key="leaf", include_key=False)
    if to == "arrow":
        plan.sink_ipc(by)
    else:
        plan.sink_parquet(by)
    yield
    for shard in range(shards):
        place = target / f"leaf={shard}"
        read = pl.read_ipc if to == "arrow" else pl.read_parquet
        yield sum(read(file).height for file in place.iterdir())


def duck(source, target, shards):
    import duckdb

    base = duckdb.connect()
    base.execute(f"SET memory_limit='{LIMIT}'")
    base.execute(f"SET threads={THREADS}")
    base.execute("SET preserve_insertion_order=false")
    base.execute(
        f"COPY (SELECT * FROM read_parquet('{source}/*.parquet')) TO '{target}' "
        "(FORMAT parquet, PARTITION_BY (leaf), OVERWRITE_OR_IGNORE)"
    )
    yield
    for shard in range(shards):
        yield pl.read_parquet(target / f"leaf={shard}").height


def one(way, source, rows, shards):
    target = Path(tempfile.mkdtemp(dir=Path(source).parent))
    work = {
        "runs": runs,
        "polars to Arrow": lambda *a: polars(*a, "arrow"),
        "polars to Parquet": lambda *a: polars(*a, "parquet"),
        "DuckDB": duck,
    }[way](Path(source), target, shards)
    start, used = time.perf_counter(), time.process_time()
    next(work)
    written, used = time.perf_counter(), time.process_time() - used
    assert sum(work) == rows
    read = time.perf_counter()
    files = [path for path in target.rglob("*") if path.is_file()]
    result = {
        "write": written - start,
        "processor": used,
        "read": read - written,
        "peak": megabytes(),
        "files": len(files),
        "disk": sum(path.stat().st_size for path in files) / 1e6,
    }
    shutil.rmtree(target)
    print(json.dumps(result))


def main(rows):
    print(HEADER)
    print("| --- " * 9 + "|")
    for shards in (4, 64, 512):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "source"
            source.mkdir()
            make(source, rows, shards)
            for way in WAYS:
                found = best_of([way, str(source), str(rows), str(shards)])
                if found is not None:
                    print(
                        f"| {way} | {rows:,} | {shards} | {found['write']:.1f} "
                        f"| {found['processor']:.1f} | {found['read']:.1f} "
                        f"| {found['peak']:.0f} | {found['files']:,} "
                        f"| {found['disk']:.0f} |",
                        flush=True,
                    )


def best_of(arguments):
    """The quickest of some runs; None for DuckDB where it is not installed."""
    found = []
    for _ in range(TIMES):
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.spill", *arguments],
            capture_output=True,
            text=True,
        )
        if "No module named 'duckdb'" in done.stderr:
            return None
        if done.returncode:
            sys.exit(done.stderr)
        found.append(json.loads(done.stdout))
    return min(found, key=lambda run: run["write"])


if __name__ == "__main__":
    if len(sys.argv) > 2:
        one(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 10**7)
