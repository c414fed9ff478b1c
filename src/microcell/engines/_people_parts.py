"""Parts that have all records of their people: a table spilled by whose they are.

Where a person may have several records, all of them are looked at together. So the
table is read once more, and its records are gathered by a hash of the person.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from microcell.engines._part import Part, Parts
from microcell.engines._parts import PART_BYTES
from microcell.engines._runs import Run, gathered, write_run
from microcell.engines._work import Work
from microcell.pipeline import Task, spread

BUCKET = "\0bucket"  # no column of a file has such a name


class PeopleParts:
    """A table in other parts, each with whole people; see `Parts`.

    Parameters
    ----------
    parts : Parts
        The table as it is read.
    task : Task
    work : Work
        Where its records are spilled.
    jobs : int
        Parts that are read at the same time.
    """

    def __init__(self, parts: Parts, task: Task, work: Work, jobs: int) -> None:
        self.parts, self.task, self.work, self.jobs = parts, task, work, jobs
        self.files, self.schema = parts.files, parts.schema
        self.as_text, self.notices = parts.as_text, parts.notices
        self.n_records: int | None = None
        self.n_buckets = 1 + parts.values_bytes(task.needs) // PART_BYTES

    def spill(self, advance: Any) -> None:
        """Gather the records of people; parts that were done before stay."""
        kept = self.work.kept("people").items()
        runs = {index: Run(path, *note) for index, (path, note) in kept}

        def write(part: Part) -> Run:
            def write_to(path: Path) -> tuple[Any, ...]:
                frame = part.load()
                bucket = self.task.bucket(frame, self.n_buckets).alias(BUCKET)
                return write_run(frame.with_columns(bucket), BUCKET, path)[1:]

            name = f"people/{part.index:06d}.arrow"
            path, note = self.work.finish(name, write_to)
            return Run(path, *note)

        read = self.parts.read(self.task.needs, set(runs))
        for part, run in spread(write, read, self.jobs):
            runs[part.index] = run
            advance(part.n_records)
        self.runs = [runs[index] for index in sorted(runs)]
        self.n_records = sum(sum(run.sizes.values()) for run in self.runs)

    def values_bytes(self, columns: Sequence[str]) -> int:
        """About how many bytes the values of some columns take in memory."""
        return self.parts.values_bytes(columns)

    def read(
        self, columns: Sequence[str], skip: Collection[int] = ()
    ) -> Iterator[Part]:
        """Parts with some columns; which record was which, is not known any more."""
        for bucket in range(self.n_buckets):
            n_records = sum(run.sizes.get(bucket, 0) for run in self.runs)
            if n_records and bucket not in skip:
                yield Part(
                    bucket, None, n_records, partial(self._load, bucket, columns)
                )

    def _load(self, bucket: int, columns: Sequence[str]) -> pl.DataFrame:
        found = gathered(self.runs, [bucket])
        if found is None:
            raise OSError(f"The spilled records of part {bucket} are lost.")
        return found.select(columns)
