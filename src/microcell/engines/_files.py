"""From file to file in shards: what `anonymize_file` does with large tables."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from microcell.engines._engines import Chosen, memory_of_shards
from microcell.exceptions import InputError, Option
from microcell.io import Dialect
from microcell.pipeline import cores
from microcell.recipe import Recipe
from microcell.release import FileRelease, Sidecars


def run_in_shards(
    path: str | Path,
    recipe: Recipe,
    output: str | Path,
    chosen: Chosen,
    *,
    memory: str | int | None,
    jobs: int | None,
    master: str | None,
    sidecars: Sidecars,
    recipe_file: str | Path | None = None,
) -> FileRelease:
    """Release a table on disk or on Spark; see `anonymize_file`.

    Parameters are as there; `recipe_file` is what the recipe was read from.
    """
    written = list(sidecars.places.values())
    _refuse_own_input(path, [output, *written])
    _check_sidecars(written, output, recipe_file)
    _refuse_sheet(path, recipe)
    if chosen.engine == "spark":
        from microcell.engines._spark_files import run_on_spark

        return run_on_spark(path, recipe, output, master=master, sidecars=sidecars)
    from microcell.engines._disk import run_on_disk
    from microcell.engines._parts import open_parts
    from microcell.pipeline import Task

    parts = open_parts(
        path,
        format=recipe.format,
        delimiter=recipe.delimiter,
        encoding=recipe.encoding,
    )
    recipe = replace(recipe, **_found_dialect(parts))
    notices = [*([chosen.notice] if chosen.notice else []), *parts.notices]
    remember = sidecars.report is not None
    task = Task(recipe, parts.schema, parts.as_text, notices, remember)
    dialect = Dialect(recipe.output_delimiter, recipe.output_encoding)
    run = run_on_disk(
        task,
        parts,
        output,
        jobs=cores() if jobs is None else jobs,
        memory=memory_of_shards(memory),
        dialect=dialect,
        sidecars=sidecars,
    )
    return FileRelease(run.release, run.certificate)


def _found_dialect(parts: Any) -> dict[str, Any]:
    """Options of a recipe that read the same text again, if all files are alike."""
    dialects = set(getattr(parts, "dialects", ()))
    return dialects.pop()._asdict() if len(dialects) == 1 else {}


def _refuse_own_input(path: str | Path, outputs: list[str | Path]) -> None:
    """Refuse to write where the table is read."""
    read = _real(path)
    for output in outputs:
        written = _real(output)
        inside = read == written or written.startswith(read + os.sep)
        if inside or read.startswith(written + os.sep):
            raise InputError(
                f"The output {output} is also an input.", hint="Choose another name."
            )


def _real(path: str | Path) -> str:
    """Where a path leads; Spark also takes that of a local file as an address."""
    parts = urlsplit(os.fspath(path))
    local = unquote(parts.path) if parts.scheme == "file" else path
    return os.path.realpath(local)


def _check_sidecars(
    sidecars: list[str | Path],
    output: str | Path,
    recipe_file: str | Path | None,
) -> None:
    """Refuse sidecars that would be lost in a folder, or replace what is read."""
    release = _real(output)
    for sidecar in sidecars:
        written = os.path.realpath(sidecar)
        if recipe_file is not None and written == os.path.realpath(recipe_file):
            raise InputError(
                f"The output {sidecar} is also an input.", hint="Choose another name."
            )
        if written == release or written.startswith(release + os.sep):
            raise InputError(
                f"{sidecar} would be replaced by the release, which goes to {output}.",
                hint="Choose another name.",
            )
    if recipe_file is not None and release == os.path.realpath(recipe_file):
        raise InputError(
            f"The output {output} is also an input.", hint="Choose another name."
        )


def _refuse_sheet(path: str | Path, recipe: Recipe) -> None:
    """Refuse a sheet: what is read in parts is no workbook."""
    if recipe.sheet is not None:
        raise InputError(
            [f"{path} is no workbook: it has no sheet. Leave out ", Option("sheet")],
            option="sheet",
        )
