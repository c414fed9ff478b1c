"""A release on Spark's own cluster on this machine, with a worker killed on the way.

``python -m benchmarks.on_spark`` makes a table of 10,000,000 records, releases it on a
master and two workers, once undisturbed and once with a worker and its executor killed
while shards are masked, and prints what came out as JSON.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import polars as pl

from microcell.recipe import Recipe, Schema
from microcell.spark import anonymize

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from spark_cluster import (  # the tests' own
    Cluster,
    Killer,
    children,
    end_java,
    environment,
    settings,
)

FILES = 10


def main():
    """Print the figures of both runs."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--records", type=int, default=10_000_000)
    options.add_argument("--columns", type=int, default=5)
    options.add_argument("--k", type=int, default=5)
    options.add_argument("--shard", type=int, default=1_000_000)
    options.add_argument("--folder", type=Path, help="where the table and releases go")
    asked = options.parse_args()
    os.environ.update(environment())
    os.environ.pop("JAVA_TOOL_OPTIONS")  # for short runs
    folder = Path(tempfile.mkdtemp(prefix="on-spark-", dir=asked.folder))
    try:
        table = make_table(folder / "table", asked)
        runs = {name: run(folder, asked, name) for name in ("undisturbed", "killed")}
    finally:
        shutil.rmtree(folder)
        end_java()
    same = runs["undisturbed"]["release"] == runs["killed"]["release"]
    untouched = all(
        r["release"]["number_sum"] == table["number_sum"] for r in runs.values()
    )
    found = {"table": table, **runs, "same_release": same, "untouched": untouched}
    print(json.dumps(found, indent=2))


def make_table(folder, asked):
    """Write normal columns and one that is released as it is."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    size = asked.records // FILES
    total = 0
    for file in range(FILES):
        columns = {f"x{j}": rng.normal(size=size) for j in range(asked.columns)}
        number = np.arange(file * size, (file + 1) * size)
        total += int(number.sum())
        frame = pl.DataFrame({**columns, "number": rng.permutation(number)})
        frame.write_parquet(folder / f"{file}.parquet")
    return {"records": size * FILES, "columns": asked.columns, "number_sum": total}


def run(folder, asked, name):
    """One release on a cluster of its own."""
    from pyspark.sql import SparkSession

    names = [f"x{j}" for j in range(asked.columns)]
    recipe = Recipe(Schema(names, others=["number"]), k=asked.k, shard=asked.shard)
    with Cluster(memory="2g") as cluster, Watch(cluster) as watch:
        builder = SparkSession.builder.master(cluster.url)
        for setting, value in settings().items():
            builder = builder.config(setting, value)
        spark = builder.config("spark.executor.memory", "2g").getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        killer = Killer(spark, cluster)
        start = time.perf_counter()
        df = spark.read.parquet(str(folder / "table"))
        if name == "killed":
            with killer:
                release = anonymize(df, recipe, path=folder / name)
        else:
            release = anonymize(df, recipe, path=folder / name)
        seconds = time.perf_counter() - start
        known = facts(release.table, names)
        spark.stop()
    return {
        "seconds": round(seconds, 1),
        "shards": release.n_shards,
        "k_found": release.findings[0].found,
        "loss": release.scores["sse_loss"],
        "killed_after_shards": killer.n_done or None,
        "killed_processes": len(killer.killed),
        "python_peak_mb": watch.peak // 2**20,
        "release": known,
    }


def facts(table, names):
    """Count, sum of what is not touched, and a digest that no order changes."""
    hashed = f"xxhash64({', '.join([*names, 'number'])})"
    row = table.selectExpr(
        "count(*)",
        "sum(number)",
        f"sum(cast({hashed} AS decimal(38, 0)))",
        f"bit_xor({hashed})",
    ).first()
    return {
        "records": row[0],
        "number_sum": row[1],
        "hash_sum": str(row[2]),
        "hash_xor": str(row[3]),
    }


class Watch:
    """The most memory that one of the executors' Python processes has held."""

    def __init__(self, cluster):
        self.cluster, self.peak = cluster, 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._watch)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def _watch(self):
        while not self.over.wait(0.5):
            for worker in self.cluster.workers:
                for pid in children(worker.pid):
                    self.peak = max(self.peak, peak_of(pid))


def peak_of(pid):
    """Bytes that a Python process has held at most; of others 0."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    fields = dict(line.split(":", 1) for line in status.splitlines())
    if not fields["Name"].strip().startswith("python") or "VmHWM" not in fields:
        return 0
    return int(fields["VmHWM"].split()[0]) * 1024


if __name__ == "__main__":
    main()
