"""From file to file in shards: what `anonymize_file` does with large tables."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from microcell.engines._engines import ENGINES, Chosen
from microcell.exceptions import InputError, Option
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
    """Release a table in parts; see `anonymize_file`.

    Parameters are as there; `recipe_file` is what the recipe was read from.
    """
    written = list(sidecars.places.values())
    _refuse_own_input(path, [output, *written])
    _check_sidecars(written, output, recipe_file)
    _refuse_sheet(path, recipe)
    spec = ENGINES[chosen.engine]
    every = {"memory": memory, "jobs": jobs, "master": master}
    given: dict[str, Any] = {n: v for n, v in every.items() if n not in spec.refuses}
    if chosen.notice:  # of disk, which is chosen where nobody does
        given["notice"] = chosen.notice
    module, function = spec.run.split(":")
    run = getattr(import_module(f"microcell.engines.{module}"), function)
    made: FileRelease = run(path, recipe, output, sidecars=sidecars, **given)
    return made


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
