"""microcell measure: loss and risk of a release."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from microcell.cli._echo import echo
from microcell.cli._options import (
    TABLE_HELP,
    AsJson,
    given_options,
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
    required={"quasi_identifiers": "Required."},
)
def measure_command(
    original: Annotated[str, typer.Argument(help=f"The original. {TABLE_HELP}")],
    release: Annotated[str, typer.Argument(help="The released table.")],
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
    """Compare two files with the same records in the same order.

    A release that was sorted, as files are by default, is noticed: then only what
    needs no order is measured.
    """
    from microcell.cli._progress import shown_progress
    from microcell.io import read_columns
    from microcell.release import measure_files

    with shown_progress():
        dialect = given_options({n: given[n] for n in ("delimiter", "encoding")})
        columns = read_columns(original, **dialect)
        options = {"quasi_identifiers": []} | given_options(given, columns)
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
