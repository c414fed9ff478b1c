"""The stages of a run on disk, each of which goes on from what is finished."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from microcell._memory import give_back
from microcell.engines._folder import part_name
from microcell.engines._part import Part, Parts
from microcell.engines._people_parts import PeopleParts
from microcell.engines._runs import Run, gathered, write_run
from microcell.engines._shard_files import ShardFiles
from microcell.engines._space import shards_at_once
from microcell.engines._stages import Stages
from microcell.engines._work import Work
from microcell.io import sha256
from microcell.pipeline import learnt_job, refuse_repeats, side_by_side, spread
from microcell.release import SourceDigest, files_digest, make_release

GATHERING, FINDING_TYPES = "gathering people", "finding out types"
LEARNING = "learning columns"
SPILLING, MASKING = "spilling shards", "masking shards"
COUNTING, PUBLISHING = "counting classes", "publishing"
STAGE_COSTS = {  # processor seconds for a million records of five numbers, about
    GATHERING: 0.4,
    FINDING_TYPES: 0.4,
    LEARNING: 0.4,
    SPILLING: 0.4,
    MASKING: 9.0,
    COUNTING: 0.1,
    PUBLISHING: 0.1,
}
ALL_SPILLED = "spilled"  # the step that says of which parts there are runs
GUESSED_RECORD = 50  # bytes of a record of text, for a bar that moves at all


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
    sha256 : str
        Hash of the file when it was read back.
    tally : Tally
        What was counted while it was masked.
    classes : list of Run
        Its groups of equal records, by bucket, for each view.
    """

    place: int
    path: Path
    records: int
    sha256: str
    tally: Any
    classes: list[Run]

    def named(self) -> dict[str, Any]:
        """What a certificate says of its file."""
        return {
            "name": part_name(self.place),
            "bytes": self.path.stat().st_size,
            "sha256": self.sha256,
            "records": self.records,
        }


