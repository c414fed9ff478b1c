"""Room on disk and in memory for a run, looked at before it begins."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from microcell._bytes import in_words
from microcell.engines._part import Parts
from microcell.exceptions import InputError, Option
from microcell.pipeline import OVERFULL

NUMBER_BYTES = 8  # bytes
# The spilled records, the release, and its counted classes with confidential values.
# Cells repeat, so the release is smaller than the records: 2.85 times was measured on
# numbers that do not compress, three of them confidential.
COPIES = 3.0
# What masking a shard takes beside its spilled records: 9.3 times was measured.
MEMORY_PER_VALUE_BYTE = 10


def disk_need(parts: Parts, columns: Sequence[str], gathers: bool = False) -> int:
    """Bytes on disk that a run needs beside its source, at most.

    One that gathers the records of people spills them once more.
    """
    values = parts.values_bytes(columns)
    if parts.n_records is not None:
        values = max(values, NUMBER_BYTES * len(columns) * parts.n_records)
    return int((COPIES + gathers) * values)


def check_disk(folder: Path, need: int) -> None:
    """Refuse a run that would fill the disk.

    Examples
    --------
    >>> check_disk(Path("."), 0)
    """
    free = shutil.disk_usage(folder).free
    if need > free:
        raise InputError(
            f"The run needs about {in_words(need)} on disk for spilled records and the "
            f"release, and {folder} has {in_words(free)} free.",
            option="output",
            hint="Make room, or name an output on another disk.",
        )


def shards_at_once(
    records: int, size: float, jobs: int, memory: int | None, meant: int | None = None
) -> int:
    """How many shards are masked at the same time.

    Parameters
    ----------
    records : int
        Records of the largest shard.
    size : float
        Its bytes.
    jobs : int
        Threads.
    memory : int or None
        Bytes that may be used; None is as many as it takes.
    meant : int, optional
        Records that a shard was said to have.
    """
    if memory is None:
        return jobs
    each = int(MEMORY_PER_VALUE_BYTE * size)
    if each > memory:
        hint: list[str | Option] = ["Allow more with ", Option("memory")]
        if meant is not None and records > OVERFULL * meant:
            hint.append(
                f", or coarsen values first: a shard was to have {meant:,} records, "
                "but these are too much alike to be cut apart."
            )
        else:
            smaller = " smaller" if meant is None else f" smaller than {meant:,}"
            hint += [f", or make shards{smaller} with ", Option("shard"), "."]
        raise InputError(
            f"A shard of {records:,} records takes about {in_words(each)} of memory, "
            f"and {in_words(memory)} may be used.",
            option="memory",
            hint=hint,
        )
    return min(jobs, memory // max(each, 1))
