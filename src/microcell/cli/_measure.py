"""microcell measure: loss and risk of a release."""

from __future__ import annotations

import json
from typing import Any

import typer

from microcell.cli._echo import echo
from microcell.cli._options import (
    ALLOW_IMPORT,
    AS_JSON,
    FOLDER_HELP,
    argument,
    options_for,
    parameter,
    read_recipe,
    switch,
    with_options,
)

MEASURED = (
    "quasi_identifiers kinds hierarchies scale missing missing_marks measures unit "
    "weights delimiter encoding decimal dates"
).split()


@with_options(
    argument("original", f"The original. {FOLDER_HELP}"),
    argument("release", "The released table, or its folder."),
    parameter("recipe", "The recipe (TOML) that the release was made by."),
    ALLOW_IMPORT,
    parameter("release_delimiter", "What separates fields in the released table."),
    parameter("release_encoding", "Encoding of the released table."),
    switch("aligned", "Rows are in the same order, whatever they look like."),
    AS_JSON,
    names=MEASURED,
    required={"quasi_identifiers": "Required, unless a recipe names them."},
)
def measure_command(
    original: str,
    release: str,
    recipe: str | None,
    allow_import: bool,
    as_json: bool,
    given: dict[str, Any],
    **said: Any,
) -> None:
    """Compare a file with its release.

    A release that was sorted, as files are by default, is put in order by the columns
    that were released as they are. Where they do not tell all records apart, only what
    needs no order is measured.
    """
    from microcell.cli._progress import shown_progress
    from microcell.release import measure_files

    with shown_progress():
        options = options_for(original, given)
        if recipe is not None:
            options["recipe"] = read_recipe(recipe, allow_import)
        else:
            options = {"quasi_identifiers": []} | options
        scores = measure_files(original, release, **said, **options)
    if as_json:
        notice = {"notice": scores.notice} if scores.notice else {}
        typer.echo(json.dumps({**scores, **notice}, indent=2))
    else:
        for line in scores.lines():
            echo(line)
