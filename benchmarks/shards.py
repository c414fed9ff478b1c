"""What cutting a table into shards costs in loss: beside MDAV on the whole table.

``python -m benchmarks.shards`` prints lines of JSON: records, shards, loss of both, and
how much more the shards lose. Normal values in five columns, k = 5; shards of the
default size and smaller ones.
"""

import argparse
import json
import time

import numpy as np
import polars as pl

from microcell import Schema
from microcell.recipe import Recipe
from microcell.release._anonymize import apply_recipe

SMALLER = (250_000, 500_000, 1_000_000)
COLUMNS = 5


def released(frame, shard, engine):
    """Loss, seconds of processor time and notices of a release in memory."""
    recipe = Recipe(
        Schema(list(frame.columns)), k=5, shard=shard, measures=["sse_loss"]
    )
    start = time.process_time()
    release = apply_recipe(frame, recipe, remember=False, engine=engine)
    seconds = time.process_time() - start
    return release.scores["sse_loss"], seconds, release.notices


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--millions", type=float, nargs="+", default=[1, 5])
    parser.add_argument("--smaller", type=int, nargs="*", default=list(SMALLER))
    given = parser.parse_args()
    for millions in given.millions:
        n_records = int(millions * 1_000_000)
        X = np.random.default_rng(0).normal(size=(n_records, COLUMNS))
        frame = pl.DataFrame(X, schema=[f"x{j}" for j in range(COLUMNS)])
        whole, seconds, _ = released(frame, None, None)
        shown = {"records": n_records, "whole_loss": whole, "whole_seconds": seconds}
        print(json.dumps(shown), flush=True)
        for shard in (None, *[s for s in given.smaller if s < n_records]):
            loss, seconds, notices = released(frame, shard, "memory")
            shown = {
                "records": n_records,
                "shard": shard or "default",
                "loss": loss,
                "more_percent": 100 * (loss / whole - 1),
                "seconds": seconds,
                "notice": next(n for n in notices if "shard" in n),
            }
            print(json.dumps(shown), flush=True)


if __name__ == "__main__":
    main()
