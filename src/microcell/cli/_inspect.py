"""microcell inspect: what the columns of a table look like, and a recipe to edit."""

from __future__ import annotations

import json
from shlex import quote
from typing import Any

import typer

from microcell.cli._echo import echo
from microcell.cli._options import (
    AS_JSON,
    OVERWRITE,
    TABLE_HELP,
    argument,
    given_options,
    parameter,
    parse_count,
    with_options,
)
from microcell.recipe import READING_OPTIONS


@with_options(
    argument("table", TABLE_HELP),
    parameter(
        "k",
        "The k of the recipe; no value of fewer records is shown.",
        *("-k", "--k"),
        type=str,
        default="5",
        metavar="NUMBER",
    ),
    parameter("write_recipe", "Where to write the recipe (TOML) to edit."),
    OVERWRITE,
    AS_JSON,
    names=READING_OPTIONS,
)
def inspect_command(
    table: str,
    k: str,
    write_recipe: str | None,
    overwrite: bool,
    as_json: bool,
    given: dict[str, Any],
) -> None:
    """Propose kinds and roles for the columns of a table, with reasons.

    Nothing is released: the recipe is yours to correct, and `anonymize` takes it. No
    value that fewer than k records have is printed or written.
    """
    from microcell.cli._progress import shown_progress
    from microcell.inspection import inspect_file
    from microcell.release import check_outputs

    if write_recipe is not None:
        check_outputs([write_recipe], [table], overwrite, table=False)
    with shown_progress():
        found = inspect_file(table, k=parse_count(k), **given_options(given))  # type: ignore[arg-type]
    if write_recipe is not None:
        found.save_recipe(write_recipe, overwrite=overwrite)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2))
        return
    lines = found.lines()
    if write_recipe is not None:
        lines += [
            "",
            f"written             {write_recipe}",
            f"check it, then      microcell anonymize {quote(table)} --recipe "
            f"{quote(write_recipe)} -o RELEASE",
        ]
    for line in lines:
        echo(line)
