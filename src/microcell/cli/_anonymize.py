"""microcell anonymize: a table file in, a verified release out."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microcell.cli._options import (
    NAMES_HELP,
    AsJson,
    Delimiter,
    Encoding,
    Kinds,
    MissingMarks,
    Names,
    QuasiIdentifiers,
    Scale,
    marks_of,
    parse_k,
    parse_kinds,
    parse_parameters,
    read_typed,
    split_names,
)

if TYPE_CHECKING:
    from microcell._recipe import Recipe


def anonymize_command(
    table: Annotated[str, typer.Argument(help="The table: CSV, TSV or Parquet.")],
    output: Annotated[
        str, typer.Option("--output", "-o", help="Where the release goes.")
    ],
    k: Annotated[
        str | None,
        typer.Option(
            "-k", metavar="NUMBER", help="Least number of records that look alike."
        ),
    ] = None,
    quasi_identifiers: QuasiIdentifiers = None,
    identifiers: Annotated[
        Names,
        typer.Option(
            "--identifiers",
            "-i",
            metavar="NAMES",
            help=f"Columns that are never released ({NAMES_HELP}).",
        ),
    ] = None,
    confidential: Annotated[
        Names,
        typer.Option(
            "--confidential",
            "-c",
            metavar="NAMES",
            help=f"Columns that are released as they are ({NAMES_HELP}).",
        ),
    ] = None,
    others: Annotated[
        Names,
        typer.Option(
            "--others",
            metavar="drop|keep|NAMES",
            help="Columns without a role: drop all, keep all, or the names to keep.",
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method", "-m", help="See `microcell methods`; mdav by default."
        ),
    ] = None,
    parameter: Annotated[
        Names,
        typer.Option(
            "--parameter",
            "-p",
            metavar="NAME=VALUE",
            help="A parameter of the method, for example gamma=0.9.",
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(help="The confidential column that shapes cells (lda, sd)."),
    ] = None,
    kind: Kinds = None,
    scale: Scale = None,
    aggregate: Annotated[
        str | None,
        typer.Option(help="What numbers become: mean, median or interval."),
    ] = None,
    integers: Annotated[
        str | None, typer.Option(help="Means of integers: mean, or round.")
    ] = None,
    missing: Annotated[
        str | None,
        typer.Option(help="Records with a missing quasi-identifier: error, or drop."),
    ] = None,
    missing_mark: MissingMarks = None,
    strata: Annotated[
        Names,
        typer.Option(
            "--strata",
            metavar="NAMES",
            help=f"Columns whose values no cell may mix ({NAMES_HELP}).",
        ),
    ] = None,
    small_strata: Annotated[
        str | None, typer.Option(help="Strata of fewer than k: error, or merge.")
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(help="A recipe (TOML); options given here replace its entries."),
    ] = None,
    write_recipe: Annotated[
        str | None, typer.Option(help="Where to write the recipe of this release.")
    ] = None,
    certificate: Annotated[
        str | None, typer.Option(help="Where to write the certificate (JSON).")
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace output files that exist.")
    ] = False,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
) -> None:
    """Make a k-anonymous release of a table and verify it on the written file."""
    from microcell._anonymize import apply_recipe
    from microcell._recipe import flatten, read_toml
    from microcell.cli._progress import shown_progress
    from microcell.io import MISSING_MARKS, format_of, read_table, type_columns

    outputs = [path for path in (output, write_recipe, certificate) if path is not None]
    _check_outputs(outputs, [table, recipe], overwrite)
    entries = {} if recipe is None else flatten(read_toml(recipe))
    with shown_progress() as begin:
        frame = read_table(table, delimiter=delimiter, encoding=encoding)
        columns = frame.columns
        entries |= _given(
            k=parse_k(k),
            quasi_identifiers=_names(quasi_identifiers, columns),
            identifiers=_names(identifiers, columns),
            confidential=_names(confidential, columns),
            others=_others(others, columns),
            method=method,
            target=target,
            kinds=parse_kinds(kind, columns) if kind else None,
            parameters=parse_parameters(parameter) if parameter else None,
            scale=scale,
            aggregate=aggregate,
            integers=integers,
            missing=missing,
            missing_marks=marks_of(missing_mark),
            strata=_names(strata, columns),
            small_strata=small_strata,
        )
        entries.setdefault("missing_marks", MISSING_MARKS)
        chosen = _recipe(entries)
        chosen.schema.released(columns)
        masked = chosen.schema.quasi_identifiers
        frame = read_typed(
            table,
            list(dict.fromkeys([*chosen.schema.quasi_identifiers, *chosen.strata])),
            dict.fromkeys(set(chosen.strata) - set(masked), "nominal")
            | dict(chosen.schema.kinds),
            table=frame,
            missing_marks=chosen.missing_marks,
        )
        if format_of(output) == ".parquet":  # which has types, where text has none
            as_is = [name for name in columns if name not in masked]
            frame = type_columns(frame, as_is, missing_marks=[""], mixed="text")
        begin("grouping records (the first run compiles)")
        release = apply_recipe(frame, chosen)
        begin("writing and reading back")
        document = release.save(
            output, certificate=certificate, recipe=write_recipe, overwrite=overwrite
        )
    try:
        if as_json:
            typer.echo(json.dumps(document, indent=2))
        else:
            lines = [release.summary(), *read_back_lines(document)]
            lines.append(f"sha256              {document['file']['sha256']}")
            lines += [f"written             {path}" for path in outputs]
            typer.echo("\n".join(lines))
        sys.stdout.flush()
    except OSError:  # nobody reads it, or there is no room: the release is there
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def read_back_lines(document: dict[str, Any]) -> list[str]:
    """What was found in the written file, as a person reads it."""
    on_file = [f for f in document["findings"] if f["counted_on"] == "file"]
    lines = [f"read back           {document['file']['records']} records from the file"]
    for finding in on_file:
        word = "counted" if finding["promised"] is None else "verified"
        lines.append(
            f"{word + ' in file':<20}{finding['promise']}: found {finding['found']}"
        )
    return lines


def _check_outputs(
    outputs: list[str], inputs: list[str | None], overwrite: bool
) -> None:
    """Refuse bad outputs before any work is done."""
    from microcell.io import check_target, format_of

    format_of(outputs[0])
    for path in outputs:
        target = check_target(path, overwrite=True)
        for source in inputs:
            if source is not None and os.path.realpath(source) == os.path.realpath(
                path
            ):
                raise ValueError(
                    f"The output {path} is also an input. Choose another name."
                )
        check_target(target, overwrite)
    if len({Path(path).resolve() for path in outputs}) < len(outputs):
        raise ValueError("Two outputs go to the same file. Give each its own name.")


def _names(values: list[str] | None, columns: list[str]) -> list[str] | None:
    return None if values is None else split_names(values, columns)


def _others(values: list[str] | None, columns: list[str]) -> str | list[str] | None:
    names = _names(values, columns)
    return names[0] if names in (["drop"], ["keep"], ["error"]) else names


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _recipe(entries: dict[str, Any]) -> Recipe:
    from microcell._recipe import LAYOUT, Recipe
    from microcell._schema import Schema

    if "k" not in entries:
        raise ValueError("k is missing. Give it with -k, or in the recipe.")
    roles = {name: entries.pop(name) for name in LAYOUT["roles"] if name in entries}
    roles.setdefault("quasi_identifiers", [])
    kinds = entries.pop("kinds", {})
    return Recipe(Schema(**roles, kinds=kinds), **entries)
