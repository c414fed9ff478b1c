"""Every other stage at a million records, beside the partition itself.

``python -m benchmarks.stages`` prints lines of JSON: stage, seconds.
"""

import json
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.job import timed_job
from microcell import Schema
from microcell.aggregate import Centroid
from microcell.columns import prepare, type_columns
from microcell.io import read_table, write_table
from microcell.metrics import linkage_risks, sse_loss
from microcell.partition import MDAV, VMDAV, Mondrian, OptimalUnivariate
from microcell.privacy import class_sizes

ROWS = 1_000_000
SMALL = 2000  # records of a job whose time and memory are those of the libraries


def show(stage, seconds, **more):
    """Print a stage; more figures as they come."""
    print(json.dumps({"stage": stage, "seconds": seconds} | more), flush=True)


def timed(stage, call):
    start = time.perf_counter()
    result = call()
    show(stage, time.perf_counter() - start)
    return result


def main():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, 5))
    wide = rng.normal(size=(ROWS, 8))
    small = X[:6000]
    parts = [MDAV(5), VMDAV(5), Mondrian(5), OptimalUnivariate(5)]
    for part in parts:  # compile
        released = Centroid().aggregate(small, part.fit_predict(small))
    linkage_risks(small, released, (1, 2))

    labels = timed("MDAV, 5 columns, k=5", lambda: MDAV(5).fit_predict(X))
    timed("V-MDAV, 5 columns, k=5, gamma=0.2", lambda: VMDAV(5).fit_predict(X))
    timed("Mondrian, 5 columns, k=5", lambda: Mondrian(5).fit_predict(X))
    timed("MDAV, 8 columns, k=10", lambda: MDAV(10).fit_predict(wide))
    timed("Mondrian, 8 columns, k=10", lambda: Mondrian(10).fit_predict(wide))
    timed(
        "optimal univariate, 1 column, k=5",
        lambda: OptimalUnivariate(5).fit_predict(X[:, :1]),
    )
    released = timed("aggregate", lambda: Centroid().aggregate(X, labels))
    timed("loss", lambda: sse_loss(X, released))
    timed(
        "linkage, nearest and two nearest", lambda: linkage_risks(X, released, (1, 2))
    )
    names = [f"x{j}" for j in range(5)]
    frame = pl.DataFrame(released, schema=names)
    timed("verify", lambda: class_sizes(frame, names))
    with tempfile.TemporaryDirectory() as folder:
        command_line(Path(folder), X, names)


def command_line(folder, X, names):
    """The whole command on a CSV file, and what its steps take by themselves."""
    table, small = folder / "table.csv", folder / "small.csv"
    frame = pl.DataFrame(X, schema=names)
    timed("write CSV", lambda: write_table(frame, table))
    timed("read CSV and types", lambda: type_columns(read_table(table), names))
    columns = folder / "table.parquet"
    write_table(frame, columns)
    timed(
        "read Parquet and numbers", lambda: prepare(read_table(columns), Schema(names))
    )
    write_table(frame.head(SMALL), small)
    for asked in ("--version", "--help"):
        show(f"microcell {asked}", **timed_job([asked]))
    few = job(small, names)
    show(f"microcell anonymize, {SMALL} records", **few)
    whole = job(table, names)
    size = table.stat().st_size / 2**20
    show(
        "microcell anonymize, CSV to CSV, MDAV k=5",
        **whole,
        times_the_partition=whole["seconds"] / whole["partition_seconds"],
        processor_times_the_partition=(
            whole["processor_seconds"] / whole["partition_processor_seconds"]
        ),
        table_megabytes=X.nbytes / 2**20,
        file_megabytes=size,
        times_the_file=(whole["peak_megabytes"] - few["peak_megabytes"]) / size,
    )


def job(table, names):
    """Seconds and peak megabytes of the command on a file; see `timed_job`."""
    out = str(table.with_name("release.csv"))
    asked = ["-k", "5", "-q", ",".join(names), "-o", out, "--overwrite"]
    return timed_job(["anonymize", str(table), *asked])


if __name__ == "__main__":
    main()
