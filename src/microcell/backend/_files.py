"""From file to file in shards: what `anonymize_file` does with large tables."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from microcell.backend._engines import Chosen, memory_of_shards
from microcell.backend._memory import cores
from microcell.backend._release import ShardedRelease
from microcell.exceptions import InputError
from microcell.io import Dialect
from microcell.release._recipe import Recipe


def run_in_shards(
    path: str | Path,
    recipe: Recipe,
    output: str | Path,
    chosen: Chosen,
    *,
    memory: str | int | None,
    jobs: int | None,
    master: str | None,
    certificate: str | Path | None,
    write_recipe: str | Path | None,
    overwrite: bool,
) -> tuple[ShardedRelease, dict[str, Any]]:
    """Release a table on disk or on Spark; see `anonymize_file`."""
    papers: dict[str, Any] = {
        "certificate": certificate,
        "write_recipe": write_recipe,
        "overwrite": overwrite,
    }
    _refuse_own_input(path, [output, certificate, write_recipe])
    if chosen.engine == "spark":
        from microcell.backend._spark_files import run_on_spark

        release, document = run_on_spark(path, recipe, output, master=master, **papers)
        return release, document
    from microcell.backend._disk import run_on_disk
    from microcell.backend._parts import open_parts
    from microcell.backend._task import Task

    parts = open_parts(
        path,
        format=recipe.format,
        delimiter=recipe.delimiter,
        encoding=recipe.encoding,
    )
    notices = [*([chosen.notice] if chosen.notice else []), *parts.notices]
    task = Task(recipe, parts.schema, parts.as_text, notices)
    dialect = Dialect(recipe.output_delimiter, recipe.output_encoding)
    run = run_on_disk(
        task,
        parts,
        output,
        jobs=cores() if jobs is None else jobs,
        memory=memory_of_shards(memory),
        dialect=dialect,
        **papers,
    )
    return run.release, run.certificate


def _refuse_own_input(path: str | Path, outputs: list[str | Path | None]) -> None:
    """Refuse to write where the table is read."""
    read = os.path.realpath(path)
    for output in outputs:
        if output is None:
            continue
        written = os.path.realpath(output)
        inside = read == written or written.startswith(read + os.sep)
        if inside or read.startswith(written + os.sep):
            raise InputError(
                f"The output {output} is also an input.", hint="Choose another name."
            )
