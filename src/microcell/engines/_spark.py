"""Spark as an engine: it moves records, the job says what is done with them.

DataFrames alone are used, no RDD, so that Spark Connect works: the driver gets a few
rows of sums, with the bounded sample of quasi-identifiers that cuts are learnt from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pickle import loads
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from microcell import _progress
from microcell.engines._spark_stages import (
    NUMBER_COLUMNS,
    PART,
    PAYLOADS,
    SENT_PAYLOAD,
    SHARD,
    added,
    arrivals,
    gathered,
    grouped,
    masked,
    multiset,
    numbers,
    routed,
    summed,
    total_of,
    values,
    verified,
    versions,
)
from microcell.engines._spark_types import (
    arrow_schema,
    own_name,
    polars_types,
    sent_name,
    spark_schema,
)
from microcell.exceptions import Explained, InputError, Option, SchemaError
from microcell.pipeline import (
    Job,
    Task,
    coordinate,
    learnt_job,
    repeats_people,
    side_by_side,
)
from microcell.recipe import Recipe, forms_of
from microcell.release import Release, make_release

SUMS = 2  # rows that the driver gets
PEOPLE_TOGETHER = 1_000_000  # records of a part that has whole people
RANGES = 4  # ranges for each shard, so that none shares its range with another


@dataclass
class OnSpark:
    """Records that Spark has masked and keeps, and what was counted meanwhile.

    Attributes
    ----------
    job : Job
        What was done to them, as workers know it: without the recipe's seed.
    tally : Tally
        What was counted while records were masked.
    kept : pyspark.sql.DataFrame
        What the workers made, tallies among it; kept in memory and on their disks.
    random_state : int or None
        The recipe's seed.
    """

    job: Job
    tally: Any
    kept: Any
    random_state: int | None

    @property
    def table(self) -> Any:
        """The released records."""
        return self._records(map(sent_name, self.job.beside_released))

    def _records(self, left_out: Iterable[str] = ()) -> Any:
        """What was masked, with what stands beside it to be counted by."""
        table = self.kept.where(f"`{SENT_PAYLOAD}` IS NULL")
        table = table.drop(SENT_PAYLOAD, *left_out)
        return table.toDF(*map(own_name, table.columns))

    def release(self, table: Any = None) -> Release:
        """What is known of the release, when all its records were counted.

        Parameters
        ----------
        table : pyspark.sql.DataFrame, optional
            The records as they were read back, where they were written.
        """
        _progress.report(0, None, "counting who looks alike")
        counted = self._records() if table is None else table
        if table is not None and self.job.beside_released:
            # Whose a written record is, is not in the file: the same were kept.
            if not (_multiset(self.table) == _multiset(table)).all():
                raise RuntimeError(
                    "What was written is not what was masked. Nothing is published."
                )
            counted = self._records()
        verdict = verdict_on(counted, self.job)
        job = seeded(self.job, self.random_state)
        return make_release(job, self.tally, verdict)

    def free(self) -> None:
        """Let Spark forget the records."""
        self.kept.unpersist()


def mask_on_spark(
    df: Any, recipe: Recipe, *, as_text: bool = False, remember: bool = True
) -> OnSpark:
    """Mask the records of a DataFrame where they are.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        Of a session, or of Spark Connect.
    recipe : Recipe
    as_text : bool, default=False
        Whether columns of text are to be read as what they say.
    remember : bool, default=True
        Whether the driver gets a sample of the records, for a report.
    """
    names = _own_names(df.columns)
    released = recipe.schema.released(names)
    types = _types(df, [*released, *recipe.schema.quasi_identifiers])
    task = Task(replace(recipe, random_state=None), types, as_text, remember=remember)
    polars_types(df.schema, task.needs)
    df = _sent(df.select(*(_quoted(name) for name in task.needs)))
    people = None
    if task.unit is not None:
        _progress.report(0, None, "gathering people")
        df = people = _gathered(df, task).persist()
    try:
        return _masked(df, _learnt(df, task, as_text), recipe.random_state)
    finally:
        if people is not None:
            people.unpersist()


def _gathered(df: Any, task: Any) -> Any:
    """All records of a person in one part."""
    with errors_of_workers():
        n_parts = 1 + df.count() // PEOPLE_TOGETHER
    schema = arrow_schema(_no_records(df)).append(pa.field(sent_name(PART), pa.int32()))
    run = partial(gathered, task, n_parts, schema)
    return together(df.mapInArrow(run, spark_schema(schema)), sent_name(PART), n_parts)


def _multiset(table: Any) -> Any:
    return total(_sent(table), multiset)


def _learnt(df: Any, task: Any, as_text: bool) -> Any:
    """The job, from the statistics of the whole table."""

    def first_pass(task: Any) -> Any:
        _progress.report(0, None, "finding out types")
        return total(df, task.first_pass)

    def learn(task: Any) -> Any:
        _progress.report(0, None, "learning the columns")
        return total(df, partial(_learn_text if as_text else _learn, task))

    job, unseen = learnt_job(task, first_pass, learn)
    for name in unseen:
        _refuse_repeats(df, job.task, name)
    return job


def _refuse_repeats(df: Any, task: Any, name: str) -> None:
    """Refuse an identifier of which any value repeats, however many it has."""
    run = partial(numbers, task, name)
    hashes = (
        df.mapInArrow(run, spark_schema(NUMBER_COLUMNS))
        .groupBy(*NUMBER_COLUMNS.names)
        .count()
    )
    with errors_of_workers():
        n_known = hashes.groupBy().sum("count").first()[0]
        if not hashes.where("count > 1").isEmpty():
            raise repeats_people(name, f"fewer than {n_known}", n_known)


def _masked(df: Any, job: Any, random_state: int | None) -> OnSpark:
    _progress.report(0, None, "counting records of shards")
    arrived = total(df, partial(arrivals, job))
    job = seeded(seeded(job, random_state).merged(arrived), None)
    _progress.report(0, None, "masking shards")
    kept = masked_records(df, job).persist()
    tallies = kept.where(f"`{SENT_PAYLOAD}` IS NOT NULL").select(SENT_PAYLOAD)
    try:
        return OnSpark(job, _added_up(tallies), kept, random_state)
    except BaseException:
        kept.unpersist()
        raise


def seeded(job: Job, random_state: int | None) -> Job:
    """The job with a seed in its recipe; what is sent to workers has none.

    They get the seeds of shards, from which the seed does not follow.
    """
    recipe = replace(job.masking.recipe, random_state=random_state)
    return replace(job, masking=replace(job.masking, recipe=recipe))


def _learn(task: Any, frame: pl.DataFrame) -> Any:
    return task.learn(frame, None)  # which records come before is not known


def _learn_text(task: Any, frame: pl.DataFrame) -> Any:
    """The same of text: Java writes U+FFFD where it cannot read a letter."""
    for name, dtype in frame.schema.items():
        if (
            dtype == pl.String
            and frame[name].str.contains("\ufffd", literal=True).any()
        ):
            raise InputError(
                f"Column {name!r} holds text that is not in the encoding that it is "
                "read in.",
                column=name,
                option="encoding",
                hint=["Name that of the files with ", Option("encoding"), "."],
            )
    return _learn(task, frame)


def masked_records(df: Any, job: Any) -> Any:
    """Released records, and a row with the tally of each shard.

    A shard is in one partition, by its number where Spark can do that (4.1), else by
    range, which takes one more pass over the records.
    """
    empty = _no_records(df)
    here = arrow_schema(no_routed(job, empty))
    there = arrow_schema(no_released(job, empty)).append(PAYLOADS.field(0))
    moved = df.mapInArrow(partial(routed, job, here), spark_schema(here))
    moved = together(moved, sent_name(SHARD), job.n_shards)
    return moved.mapInArrow(partial(masked, job, there), spark_schema(there))


def no_routed(job: Any, empty: pl.DataFrame) -> pl.DataFrame:
    """Records as they travel to their shard, but none of them."""
    numbers = {coordinate(j): pl.Float64 for j in range(len(job.encoders))}
    carried = empty.select(job.task.carried).schema
    return pl.DataFrame(schema={**numbers, **job.beside, **carried, SHARD: pl.Int32})


def no_released(job: Any, empty: pl.DataFrame) -> pl.DataFrame:
    """Records as they are released, but none of them."""
    carried = empty.select(job.task.carried)
    prepared = job.prepared(np.empty((0, len(job.encoders))), carried)
    table = prepared.restore(prepared.X, ["value"] * len(job.encoders))
    forms = zip(job.encoders, forms_of(job.recipe, job.kinds), strict=True)
    as_text = [encoder.name for encoder, form in forms if form != "value"]
    if job.strata is not None and job.strata.n_merged:
        as_text += [n for n in job.recipe.strata if n in job.task.carried]
    table = table.cast(dict.fromkeys(as_text, pl.String))
    return side_by_side(table, pl.DataFrame(schema=job.beside_released))


def together(df: Any, name: str, n_values: int, by_number: bool | None = None) -> Any:
    """Records with one number in one partition, which has no others where it can be.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
    name : str
        The column of numbers from 0.
    n_values : int
        How many there are.
    by_number : bool, optional
        Whether the number is that of the partition; by default if Spark can.
    """
    if hasattr(df, "repartitionById") if by_number is None else by_number:
        return df.repartitionById(n_values, name)
    return df.repartitionByRange(RANGES * n_values, name).sortWithinPartitions(name)


def verdict_on(table: Any, job: Any) -> Any:
    """What records keep: their classes are counted, bucket by bucket."""
    table = _sent(table)
    return total_of(_verdict(table, job, view) for view in range(job.n_views))


def _verdict(table: Any, job: Any, view: int) -> Any:
    known = None
    if job.views[view].valued or job.views[view].shown:
        known = total(table, partial(values, job, view))
    schema = arrow_schema(job.classes(_no_records(table))[view])
    run = partial(grouped, job, view, schema)
    groups = table.mapInArrow(run, spark_schema(schema))
    groups = together(groups, sent_name(job.BUCKET), job.n_buckets)
    run = partial(verified, job, view, known)
    return _added_up(groups.mapInArrow(run, spark_schema(PAYLOADS)))


def total(df: Any, work: Callable[[pl.DataFrame], Any]) -> Any:
    """The sum of what `work` makes of parts of a DataFrame."""
    run = partial(summed, work, versions())
    found = _added_up(df.mapInArrow(run, spark_schema(PAYLOADS)))
    return work(_no_records(df)) if found is None else found


def _added_up(rows: Any) -> Any:
    """The sum of rows: most of it on the workers, since sums may be megabytes."""
    schema = spark_schema(PAYLOADS)
    for parts in ((), (SUMS,)):  # as few as Spark thinks fit, then few
        rows = rows.repartition(*parts, SENT_PAYLOAD).mapInArrow(added, schema)
    with errors_of_workers():
        found = total_of(loads(row[SENT_PAYLOAD]) for row in rows.collect())
    if isinstance(found, Explained):
        raise found
    return found


def _no_records(df: Any) -> pl.DataFrame:
    types = polars_types(df.schema, df.columns)
    named = {own_name(name): t for name, t in types.items()}
    return pl.DataFrame(schema={n: t for n, t in named.items() if n != PART})


def _sent(df: Any) -> Any:
    """Columns with names that can travel."""
    return df.toDF(*map(sent_name, df.columns))


def _own_names(columns: Sequence[str]) -> list[str]:
    """Names that Spark can tell apart: it does not look at their case."""
    seen: dict[str, str] = {}
    for name in columns:
        other = seen.setdefault(name.casefold(), name)
        if other is not name:
            raise SchemaError(
                f"Columns {other!r} and {name!r} have one name, as Spark sees it.",
                column=name,
                hint="Rename one of them.",
            )
    return list(columns)


def _types(df: Any, needed: Collection[str]) -> dict[str, pl.DataType]:
    """Types of all columns; what is not read may be of any."""
    types: dict[str, pl.DataType] = {}
    for name in df.columns:
        try:
            types |= polars_types(df.schema, [name])
        except SchemaError:
            if name in needed:
                raise
            types[name] = pl.Null()
    return types


def _file_in(text: str) -> str:
    """The file that Spark could not read, by its words."""
    found = re.search(r"reading file (\S+?)\.\s", text)
    return found[1] if found else "A file of the table"


def _quoted(name: str) -> str:
    """A name as Spark's expressions write it.

    Examples
    --------
    >>> _quoted("a.b`c")
    '`a.b``c`'
    """
    return "`" + name.replace("`", "``") + "`"


@contextmanager
def errors_of_workers() -> Iterator[None]:
    """Say what went wrong on the workers in our words, where we know it."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JJavaError) as error:
        text = str(error)
        if "MALFORMED_RECORD" in text or "MALFORMED_CSV" in text:
            raise InputError(
                f"{_file_in(text)} has a record that has not the fields of its header.",
                hint="Correct it, or name the delimiter.",
            ) from None  # Spark shows the record
        if "No module named 'microcell" in text:
            raise InputError(
                "The Python of Spark's workers has no microcell.",
                hint="Install it there, send an environment with --archives, or name "
                "the Python that has it in PYSPARK_PYTHON.",
            ) from error
        start = text.find(".Lost: ")
        if start >= 0:
            raise InputError(text[start:].split("\n")[0][len(".Lost: ") :]) from error
        raise
