"""What Spark's Python workers run: batches of records in, batches out.

Each stage is a plain function of a partition's batches, so that a task that is run
again, because a worker was lost or was slow, gives the same again. What is to be
added up travels as rows too (`PAYLOAD`): Spark takes the rows of a task once, however
often it ran, which it does not promise of accumulators. An error that explains itself
travels the same way, so that it is raised where the user is, once.
"""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from microcell import __version__
from microcell.engines._spark_types import batches_of, frames, sent_name
from microcell.exceptions import Explained, InputError
from microcell.pipeline import side_by_side

PAYLOAD, SHARD = "\0payload", "\0shard"
PART = "\0part"  # which records of people belong together, before they are masked
SENT_PAYLOAD = sent_name(PAYLOAD)
PAYLOADS = pa.schema({SENT_PAYLOAD: pa.binary()})
HASH_SEEDS = (29, 31)  # any two; a sum of one could be met by chance
NUMBER_COLUMNS = pa.schema({"number": pa.int64()})

Batches = Iterable[pa.RecordBatch]


class Lost(RuntimeError):
    """Records of a shard that are not where they should be."""


def summed(
    work: Callable[[pl.DataFrame], Any], version: str, batches: Batches
) -> Iterator[Any]:
    """One row: the sum of what `work` makes of the partition's records."""
    if version == versions():
        yield from _one_row(_each(work, parts_of(batches)))
    else:
        yield from _one_row([_other_versions(version)])


def versions() -> str:
    """What must be the same on driver and workers, so that all compute alike."""
    return f"microcell {__version__}, polars {pl.__version__}, numpy {np.__version__}"


def _other_versions(version: str) -> InputError:
    return InputError(
        f"Spark's workers have {versions()}, and the driver has {version}.",
        hint="Give both the same environment.",
    )


def added(batches: Batches) -> Iterator[Any]:
    """One row: the sum of the partition's rows."""
    rows = (row for batch in batches for row in batch.column(0))
    yield from _one_row(pickle.loads(row.as_py()) for row in rows)


def routed(job: Any, schema: pa.Schema, batches: Batches) -> Iterator[pa.RecordBatch]:
    """Records as they travel, with the number of their shard instead of their leaf."""
    shards = np.asarray(job.shard_of_leaf)
    for frame in parts_of(batches):
        frame = job.route(frame, None)
        shard = pl.Series(SHARD, shards[frame[job.LEAF].to_numpy()])
        sent = frame.drop(job.LEAF).with_columns(shard)
        yield from batches_of(sent, schema)


def gathered(
    task: Any, n_parts: int, schema: pa.Schema, batches: Batches
) -> Iterator[pa.RecordBatch]:
    """Records as they came, with the number of the part that has all of a person's."""
    for frame in frames(batches):
        number = task.bucket(frame, n_parts).alias(PART)
        yield from batches_of(frame.with_columns(number), schema)


def parts_of(batches: Batches) -> Iterator[pl.DataFrame]:
    """Records as they come, or, where they were gathered, those of whole people."""
    found = frames(batches)
    for frame in found:
        if PART not in frame.columns:
            yield frame
        else:
            both = itertools.chain([frame], found)
            yield from (part for _, part in _by_number(both, PART))


def multiset(frame: pl.DataFrame) -> Any:
    """Number and sums of hashes of records, which tell whether others are the same."""
    hashes = (frame.hash_rows(seed).to_numpy() for seed in HASH_SEEDS)
    return np.array([frame.height, *map(np.sum, hashes)], dtype=np.uint64)


def numbers(task: Any, name: str, batches: Batches) -> Iterator[pa.RecordBatch]:
    """Hashes of an identifier."""
    for frame in frames(batches):
        hashes = task.numbers(name, frame).view(np.int64)
        yield from pa.table([hashes], schema=NUMBER_COLUMNS).to_batches()


def arrivals(job: Any, frame: pl.DataFrame) -> Any:
    """How many records go to each leaf."""
    return job.arrivals(job.route(frame, None))


