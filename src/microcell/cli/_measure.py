"""microcell measure: loss and risk of a release."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from microcell.cli._options import (
    AsJson,
    Delimiter,
    Encoding,
    Kinds,
    MissingMarks,
    QuasiIdentifiers,
    Scale,
    marks_of,
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
    import polars as pl

    from microcell._measure import measure
    from microcell._release import SHOWN, shown
    from microcell._schema import Schema
    from microcell.cli._progress import shown_progress
    from microcell.io import MISSING_MARKS, read_table

    with shown_progress() as begin:
        marks = marks_of(missing_mark) or MISSING_MARKS
        tables = []
        kinds: dict[str, Any] = {}
        for path in (original, release):
            table = read_table(path, delimiter=delimiter, encoding=encoding)
            names = split_names(quasi_identifiers, table.columns)
            declared = parse_kinds(kind, table.columns)
            schema = Schema(names, others="drop", kinds=declared)
            kinds |= declared
            schema.released(table.columns)
            typed = read_typed(path, names, kinds, table=table, missing_marks=marks)
            tables.append(typed)
            # Text in the original is text in the release, whatever it looks like.
            kinds |= {n: "nominal" for n in names if typed[n].dtype == pl.String}
        begin("measuring")
        scores = measure(
            tables[0], tables[1], names, kinds=schema.kinds, scale=scale or "standard"
        )
    if as_json:
        typer.echo(json.dumps(scores, indent=2))
        return
    for name, value in scores.items():
        typer.echo(f"{SHOWN[name]:<20}{shown(name, value)}")
