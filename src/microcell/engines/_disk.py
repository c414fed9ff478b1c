"""A table larger than memory, on one machine: shards are spilled, masked and counted.

What a shard is and what is made of it is the job's; here records are moved. Each step
leaves a file that is whole or not there, so that a killed run goes on where it was.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from microcell._bytes import in_words
from microcell.engines._disk_steps import PUBLISHING, Engine
from microcell.engines._engines import memory_of_shards
from microcell.engines._folder import StagedFolder, check_folder
from microcell.engines._part import Parts
from microcell.engines._parts import PART_BYTES, open_parts
from microcell.engines._shard_files import (
    ShardFiles,
    append_texts,
    shard_files,
)
from microcell.engines._space import check_disk, disk_need
from microcell.engines._work import Work, remove_left, signatures
from microcell.exceptions import InputError, OutputExistsError, ParameterError
from microcell.io import PARQUET, Dialect, Outbox, check_target, sha256
from microcell.pipeline import Task, cores
from microcell.recipe import Recipe
from microcell.release import (
    PLAIN_GIVES_AWAY,
    FileRelease,
    Sidecars,
    new_key,
    software_versions,
)


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


def release_on_disk(
    path: str | Path,
    recipe: Recipe,
    output: str | Path,
    *,
    memory: str | int | None,
    jobs: int | None,
    sidecars: Sidecars,
    notice: str = "",
) -> FileRelease:
    """Release a file or a folder on disk; see `anonymize_file`."""
    parts = open_parts(
        path,
        format=recipe.format,
        delimiter=recipe.delimiter,
        encoding=recipe.encoding,
    )
    dialects = set(getattr(parts, "dialects", ()))
    if len(dialects) == 1:  # what reads the same text again, if all files are alike
        recipe = replace(recipe, **dialects.pop()._asdict())
    notices = [*([notice] if notice else []), *parts.notices]
    remember = sidecars.report is not None
    task = Task(recipe, parts.schema, parts.as_text, notices, remember)
    run = run_on_disk(
        task,
        parts,
        output,
        jobs=cores() if jobs is None else jobs,
        memory=memory_of_shards(memory),
        dialect=Dialect(recipe.output_delimiter, recipe.output_encoding),
        sidecars=sidecars,
    )
    return FileRelease(run.release, run.certificate)


def run_on_disk(
    task: Any,
    parts: Parts,
    output: str | Path,
    *,
    jobs: int = 2,
    memory: int | None = None,
    dialect: Dialect = Dialect(),  # noqa: B008
    sidecars: Sidecars = Sidecars(),  # noqa: B008
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
    sidecars : Sidecars
        What is written beside it; for a report the task remembers a sample.

    Returns
    -------
    run : DiskRun

    Raises
    ------
    PrivacyError
        If the files do not keep what was promised; nothing is published then.
    """
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 1:
        raise ParameterError("jobs", f"must be an integer >= 1. Got {jobs!r} instead.")
    overwrite = sidecars.overwrite
    files = shard_files(output, dialect, task.recipe.delimiter)
    check = check_folder if files.format is PARQUET else check_target
    try:
        target = check(output, overwrite)
    except OutputExistsError:
        remove_left(Path(os.path.realpath(output)))  # by a kill after it was published
        raise
    for path in sidecars.places.values():
        check_target(path, overwrite)
    _refuse_own_source(target, parts)
    before = signatures(parts.files)
    digest = _digest(task, parts, before, files, dialect)
    with Work(target, digest) as work, _disk_full_named(target):
        check(output, overwrite)  # a kill may have left it aside
        need = disk_need(parts, task.needs, task.unit is not None)
        check_disk(target.parent, need - work.size())
        engine = Engine(task, parts, work, files, jobs, memory)
        release, shards = engine.run()
        plain, source = sidecars.plain_source_hash, None
        if plain:
            release = replace(release, decide=(*release.decide, PLAIN_GIVES_AWAY))
        document = release.certificate()
        if plain or sidecars.source_note is not None:
            source = engine.source(new_key(plain))
            document["source"] = source.to_dict()
        if signatures(parts.files) != before:
            raise InputError("The table was changed while it was read. Start again.")
        with engine.stages.stage(PUBLISHING, 1), Outbox(overwrite=overwrite) as outbox:
            staged = sidecars.stage(outbox)
            if files.format is PARQUET:
                document["files"] = [shard.named() for shard in shards]
                made = [shard.path for shard in shards]
                outbox.join(StagedFolder(work, made, overwrite))
            else:
                joined = outbox.stage(output)
                append_texts([shard.path for shard in shards], joined, output)
                document["file"] = {
                    "name": Path(output).name,
                    "bytes": Path(joined).stat().st_size,
                    "sha256": sha256(joined),
                    "records": sum(shard.records for shard in shards),
                }
            sidecars.write(staged, release, document, source)
            outbox.publish()
    return DiskRun(release, document, engine.stages.seconds)


def _refuse_own_source(target: Path, parts: Parts) -> None:
    """A release must not replace what it is made from."""
    for file in parts.files:
        real = Path(os.path.realpath(file))
        if target == real or target in real.parents:
            raise InputError(
                f"{target} holds the table that is read.",
                option="output",
                hint="Choose another name.",
            )


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
        "remember": task.remember,
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
