"""A table larger than memory, on one machine: shards are spilled, masked and counted.

What a shard is and what is made of it is the job's; here records are moved. Each step
leaves a file that is whole or not there, so that a killed run goes on where it was.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import pickle
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import polars as pl

from microcell._memory import give_back
from microcell.backend._folder import StagedFolder, check_folder, part_name
from microcell.backend._parts import PART_BYTES, Part, Parts
from microcell.backend._room import check_disk, disk_need, in_words, shards_at_once
from microcell.backend._runs import Run, gathered, write_run
from microcell.backend._shard_files import (
    ParquetFiles,
    ShardFiles,
    append_texts,
    shard_files,
)
from microcell.backend._spread import spread
from microcell.backend._stages import Stages
from microcell.backend._work import Work, remove_left, signatures
from microcell.exceptions import InputError, OutputExistsError
from microcell.io import Dialect, Outbox, check_target, sha256
from microcell.release._recipe import Recipe
from microcell.release._release import software_versions, to_json

SIGHTING, LEARNING = "finding out types", "learning columns"
SPILLING, MASKING = "spilling shards", "masking shards"
COUNTING, PUBLISHING = "counting classes", "publishing"
STAGE_COSTS = {  # seconds for a million records of five numbers, about
    SIGHTING: 1.0,
    LEARNING: 1.0,
    SPILLING: 1.0,
    MASKING: 7.0,
    COUNTING: 0.5,
    PUBLISHING: 0.2,
}
GUESSED_RECORD = 50  # bytes of a record of text, for a bar that moves at all


@dataclass(frozen=True)
class DiskRun:
    """A release that was written.

    Attributes
    ----------
    release : object
        What the job says of it.
    certificate : dict
        Its certificate, with the files.
    seconds : dict
        How long each stage took.
    """

    release: Any
    certificate: dict[str, Any]
    seconds: dict[str, float]


def run_on_disk(
    task: Any,
    parts: Parts,
    output: str | Path,
    *,
    jobs: int = 2,
    memory: int | None = None,
    dialect: Dialect = Dialect(),  # noqa: B008
    certificate: str | Path | None = None,
    write_recipe: str | Path | None = None,
    overwrite: bool = False,
) -> DiskRun:
    """Release a table that need not fit into memory.

    Parameters
    ----------
    task : Task
        What is to be done.
    parts : Parts
        The table.
    output : path
        A folder, for files of Parquet, or a file of text. Spilled records are beside it
        while the run lasts, for the owner's eyes only.
    jobs : int, default=2
        Parts and shards that are worked on at the same time.
    memory : int, optional
        Bytes that shards may take; by default as many as `jobs` shards do.
    dialect : Dialect
        Delimiter and encoding of a text file.
    certificate, write_recipe : path, optional
        Where the certificate (JSON) and the recipe (TOML) go.
    overwrite : bool, default=False
        Whether what exists may be replaced.

    Returns
    -------
    run : DiskRun

    Raises
    ------
    PrivacyError
        If the files do not keep what was promised; nothing is published then.
    """
    files = shard_files(output, dialect)
    target = _checked_target(output, files, overwrite)
    for path in (certificate, write_recipe):
        if path is not None:
            check_target(path, overwrite)
    before = signatures(parts.files)
    digest = _digest(task, parts, before, files, dialect)
    with Work(target, digest) as work, _disk_full_named(target):
        check_disk(target.parent, disk_need(parts, task.needs) - work.size())
        engine = Engine(task, parts, work, files, jobs, memory)
        release, shards = engine.run()
        document = release.certificate()
        if signatures(parts.files) != before:
            raise InputError("The table was changed while it was read. Start again.")
        with engine.stages.stage(PUBLISHING, 1), Outbox(overwrite=overwrite) as outbox:
            staged = None if certificate is None else outbox.stage(certificate)
            if write_recipe is not None:
                text = task.recipe.to_toml(Path(write_recipe).parent)
                Path(outbox.stage(write_recipe)).write_text(text, encoding="utf-8")
            if isinstance(files, ParquetFiles):
                outbox.join(StagedFolder(work, [shard.path for shard in shards]))
                document["files"] = [shard.named() for shard in shards]
            else:
                joined = outbox.stage(output)
                append_texts([shard.path for shard in shards], joined, output)
                document["file"] = {
                    "name": Path(output).name,
                    "bytes": Path(joined).stat().st_size,
                    "sha256": sha256(joined),
                    "records": sum(shard.records for shard in shards),
                }
            if staged is not None:
                Path(staged).write_text(to_json(document) + "\n", encoding="utf-8")
            outbox.publish()
    return DiskRun(release, document, engine.stages.seconds)


@dataclass(frozen=True)
class Shard:
    """A masked shard that was written and read back.

    Attributes
    ----------
    place : int
        Its number.
    path : Path
        Its file.
    records : int
        Records in it.
    tally : Tally
        What was counted while it was masked.
    classes : list of Run
        Its groups of equal records, by bucket, for each view.
    """

    place: int
    path: Path
    records: int
    tally: Any
    classes: list[Run]

    def named(self) -> dict[str, Any]:
        """What a certificate says of its file."""
        return {
            "name": part_name(self.place),
            "bytes": self.path.stat().st_size,
            "sha256": sha256(self.path),
            "records": self.records,
        }


class Engine:
    """The stages of a run, each going on from what is finished."""

    def __init__(
        self,
        task: Any,
        parts: Parts,
        work: Work,
        files: ShardFiles,
        jobs: int,
        memory: int | None,
    ) -> None:
        self.task, self.parts, self.work, self.files = task, parts, work, files
        self.jobs, self.memory = jobs, memory
        costs = dict(STAGE_COSTS)
        if not task.sights_first:
            del costs[SIGHTING]
        self.stages = Stages(costs)
        self.n_records = parts.n_records

    def run(self) -> tuple[Any, list[Shard]]:
        """The release and its shards."""
        job = self._learnt()
        job, runs = self._spilled(job)
        shards = self._masked(job, runs)
        with self.stages.stage(COUNTING, job.n_views * len(shards)):
            verdict = self._verified(job, shards)
        return job.release(reduce(add, (s.tally for s in shards)), verdict), shards

    def _learnt(self) -> Any:
        """The job, as it was planned when the table was first read."""
        kept = self.work.finished("job.pickle")
        if kept is not None:
            for name in (SIGHTING, LEARNING):
                if name in self.stages.costs:
                    self.stages.skip(name)
            self.n_records = kept[1]
            return pickle.loads(kept[0].read_bytes())  # written here, by this user
        task = self.task
        if task.sights_first:
            task = task.typed(
                self._added(SIGHTING, lambda part: task.sight(part.load()))
            )
        lesson = self._added(
            LEARNING, lambda part: task.learn(part.load(), first=part.first)
        )
        job = task.plan(lesson)
        self.n_records = self.parts.n_records

        def write(path: Path) -> int | None:
            path.write_bytes(pickle.dumps(job))
            return self.n_records

        self.work.finish("job.pickle", write)
        return job

    def _added(self, stage: str, look: Any) -> Any:
        """What all parts say, added up."""
        total = None
        with self.stages.stage(stage, self._total()):
            for _, found in spread(look, self._read(), self.jobs):
                total = found if total is None else total + found
        return total

    def _read(self, skip: Sequence[int] = ()) -> Iterator[Part]:
        """Parts as they are drawn, with progress."""
        seen = 0
        for part in self.parts.read(self.task.needs, skip):
            self.stages.advance(max(0, part.first - seen))
            seen = part.first
            yield part

    def _total(self) -> int:
        """Records, or a guess where they were not counted yet."""
        if self.n_records is not None:
            return self.n_records
        if self.parts.n_records is not None:
            return self.parts.n_records
        return max(1, self.parts.values_bytes(self.task.needs) // GUESSED_RECORD)

    def _spilled(self, job: Any) -> tuple[Any, list[Run]]:
        """The job with its shards, and runs of all parts."""
        self.work.folder("runs")
        kept: dict[int, Spilled] = {}
        for name in self.work.names("runs"):
            found = self.work.finished(name)
            if found is None:
                self.work.drop(name)
            else:
                kept[int(Path(name).stem)] = _spilled(*found)
        settled = self.work.finished("settled.pickle")
        if settled is not None and settled[1] == sorted(kept):
            self.stages.skip(SPILLING)
            job = pickle.loads(settled[0].read_bytes())  # written here, by this user
        else:
            job = self._spill(job, kept)
        return job, [spilled.run for spilled in _in_order(kept)]

    def _spill(self, job: Any, kept: dict[int, Spilled]) -> Any:
        """Route the parts that are not done; the job with its shards."""

        def spill(part: Part) -> Spilled:
            def write(path: Path) -> tuple[Any, ...]:
                routed = job.route(part.load(), first=part.first)
                run = write_run(routed, job.LEAF, path)
                return job.arrivals(routed), run.sizes, run.columns

            path, note = self.work.finish(f"runs/{part.index:06d}.arrow", write)
            return _spilled(path, note)

        with self.stages.stage(SPILLING, self._total()):
            for part, done in spread(spill, self._read(kept.keys()), self.jobs):
                kept[part.index] = done
                give_back()
        job = job.settled(reduce(add, (s.arrivals for s in _in_order(kept))))

        def write_job(path: Path) -> list[int]:
            path.write_bytes(pickle.dumps(job))
            return sorted(kept)

        self.work.finish("settled.pickle", write_job)
        return job

    def _masked(self, job: Any, runs: list[Run]) -> list[Shard]:
        """All shards, masked, written, read back and their classes counted."""
        self.work.folder("shards")
        self.work.folder("classes")
        largest, width = int(max(job.sizes)), len(self.task.needs)
        at_once = shards_at_once(largest, width, self.jobs, self.memory)
        done: dict[int, Shard] = {}
        with self.stages.stage(MASKING, int(sum(job.sizes))):
            for place, shard in spread(
                lambda place: self._shard(job, runs, place),
                range(job.n_shards),
                at_once,
            ):
                done[place] = shard
                self.stages.advance(shard.records)
                give_back()
        return _in_order(done)

    def _shard(self, job: Any, runs: list[Run], place: int) -> Shard:
        back: list[pl.DataFrame] = []
        types = job.task.types
        layouts = {} if types is None else types.layouts

        def mask(path: Path) -> tuple[int, Any]:
            masked = job.mask(gathered(runs, job.leaves_of(place)), place)
            self.files.write(masked.frame, path, layouts)
            back.append(self.files.read_back(masked.frame, path, layouts))
            return masked.frame.height, masked.tally

        name = f"shards/{place:06d}{self.files.suffix}"
        path, (records, tally) = self.work.done(name, mask)
        names = [f"classes/{view}-{place:06d}.arrow" for view in range(job.n_views)]
        found = [None if back else self.work.finished(name) for name in names]
        if None in found:
            groups = job.classes(back.pop() if back else self.files.read(path))
            found = [
                self.work.finish(
                    name, lambda to, g=group: write_run(g, job.BUCKET, to)[1:]
                )
                for name, group in zip(names, groups, strict=True)
            ]
        return Shard(
            place, path, records, tally, [Run(f[0], *f[1]) for f in found if f]
        )

    def _verified(self, job: Any, shards: list[Shard]) -> Any:
        """What is found of all promises, view by view and bucket by bucket."""
        verdicts = []
        for view in range(job.n_views):
            runs = [shard.classes[view] for shard in shards]
            buckets = sorted({bucket for run in runs for bucket in run.sizes})
            values = self._over(
                buckets, lambda b, r=runs, v=view: job.values(gathered(r, [b]), v)
            )
            verdicts.append(
                self._over(
                    buckets,
                    lambda b, r=runs, v=view, known=values: job.verify(
                        gathered(r, [b]), v, known
                    ),
                )
            )
            self.stages.advance(len(shards))
        return reduce(add, verdicts)

    def _over(self, buckets: list[int], look: Any) -> Any:
        """What all buckets say, added up."""
        return reduce(add, (found for _, found in spread(look, buckets, self.jobs)))


@dataclass(frozen=True)
class Spilled:
    """The run of a part, and what arrived in it."""

    run: Run
    arrivals: Any


def _spilled(path: Path, note: tuple[Any, ...]) -> Spilled:
    arrivals, *sized = note
    return Spilled(Run(path, *sized), arrivals)


def _in_order(numbered: Mapping[int, Any]) -> list[Any]:
    return [numbered[number] for number in sorted(numbered)]


def _checked_target(output: str | Path, files: ShardFiles, overwrite: bool) -> Path:
    """Where the release goes; what killed runs left goes also if that is refused."""
    check = check_folder if isinstance(files, ParquetFiles) else check_target
    try:
        return check(output, overwrite)
    except OutputExistsError:
        remove_left(Path(os.path.realpath(output)))
        raise


def _digest(
    task: Any,
    parts: Parts,
    found: Sequence[tuple[str, int, int]],
    files: ShardFiles,
    dialect: Dialect,
) -> str:
    """Of all that finished steps depend on."""
    said = {
        "recipe": repr(task.recipe),
        "read": signatures(_named_files(task.recipe)),
        "files": list(found),
        "schema": {name: str(dtype) for name, dtype in parts.schema.items()},
        "dialects": list(getattr(parts, "dialects", ())),
        "part": PART_BYTES,
        "output": [files.suffix, *dialect],
        "versions": software_versions(),
    }
    return hashlib.sha256(json.dumps(said).encode("utf-8")).hexdigest()


def _named_files(recipe: Recipe) -> list[Path]:
    """Files that a recipe reads: hierarchies."""
    sources = recipe.schema.hierarchies.values()
    named = [Path(s) for s in sources if isinstance(s, (str, Path))]
    return [path for path in named if path.is_file()]


@contextmanager
def _disk_full_named(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        free = in_words(shutil.disk_usage(target.parent).free)
        raise OSError(
            error.errno,
            f"The disk of {target.parent} is full ({free} left); nothing was "
            "published. Make room, or name an output on another disk",
        ) from error