class Engine:
    """A run, stage by stage.

    Parameters
    ----------
    task : Task
        What is to be done.
    parts : Parts
        The table.
    work : Work
        Where finished steps are kept.
    files : ShardFiles
        How shards are written.
    jobs : int
        Threads.
    memory : int or None
        Bytes that shards may take.
    """

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
        if task.unit is None:
            del costs[GATHERING]
        if not task.needs_first_pass:
            del costs[FINDING_TYPES]
        self.stages = Stages(costs)
        self.n_records = parts.n_records

    def run(self) -> tuple[Any, list[Shard]]:
        """The release and its shards."""
        job = self._learnt()
        job, runs = self._spilled(job)
        shards = self._masked(job, runs)
        with self.stages.stage(COUNTING, job.n_views * len(shards)):
            verdict = self._verified(job, shards)
            self._check_unchanged(shards)
        tally = reduce(add, (shard.tally for shard in shards))
        return make_release(job, tally, verdict), shards

    def _check_unchanged(self, shards: list[Shard]) -> None:
        """Refuse to publish a file that is not the one that was read back."""
        for shard, found in spread(lambda s: sha256(s.path), shards, self.jobs):
            if found != shard.sha256:
                raise OSError(
                    f"The file of shard {shard.place} was changed after it was "
                    "verified. Nothing is published. Start again."
                )

    def source(self, key: bytes | None) -> SourceDigest:
        """The digest of the files of the table."""

        def each(work: Any, files: Any) -> Any:
            found = dict(spread(work, files, self.jobs))
            return [found[file] for file in files]

        return files_digest(self.parts.files, key, each)

    def _learnt(self) -> Any:
        """The job; a run that goes on learns it again, and finds the same."""
        task = self.task
        if task.unit is not None:
            people = PeopleParts(self.parts, task, self.work, self.jobs)
            with self.stages.stage(GATHERING, self._total()):
                people.spill(self.stages.advance)
            self.parts = people
        job, unseen = learnt_job(task, self._first_pass, self._summary)
        self.n_records = self.parts.n_records
        for name in unseen:
            refuse_repeats(name, self._numbers(job.task, name))
        return job

    def _first_pass(self, task: Any) -> Any:
        return self._added(FINDING_TYPES, lambda part: task.first_pass(part.load()))

    def _summary(self, task: Any) -> Any:
        return self._added(
            LEARNING, lambda part: task.learn(part.load(), first=part.first)
        )

    def _numbers(self, task: Any, name: str) -> list[Path]:
        """Files with the hashes of an identifier of each part."""
        folder = self.work.folder("numbers")

        def write(part: Part) -> Path:
            path = folder / f"{part.index:06d}.npy"
            np.save(path, task.numbers(name, part.load()))
            return path

        return [path for _, path in spread(write, self._read(), self.jobs)]

    def _added(self, stage: str, look: Any) -> Any:
        """What all parts say, added up."""
        total = None
        with self.stages.stage(stage, self._total()):
            for part, found in spread(look, self._read(), self.jobs):
                total = found if total is None else total + found
                self.stages.advance(part.n_records)
        return total

    def _read(self, skip: Collection[int] = ()) -> Iterator[Part]:
        return self.parts.read(self.task.needs, skip)

    def _total(self) -> int:
        """Records, or a guess where they were not counted yet."""
        if self.n_records is not None:
            return self.n_records
        if self.parts.n_records is not None:
            return self.parts.n_records
        return max(1, self.parts.values_bytes(self.task.needs) // GUESSED_RECORD)

    def _spilled(self, job: Any) -> tuple[Any, list[Run]]:
        """The job with its shards, and runs of all parts."""
        found = self.work.kept("runs")
        kept = {index: _spilled(*step) for index, step in found.items()}
        whole = self.work.finished(ALL_SPILLED)
        if whole is not None and whole[1] == sorted(kept):
            self.stages.skip(SPILLING)
        else:
            self._spill(job, kept)
        spilled = _in_order(kept)
        job = job.merged(reduce(add, (each.arrivals for each in spilled)))
        return job, [each.run for each in spilled]

    def _spill(self, job: Any, kept: dict[int, Spilled]) -> None:
        """Route the parts that are not done."""

        def spill(part: Part) -> Spilled:
            def write(path: Path) -> tuple[Any, ...]:
                routed = job.route(part.load(), first=part.first)
                run = write_run(routed, job.LEAF, path)
                return job.arrivals(routed), run.sizes, run.columns

            path, note = self.work.finish(f"runs/{part.index:06d}.arrow", write)
            return _spilled(path, note)

        already = sum(sum(spilled.run.sizes.values()) for spilled in kept.values())
        with self.stages.stage(SPILLING, self._total(), already):
            for part, done in spread(spill, self._read(set(kept)), self.jobs):
                kept[part.index] = done
                self.stages.advance(part.n_records)
                give_back()
        self.work.finish(ALL_SPILLED, lambda path: sorted(kept))

    def _masked(self, job: Any, runs: list[Run]) -> list[Shard]:
        """All shards, masked, written, read back and their classes counted."""
        self.work.folder("shards")
        self.work.folder("classes")
        n_records = int(sum(job.sizes))
        spilled = sum(run.path.stat().st_size for run in runs)
        largest = int(max(job.sizes)) / n_records * spilled
        meant = self.task.recipe.shard
        at_once = shards_at_once(
            int(max(job.sizes)), largest, self.jobs, self.memory, meant
        )
        before = {int(Path(name).stem) for name in self.work.names("shards")}
        already = sum(int(job.sizes[place]) for place in before)
        done: dict[int, Shard] = {}
        with self.stages.stage(MASKING, n_records, already):
            for place, shard in spread(
                lambda place: self._shard(job, runs, place),
                range(job.n_shards),
                at_once,
            ):
                done[place] = shard
                self.stages.advance(0 if place in before else shard.records)
                give_back()
        return _in_order(done)

    def _shard(self, job: Any, runs: list[Run], place: int) -> Shard:
        back: list[pl.DataFrame] = []
        beside: list[pl.DataFrame] = []
        layouts = job.task.layouts

        def mask(path: Path) -> tuple[int, Any]:
            masked = job.mask(gathered(runs, job.leaves_of(place)), place)
            self.files.write(masked.frame, path, layouts)
            back.append(self.files.read_back(masked.frame, path, layouts))
            beside.append(masked.beside)
            return masked.frame.height, masked.tally

        name = f"shards/{place:06d}{self.files.suffix}"
        names = [f"classes/{view}-{place:06d}.arrow" for view in range(job.n_views)]
        found = [self.work.finished(name) for name in names]
        # Whose the records of a file are is known while they are masked, and not after.
        path, (records, tally) = self.work.done(name, mask, kept=None not in found)
        if back:
            groups = job.classes(side_by_side(back.pop(), beside.pop()))
            found = [
                self.work.finish(name, partial(_write_classes, job, group))
                for name, group in zip(names, groups, strict=True)
            ]
        classes = [Run(step[0], *step[1]) for step in found if step is not None]
        digest = self.work.sha256(name)
        return Shard(place, path, records, digest, tally, classes)

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


def _write_classes(job: Any, groups: pl.DataFrame, path: Path) -> tuple[Any, ...]:
    return write_run(groups, job.BUCKET, path)[1:]


def _spilled(path: Path, note: tuple[Any, ...]) -> Spilled:
    arrivals, *sized = note
    return Spilled(Run(path, *sized), arrivals)


def _in_order(numbered: Mapping[int, Any]) -> list[Any]:
    return [numbered[number] for number in sorted(numbered)]
