"""microcell measure: loss and risk of a release."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from microcell.cli._echo import echo
from microcell.cli._options import (
    FOLDER_HELP,
    AllowImport,
    AsJson,
    options_for,
    read_recipe,
    with_recipe_options,
)


@with_recipe_options(
    "quasi_identifiers",
    "kinds",
    "hierarchies",
    "scale",
    "missing",
    "missing_marks",
    "measures",
    "unit",
    "weights",
    "delimiter",
    "encoding",
    "decimal",
    "dates",
    required={"quasi_identifiers": "Required, unless a recipe names them."},
)
def measure_command(
    original: Annotated[str, typer.Argument(help=f"The original. {FOLDER_HELP}")],
    release: Annotated[str, typer.Argument(help="The released table, or its folder.")],
    recipe: Annotated[
        str | None, typer.Option(help="The recipe (TOML) that the release was made by.")
    ] = None,
    allow_import: AllowImport = False,
    release_delimiter: Annotated[
        str | None, typer.Option(help="What separates fields in the released table.")
    ] = None,
    release_encoding: Annotated[
        str | None, typer.Option(help="Encoding of the released table.")
    ] = None,
    aligned: Annotated[
        bool,
        typer.Option(
            "--aligned", help="Rows are in the same order, whatever they look like."
        ),
    ] = False,
    as_json: AsJson = False,
    **given: Any,
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
        scores = measure_files(
            original,
            release,
            release_delimiter=release_delimiter,
            release_encoding=release_encoding,
            aligned=aligned,
            **options,
        )
    if as_json:
        notice = {"notice": scores.notice} if scores.notice else {}
        typer.echo(json.dumps({**scores, **notice}, indent=2))
    else:
        for line in scores.lines():
            echo(line)
