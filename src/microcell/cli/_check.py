"""microcell check: what k does a table have, and what does it keep?"""

from __future__ import annotations

import json
from typing import Any

import typer

from microcell.cli._echo import echo
from microcell.cli._errors import NOTHING_CHECKED, PROMISE_FAILED
from microcell.cli._options import (
    ALLOW_IMPORT,
    AS_JSON,
    FOLDER_HELP,
    argument,
    options_for,
    parameter,
    read_recipe,
    with_options,
)


@with_options(
    argument("table", FOLDER_HELP),
    parameter("recipe", "Check what this recipe (TOML) promises."),
    ALLOW_IMPORT,
    parameter("original", "The table it was made from, to single people out in it."),
    parameter("original_delimiter", "What separates fields in the original."),
    parameter("original_encoding", "Encoding of the original."),
    parameter("certificate", "That of this file, for what files do not show."),
    parameter("source", "A source, to compare with the note that goes with it."),
    parameter("source_note", "The note with the key to the source's digest."),
    AS_JSON,
    names="quasi_identifiers confidential k promises delimiter encoding".split(),
    required={"quasi_identifiers": "Required, unless a recipe names them."},
)
def check_command(
    table: str,
    recipe: str | None,
    allow_import: bool,
    as_json: bool,
    given: dict[str, Any],
    **said: Any,
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
        check = check_file(table, recipe=promised, **said, **options)
    if as_json:
        typer.echo(json.dumps(check.to_dict(), indent=2))
    else:
        for line in check.lines():
            echo(line)
        if check.source_as_noted is not None:
            word = "is" if check.source_as_noted else "is NOT"
            words = f"{said['source']} {word} what the note was written for"
            echo(labelled("source", words))
    if not check.holds:
        raise typer.Exit(PROMISE_FAILED)
    if check.nothing_checked:
        raise typer.Exit(NOTHING_CHECKED)