def values(job: Any, view: int, frame: pl.DataFrame) -> Any:
    """Released values that promises are about."""
    return job.values(job.classes(frame)[view], view)


def masked(job: Any, schema: pa.Schema, batches: Batches) -> Iterator[pa.RecordBatch]:
    """Released records of whole shards; a row without a record holds their tally."""
    for shard, frame in _by_number(frames(batches), SHARD):
        if frame.height != job.sizes[shard]:
            raise Lost(
                f"Shard {shard} has {frame.height} records, and {job.sizes[shard]} "
                "were counted. A DataFrame that is not the same each time it is "
                "computed (samples, random numbers, a table that others write to) "
                "must be written to a folder first, and read from there."
            )
        try:
            done = job.mask(frame, shard)
        except Explained as error:
            yield _beside(error, schema)
            return
        del frame
        empty = pl.lit(None, pl.Binary).alias(PAYLOAD)
        released = side_by_side(done.frame, done.beside)
        yield from batches_of(released.with_columns(empty), schema)
        yield _beside(done.tally, schema)


def _beside(value: Any, schema: pa.Schema) -> pa.RecordBatch:
    """A row that holds no record."""
    columns = [pa.nulls(1, field.type) for field in schema]
    columns[schema.get_field_index(SENT_PAYLOAD)] = pa.array([pickle.dumps(value)])
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def grouped(
    job: Any, view: int, schema: pa.Schema, batches: Batches
) -> Iterator[pa.RecordBatch]:
    """Classes of released records, each with its bucket."""
    for frame in frames(batches):
        yield from batches_of(job.classes(frame)[view], schema)


def verified(
    job: Any, view: int, known: Any, batches: Batches
) -> Iterator[pa.RecordBatch]:
    """One row: the verdict on the classes of whole buckets."""
    parts = list(frames(batches))
    if parts:
        yield from _one_row(_each(partial(_verify, job, view, known), [_whole(parts)]))


def _verify(job: Any, view: int, known: Any, groups: pl.DataFrame) -> Any:
    return job.verify(groups, view, known)


def _each(work: Callable[[Any], Any], parts: Iterable[Any]) -> Iterator[Any]:
    """What `work` makes of each part, or the error that explains itself."""
    try:
        for part in parts:
            yield work(part)
    except Explained as error:
        yield error


def _one_row(parts: Iterable[Any]) -> Iterator[pa.RecordBatch]:
    total = total_of(parts)
    if total is not None:
        row = pa.array([pickle.dumps(total, protocol=pickle.HIGHEST_PROTOCOL)])
        yield pa.RecordBatch.from_arrays([row], schema=PAYLOADS)


def total_of(parts: Iterable[Any]) -> Any:
    """The sum of parts, None of none; an error among them is what is left.

    Examples
    --------
    >>> total_of([1, 2]), total_of([1, Explained("no"), Explained("never")])
    (3, Explained('never'))
    """
    total: Any = None
    errors: list[Explained] = []
    for part in parts:
        if isinstance(part, Explained):
            errors.append(part)
        elif not errors:
            total = part if total is None else total + part
    return min(errors, key=str) if errors else total


def _by_number(
    found: Iterable[pl.DataFrame], name: str
) -> Iterator[tuple[int, pl.DataFrame]]:
    """Each shard or part of a partition whose records are sorted by its number."""
    number: int | None = None
    parts: list[pl.DataFrame] = []
    for frame in found:
        ids = frame[name].to_numpy()
        frame = frame.drop(name)
        ends = [*(np.flatnonzero(np.diff(ids)) + 1), len(ids)]
        for start, end in zip([0, *ends], ends, strict=False):
            if start == end:
                continue
            if ids[start] != number and number is not None:
                yield number, _whole(parts)
            number = int(ids[start])
            parts.append(frame.slice(start, end - start))
    if number is not None:
        yield number, _whole(parts)


def _whole(parts: list[pl.DataFrame]) -> pl.DataFrame:
    whole = pl.concat(parts)
    parts.clear()  # nobody else holds the pieces
    return whole
