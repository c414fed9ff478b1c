"""tune_file: from a table file to the recipe of the best release."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from microcell._progress import report
from microcell.exceptions import InputError
from microcell.io import Outbox, check_target
from microcell.recipe import Schema
from microcell.release import errors_in, found_options, read_by_recipe
from microcell.selection._candidates import Grid
from microcell.selection._compare_files import CACHE, begin_in, check_folder
from microcell.selection._tune import BEGIN_KS, tuned_on
from microcell.selection._tuned import Tuned


def tune_file(
    path: str | Path,
    schema: Schema,
    *,
    folder: str | Path | None = None,
    write_recipe: str | Path | None = None,
    overwrite: bool = False,
    inputs: Sequence[str | Path | None] = (),
    methods: Any = None,
    grid: Any = None,
    **given: Any,
) -> Tuned:
    """Read a table, find the release that is best within limits, and write its recipe.

    Parameters
    ----------
    path : path
        The table.
    schema : Schema
        Roles and kinds of its columns.
    folder : path, optional
        Where all that was tried goes, as in `compare_file`.
    write_recipe : path, optional
        Where the recipe (TOML) goes.
    overwrite : bool, default=False
        Whether files that exist may be replaced.
    inputs : sequence of path
        Files that no output may replace.
    methods, grid, **given
        As in `tune`; `format`, `delimiter`, `encoding` and `sheet` are those of the
        file.

    Returns
    -------
    tuned : Tuned
    """
    if write_recipe is not None:
        _check_recipe(write_recipe, [path, *inputs], overwrite)
    if folder is not None:
        check_folder(Path(folder))
    shared = {n: v for n, v in given.items() if n not in SOUGHT}
    ks, label = given.get("k") or BEGIN_KS, given.get("label")
    plan = Grid(schema, methods, ks, grid, shared, label)
    one = plan.recipes[0]
    report(0, None, "reading")
    source, noted = read_by_recipe(path, one)
    frame = source.frame
    as_text = source.format is not None and not source.format.typed
    goes_on = False
    if folder is not None:
        goes_on = begin_in(Path(folder), frame, as_text, one, overwrite)
    with errors_in(path):
        tuned = tuned_on(
            frame,
            noted.schema,
            shared | found_options(source),
            methods=methods,
            grid=grid,
            cache=None if folder is None else Path(folder) / CACHE,
            as_text=as_text,
            **{n: v for n, v in given.items() if n in SOUGHT},
        )
    if folder is not None:
        tuned.save(folder, overwrite=goes_on or overwrite)
    if write_recipe is not None:
        with Outbox(overwrite=overwrite) as outbox:
            text = tuned.recipe.to_toml(Path(write_recipe).parent)
            Path(outbox.stage(write_recipe)).write_text(text, encoding="utf-8")
            outbox.publish()
    return tuned


def _check_recipe(path: Any, inputs: Sequence[Any], overwrite: bool) -> None:
    """Refuse a place for the recipe before any work is done."""
    target = check_target(path, overwrite=True)
    if any(one is not None and Path(one).resolve() == target for one in inputs):
        raise InputError(
            f"The output {path} is also an input.", hint="Choose another name."
        )
    check_target(target, overwrite)


SOUGHT = (  # arguments of `tune` that are no options of a release
    "least", "highest", "where", "k", "label", "n_candidates", "n_repetitions",
    "n_jobs",
)  # fmt: skip
