"""microcell check: what k does a table have, and what does it keep?"""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from microcell.cli._echo import echo
from microcell.cli._errors import NOTHING_CHECKED, PROMISE_FAILED
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
    "confidential",
    "k",
    "promises",
    "delimiter",
    "encoding",
    required={"quasi_identifiers": "Required, unless a recipe names them."},
)
def check_command(
    table: Annotated[str, typer.Argument(help=FOLDER_HELP)],
    recipe: Annotated[
        str | None, typer.Option(help="Check what this recipe (TOML) promises.")
    ] = None,
    allow_import: AllowImport = False,
    original: Annotated[
        str | None,
        typer.Option(help="The table it was made from, to single people out in it."),
    ] = None,
    original_delimiter: Annotated[
        str | None, typer.Option(help="What separates fields in the original.")
    ] = None,
    original_encoding: Annotated[
        str | None, typer.Option(help="Encoding of the original.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(help="A source, to compare with the note that goes with it."),
    ] = None,
    source_note: Annotated[
        str | None,
        typer.Option(help="The note with the key to the source's digest."),
    ] = None,
    as_json: AsJson = False,
    **given: Any,
) -> None:
    """Count how many records look alike; show the worst classes by size only.

    Exit with code 3 if a promise, such as the k that is given, does not hold. What a
    recipe promises and the files do not show is named as not checked; with code 4 if
    that is all of it.
    """
    from microcell.cli._progress import shown_progress
    from microcell.metrics import labelled
    from microcell.release import check_file

    options = options_for(table, given)
    promised = read_recipe(recipe, allow_import)
    with shown_progress():
        check = check_file(
            table,
            recipe=promised,
            original=original,
            original_delimiter=original_delimiter,
            original_encoding=original_encoding,
            source=source,
            source_note=source_note,
            **options,
        )
    if as_json:
        typer.echo(json.dumps(check.to_dict(), indent=2))
    else:
        for line in check.lines():
            echo(line)
        if check.source_as_noted is not None:
            said = "is" if check.source_as_noted else "is NOT"
            echo(labelled("source", f"{source} {said} what the note was written for"))
    if not check.holds:
        raise typer.Exit(PROMISE_FAILED)
    if check.nothing_checked:
        raise typer.Exit(NOTHING_CHECKED)
