"""A table in memory is one part: what is counted of it, and its shards if it has any.

What follows upon masking is what `anonymize` does with a table that is masked as a
whole.
"""

from __future__ import annotations

import os
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from microcell._progress import report
from microcell.columns import (
    Prepared,
    as_marks,
    check_releasable,
    is_missing,
)
from microcell.exceptions import SchemaError
from microcell.pipeline._arrivals import LEAF
from microcell.pipeline._beside import Beside, Checked, checked
from microcell.pipeline._disclosing_columns import given_away
from microcell.pipeline._make_job import learnt_job
from microcell.pipeline._masking import Cells, joined
from microcell.pipeline._spread import spread
from microcell.pipeline._task import Task


def cores() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def one_part(task: Task, prepared: Prepared) -> tuple[pl.DataFrame, Checked]:
    """What stands beside the cells of a table in memory, and what that says."""
    names = [n for n in task.needs if n not in task.masked or n in task.recipe.strata]
    table = pl.DataFrame([_in_polars(prepared.frame[name]) for name in names])
    part = nw.from_native(table, eager_only=True)
    beside = Beside.of(task, part, task.people(table), len(prepared.X))
    marks = as_marks(task.marks).also("")
    known = given_away(prepared.frame, task.recipe, marks)
    return table, checked(task, beside, known)


def _in_polars(series: Any) -> pl.Series:
    """A column in the library that counts; objects are told apart by how they show."""
    try:
        check_releasable(series)
    except SchemaError:
        values = zip(series.to_list(), is_missing(series), strict=True)
        texts = [None if missing else repr(value) for value, missing in values]
        return pl.Series(series.name, texts, pl.String)
    return series.to_frame().to_polars().to_series()


def masked_in_shards(
    task: Task, table: pl.DataFrame, prepared: Prepared, jobs: int | None = None
) -> Cells:
    """The cells of a table that was cut into shards, in the order of its records.

    Parameters
    ----------
    task : Task
    table : polars.DataFrame
        What stands beside the quasi-identifiers, as `one_part` gives it.
    prepared : Prepared
        The table. Its limits become those of the job, and its gaps are filled as there.
    jobs : int, optional
        Shards that are masked at the same time; by default one for each processor.
        The cells do not depend on it.
    """
    before = prepared if prepared.before is None else prepared.before
    task.learnt = list(before.encoders)
    masked = [_in_polars(before.frame[name]) for name in before.names]
    table = table.with_columns(masked) if table.width else pl.DataFrame(masked)
    job, _ = learnt_job(
        task, lambda task: task.first_pass(table), lambda task: task.learn(table)
    )
    routed = job.route(table)
    job = job.merged(job.arrivals(routed))
    whole = job.prepared(job.coordinates(routed), routed.select(task.carried))
    prepared.X = whole.X
    for own, learnt in zip(prepared.encoders, job.encoders, strict=True):
        own.extras = own.extras._replace(limits=learnt.extras.limits)

    assert job.shard_of_leaf is not None and job.sizes is not None
    shards = job.shard_of_leaf[routed[LEAF].to_numpy()]
    order = np.argsort(shards, kind="stable")
    parts = np.split(order, np.cumsum(job.sizes)[:-1])

    def work(shard: int) -> tuple[np.ndarray, Cells]:
        made = job.cells(routed[parts[shard]], shard)
        return parts[shard][made.rows], made.cells

    done: dict[int, tuple[np.ndarray, Cells]] = {}
    n_done, jobs = 0, min(cores() if jobs is None else jobs, len(parts))
    for shard, (rows, cells) in spread(work, range(len(parts)), jobs):
        done[shard] = rows, cells
        n_done += len(rows)
        report(n_done, len(order), "masking shards")
    in_order = [done[shard] for shard in range(len(parts))]
    together = joined(
        [rows for rows, _ in in_order], [cells for _, cells in in_order], len(order)
    )
    together.notices.extend(job.notices.plans)
    together.notices.append(
        f"the table was cut into {job.n_shards} shard(s) of about "
        f"{len(order) // job.n_shards} records, masked each by itself"
    )
    return together
