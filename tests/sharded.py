"""A task so simple that a test can tell what a sharded run must release."""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType, SimpleNamespace

import numpy as np
import polars as pl

from microcell.exceptions import PrivacyError
from microcell.recipe import Recipe, Schema
from microcell.release import make_release

LOW, HIGH = -4.0, 4.0


@dataclass(frozen=True)
class Added:
    """Something that adds up."""

    found: Counter

    def __add__(self, other):
        return Added(self.found + other.found)


@dataclass(frozen=True)
class SimpleTask:
    """Cells of k records that follow each other in one column; all columns released."""

    k: int
    n_leaves: int
    needs: tuple
    as_text: bool = False
    spoilt: bool = False
    layouts = MappingProxyType({})
    remember = False  # no report is made of it
    unit = None

    @property
    def recipe(self):
        return Recipe(Schema([self.needs[0]], others="keep"), k=self.k)

    @property
    def needs_first_pass(self):
        return self.as_text

    def first_pass(self, frame):
        return Added(Counter(records=frame.height))

    def typed(self, sketch):
        return self

    def learn(self, frame, first=0):
        return Added(Counter(records=frame.height))

    def learn_again(self, summary):
        """It has no limits that follow from all records."""

    def sampled_numbers(self, summary):
        """Identifiers that were not looked through: it has none."""
        return []

    def plan(self, summary):
        return SimpleJob(self, summary.found["records"])


@dataclass(frozen=True)
class SimpleJob:
    """Leaves are equal ranges of the first column."""

    task: SimpleTask
    n_records: int
    sizes: list = field(default_factory=list)
    LEAF = "leaf"
    BUCKET = "bucket"
    n_views = 1

    @property
    def n_leaves(self):
        return self.task.n_leaves

    @property
    def n_shards(self):
        return len(self.sizes)

    def leaves_of(self, shard):
        return list(range(self.n_leaves)) if self.n_shards == 1 else [shard]

    def route(self, frame, first=0):
        x = frame[self.task.needs[0]].cast(pl.Float64)
        share = ((x - LOW) / (HIGH - LOW)).clip(0, 1 - 1e-9)
        leaf = (share * self.n_leaves).cast(pl.Int32).alias("leaf")
        return frame.with_columns(x, leaf)

    def arrivals(self, routed):
        return np.bincount(routed["leaf"].to_numpy(), minlength=self.n_leaves)

    def merged(self, arrivals):
        assert arrivals.sum() == self.n_records
        small = (arrivals < self.task.k).any()
        return replace(self, sizes=[self.n_records] if small else arrivals.tolist())

    def mask(self, routed, shard):
        assert routed.height == self.sizes[shard]
        table = routed.sort(routed.columns)
        cells = np.minimum(
            np.arange(table.height) // self.task.k, table.height // self.task.k - 1
        )
        x = table[self.task.needs[0]].to_numpy()
        means = np.bincount(cells, x) / np.bincount(cells)
        masked = means[cells]
        if self.task.spoilt and shard == 0:
            masked[0] += 1
        frame = table.with_columns(pl.Series(self.task.needs[0], masked))
        tally = Counter(records=table.height)
        return SimpleNamespace(frame=frame, tally=tally, beside=pl.DataFrame())

    def classes(self, released):
        x = released.select(pl.col(self.task.needs[0]).cast(pl.Float64).alias("x"))
        bucket = (pl.col("x") * 1000).round().cast(pl.Int32) % 3
        return [x.group_by("x").len().with_columns(bucket.alias("bucket"))]

    def values(self, groups, view):
        return Added(Counter(records=int(groups["len"].sum())))

    def verify(self, groups, view, values):
        sizes = groups.group_by("x").agg(pl.col("len").sum())["len"]
        return Added(Counter(sizes.to_list()))

    def release(self, tally, verdict):
        if min(verdict.found) < self.task.k:
            raise PrivacyError("A class is too small.")
        assert tally["records"] == self.n_records
        facts = {"records": self.n_records, "k": min(verdict.found)}
        return SimpleNamespace(certificate=lambda: dict(facts), **facts)


def release_of(job, tally, verdict):
    """What stands in the place of `make_release`: for doubles, what they say."""
    made = job.release if isinstance(job, SimpleJob) else partial(make_release, job)
    return made(tally, verdict)
