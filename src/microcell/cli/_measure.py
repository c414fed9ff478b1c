"""microcell measure: loss and risk of a release."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from microcell.cli._options import (
    AsJson,
    Delimiter,
    Encoding,
    Kinds,
    MissingMarks,
    QuasiIdentifiers,
    Scale,
    parse_kinds,
    read_typed,
    split_names,
)


def measure_command(
    original: Annotated[str, typer.Argument(help="The original table.")],
    release: Annotated[str, typer.Argument(help="The released table.")],
    quasi_identifiers: QuasiIdentifiers = None,
    kind: Kinds = None,
    scale: Scale = None,
    missing_mark: MissingMarks = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
) -> None:
    """Compare two files with the same records in the same order."""
    from microcell._measure import measure
    from microcell._release import SHOWN, shown
    from microcell._schema import Schema
    from microcell.cli._progress import shown_progress
    from microcell.io import read_table

    with shown_progress() as begin:
        tables = []
        for path in (original, release):
            table = read_table(path, delimiter=delimiter, encoding=encoding)
            names = split_names(quasi_identifiers, table.columns)
            schema = Schema(names, others="drop", kinds=parse_kinds(kind))
            schema.released(table.columns)
            tables.append(
                read_typed(
                    path,
                    names,
                    dict(schema.kinds),
                    table=table,
                    missing_marks=missing_mark,
                )
            )
        begin("measuring")
        scores = measure(
            tables[0], tables[1], names, kinds=schema.kinds, scale=scale or "standard"
        )
    if as_json:
        typer.echo(json.dumps(scores, indent=2))
        return
    for name, value in scores.items():
        typer.echo(f"{SHOWN[name]:<20}{shown(name, value)}")
