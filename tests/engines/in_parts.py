"""A sharded run over parts in memory, step by step: what every engine must equal."""

from __future__ import annotations

import functools
import operator
import pickle

import numpy as np
import polars as pl

from microcell.pipeline._canonical import side_by_side
from microcell.pipeline._make_job import learnt_job
from microcell.pipeline._task import Task
from microcell.release import make_release


def split(frame, n_parts, seed=0):
    """Rows of a table in any order, in parts of any size; some may be empty."""
    rng = np.random.default_rng(seed)
    rows = rng.permutation(frame.height)
    ends = np.sort(rng.integers(0, frame.height + 1, n_parts - 1))
    return [frame[part] for part in np.split(rows, ends)]


def added(parts):
    return functools.reduce(operator.add, parts)


def sent(thing):
    """What arrives in another process."""
    return pickle.loads(pickle.dumps(thing))


def with_whole_people(parts, task):
    """The same records, those of a person in one part; some may be empty."""
    whole = pl.concat(parts)
    buckets = task.bucket(whole, len(parts))
    return [whole.filter(buckets == bucket) for bucket in range(len(parts))]


def run_in_parts(parts, recipe, as_text=False, remember=False):
    """The released table and what is known of it."""
    whole = Task(recipe, dict(parts[0].schema), as_text, remember=remember)
    parts = [part.select(whole.needs) for part in parts]
    task = whole
    if task.unit is not None:
        parts = with_whole_people(parts, task)
    job, _ = learnt_job(
        task,
        lambda task: added([task.first_pass(part) for part in parts]),
        lambda task: added([sent(task.learn(part, None)) for part in parts]),
    )
    routed = [sent(job).route(part, None) for part in parts]
    job = job.merged(added([job.arrivals(part) for part in routed]))
    everything = pl.concat(routed)
    masked = [
        sent(job).mask(
            everything.filter(pl.col(job.LEAF).is_in(job.leaves_of(shard))), shard
        )
        for shard in range(job.n_shards)
    ]
    verdicts = []
    for view in range(job.n_views):
        groups = [
            job.classes(side_by_side(one.frame, one.beside))[view] for one in masked
        ]
        values = added([job.values(group, view) for group in groups])
        together = pl.concat(groups)
        for bucket in range(job.n_buckets):
            of_bucket = together.filter(pl.col(job.BUCKET) == bucket)
            verdicts.append(job.verify(of_bucket, view, values))
    released = pl.concat([one.frame for one in masked])
    tally = added([one.tally for one in masked])
    return released, make_release(job, tally, added(verdicts))
