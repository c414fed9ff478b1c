"""From what was learnt of a whole table to its job: scales, fills, cuts, promises."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microcell.columns import (
    Encoder,
    Prepared,
    missing_values,
    none_left,
)
from microcell.embed import LearntColumns, Moments
from microcell.pipeline._beside import checked
from microcell.pipeline._column_summary import code_counts
from microcell.pipeline._cuts import CutTree
from microcell.pipeline._disclosing_columns import known_by_name
from microcell.pipeline._job import Job
from microcell.pipeline._masking import Masking, resolved_promises
from microcell.pipeline._notices import Notices, codes_as_numbers, likely_missing
from microcell.pipeline._numbers_as_text import refuse_numbers_as_text_in_parts
from microcell.pipeline._order_statistics import (
    SampledRecords,
    said_of_sample,
)
from microcell.pipeline._people import categories_of_people, refuse_own_categories
from microcell.pipeline._plan import (
    all_promises,
    promises_of,
)
from microcell.pipeline._recoded import Recoded, merged_rare
from microcell.pipeline._sampled import sampled_array, sampled_weights
from microcell.pipeline._sizes import shard_size
from microcell.pipeline._table_summary import TableSummary
from microcell.recipe import Recipe, representatives_of

if TYPE_CHECKING:
    from microcell.pipeline._task import Task


def learnt_job(
    task: Task, first_pass: Callable[[Task], Any], learn: Callable[[Task], Any]
) -> tuple[Job, list[str]]:
    """The job of a table, from what its parts say when they are looked at in turn.

    Parameters
    ----------
    task : Task
    first_pass, learn : callable
        What `Task.first_pass` and `Task.learn` of a task say of all parts, added up.

    Returns
    -------
    job : Job
    names : list of str
        Identifiers with more values than were looked at: any may repeat unseen.
    """
    if task.needs_first_pass:
        task = task.typed(first_pass(task))
    summary = learn(task)
    again = task.learn_again(summary)
    if again is not None:
        task, summary = again, learn(again)
    return task.plan(summary), task.sampled_numbers(summary)


def make_job(task: Task, summary: TableSummary) -> Job:
    """The job of a task, from the statistics of the whole table.

    Raises
    ------
    SchemaError, InputError
        If the table is not as it should be: what `anonymize` refuses of a table in
        memory is refused here.
    """
    recipe = task.recipe
    _check_missing(summary, recipe)
    beside = summary.beside
    decide, people, weights, strata = checked(
        task, beside, known_by_name(recipe, task.carried)
    )
    notices = Notices(
        source=task.notices,
        people=people,
        weights=weights,
        text=refuse_numbers_as_text_in_parts(task, summary),
        confidential=list(
            dict.fromkeys(said for v in summary.values for said in v.notices())
        ),
    )
    encoders = task.encoders(summary)
    raw, said = encoders, list[str]()
    codes: dict[int, np.ndarray] = {}
    if recipe.rare == "merge":
        encoders, codes, said = merged_rare(summary, raw, task)
    recoded = Recoded(raw, codes, {})
    unclipped = _learnt(summary, raw, clip=False)
    clipped = _learnt(summary, encoders, clip=True, recoded=recoded)
    records = SampledRecords.of(summary.sample, raw)
    records = replace(records, X=recoded(records.X))
    inside = records.settled(encoders, {})
    if recipe.missing == "impute":
        recoded = replace(
            recoded, fills=inside.fills(encoders, clipped, sorted(clipped.gaps))
        )
        clipped = _filled(clipped, recoded.fills, summary)
        inside = records.settled(encoders, recoded.fills)
    if recipe.scale == "robust":
        measured = list(clipped.moments)
        unclipped = replace(
            unclipped, ordered={j: records.ordered(j) for j in measured}
        )
        clipped = replace(clipped, ordered={j: inside.ordered(j) for j in measured})
    notices = notices._replace(
        plans=said_of_sample(recipe, records, recoded.fills),
        text=[*notices.text, *said],
        codes=codes_as_numbers(encoders, records, recipe),
        marks=likely_missing(encoders, records, recipe.k),
    )
    promised = resolved_promises(all_promises(recipe), summary.values)
    masking = Masking(
        recipe,
        clipped,
        1,
        promised,
        None if task.unit is None else beside.n_people,
    )
    bare = Job(
        task=task,
        encoders=encoders,
        recoded=recoded,
        masking=masking,
        unclipped=unclipped,
        tree=_NO_CUTS,
        n_records=beside.n_records,
        n_dropped=summary.n_records - beside.n_records,
        n_people=beside.n_people,
        strata=strata,
        promises=[],
        notices=notices,
        decide=decide,
    )
    sampled = bare.prepared(sampled_array(summary.sample, raw), pl.DataFrame())
    representatives_of(recipe, sampled.kinds)
    _check_categories(sampled, summary, recoded, task)
    width = masking.scaler(sampled).transform(sampled.X[:1]).shape[1]
    size = shard_size(recipe, width)
    masking = replace(masking, size=size, recipe=replace(recipe, shard=size))
    tree = masking.cut(sampled, sampled_weights(summary.sample), beside.n_records)
    released = [n for n in recipe.strata if n in task.carried]
    return replace(
        bare,
        masking=masking,
        tree=tree,
        promises=promises_of(recipe.plan, recipe, released),
    )


_NO_CUTS = CutTree(np.empty(0, np.int64), np.empty(0), np.empty((0, 2), np.int64))


def _learnt(
    summary: TableSummary,
    encoders: list[Encoder],
    clip: bool,
    recoded: Recoded | None = None,
) -> LearntColumns:
    moments: dict[int, Moments] = {}
    frequencies = {}
    for j, (column, encoder) in enumerate(zip(summary.columns, encoders, strict=True)):
        if not encoder.ordered:
            raw = encoder if recoded is None else recoded.encoders[j]
            frequencies[j] = code_counts(column, raw)
            if recoded is not None and j in recoded.codes:
                counts = np.bincount(recoded.codes[j], frequencies[j][1])
                frequencies[j] = np.arange(counts.size, dtype=float), counts.astype(int)
        elif not encoder.measured:
            codes, counts = code_counts(column, encoder)
            codes = encoder.clip(codes) if clip else codes
            missing = Moments(n_missing=column.n_missing)
            moments[j] = Moments.of(codes, counts) + missing
        else:
            moments[j] = column.clipped if clip else column.moments
    gaps = frozenset(j for j, c in enumerate(summary.columns) if c.n_missing)
    return LearntColumns(moments, frequencies, gaps)


def _filled(
    learnt: LearntColumns, fills: Mapping[int, float], summary: TableSummary
) -> LearntColumns:
    """What is known of columns whose gaps were filled."""
    moments, frequencies = dict(learnt.moments), dict(learnt.frequencies)
    for j, value in fills.items():
        n_missing = summary.columns[j].n_missing
        if j in frequencies:
            codes, counts = frequencies[j]
            frequencies[j] = codes, counts + n_missing * (codes == value)
        else:
            more = Moments.of(np.array([value]), np.array([n_missing]))
            moments[j] = replace(moments[j], n_missing=0) + more
    return LearntColumns(moments, frequencies)


def _check_missing(summary: TableSummary, recipe: Recipe) -> None:
    """Refuse missing values as `anonymize` does, with their numbers in the table."""
    counts = {name: n for name, n in summary.n_missing.items() if n}
    if counts and recipe.missing == "error":
        raise missing_values(counts)
    if counts and summary.beside.n_records == 0:
        raise none_left(counts)


def _check_categories(
    sampled: Prepared, summary: TableSummary, recoded: Recoded, task: Task
) -> None:
    """Refuse categories that are those of one person each, by their true counts."""
    counts = {
        j: recoded.people(j, summary.columns[j])
        for j in categories_of_people(sampled, task.recipe)
    }
    refuse_own_categories(sampled, task.recipe, counts, summary.beside.n_people)
