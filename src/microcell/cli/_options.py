"""Options that several commands share, and how their text is read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    import polars as pl

Names = list[str] | None
NAMES_HELP = "repeat the option or separate names by commas"

QuasiIdentifiers = Annotated[
    Names,
    typer.Option(
        "--quasi-identifiers",
        "-q",
        metavar="NAMES",
        help=f"Columns an intruder may know; they are masked ({NAMES_HELP}).",
    ),
]
Kinds = Annotated[
    Names,
    typer.Option(
        "--kind",
        metavar="NAME=KIND",
        help="Treat a column as numeric, nominal, ordinal or date; or give its order, "
        "grade=low<mid<high.",
    ),
]
Scale = Annotated[
    str | None,
    typer.Option(help="Common scale of columns: standard, minmax, robust or none."),
]
Delimiter = Annotated[
    str | None, typer.Option(help="What separates fields in a text table.")
]
Encoding = Annotated[str, typer.Option(help="Encoding of a text table.")]
MissingMarks = Annotated[
    Names,
    typer.Option(
        "--missing-mark",
        metavar="TEXT",
        help="Text that stands for a missing value, besides an empty field; "
        "by default NA, N/A, NaN, nan, null and NULL.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def parse_k(text: str | None) -> int | str | None:
    """The number that a text stands for; the library says what is wrong with others."""
    try:
        return None if text is None else int(text)
    except ValueError:
        return text


def split_names(values: Sequence[str] | None, columns: Sequence[str]) -> list[str]:
    """Names from repeated options and comma lists; a column's own comma is kept.

    Examples
    --------
    >>> split_names(["age,sex", "income, net"], ["age", "sex", "income, net"])
    ['age', 'sex', 'income, net']
    """
    names: list[str] = []
    for value in values or []:
        parts = [value] if value in columns else value.split(",")
        names += [part if part in columns else part.strip() for part in parts]
    return [name for name in names if name]


def marks_of(values: Sequence[str] | None) -> list[str] | None:
    """Marks for a missing value: an empty field, and those given."""
    return None if values is None else ["", *values]


def parse_kinds(
    values: Sequence[str] | None, columns: Sequence[str] = ()
) -> dict[str, Any]:
    """Kinds from NAME=KIND; an order is written with <, a name may hold =.

    Examples
    --------
    >>> parse_kinds(["zip=nominal", "grade=low<mid<high", "level=1<2<3"])
    {'zip': 'nominal', 'grade': ['low', 'mid', 'high'], 'level': [1, 2, 3]}
    """
    kinds: dict[str, Any] = {}
    for value in values or []:
        name, mark, kind = value.partition("=")
        for column in columns:
            if value.startswith(f"{column}=") and len(column) > len(name):
                name, kind = column, value[len(column) + 1 :]
        if not mark or not name or not kind:
            raise ValueError(f"--kind takes NAME=KIND. Got {value!r} instead.")
        kinds[name] = _order(kind) if "<" in kind else kind
    return kinds


def _order(text: str) -> list[Any]:
    values = text.split("<")
    try:
        return [int(value) for value in values]
    except ValueError:
        return values


def parse_parameters(values: Sequence[str] | None) -> dict[str, Any]:
    """Method parameters from NAME=VALUE; numbers become numbers.

    Examples
    --------
    >>> parse_parameters(["gamma=0.9", "mode=relaxed"])
    {'gamma': 0.9, 'mode': 'relaxed'}
    """
    parameters: dict[str, Any] = {}
    for value in values or []:
        name, mark, text = value.partition("=")
        if not mark or not name:
            raise ValueError(f"--parameter takes NAME=VALUE. Got {value!r} instead.")
        try:
            parameters[name] = json.loads(text)
        except json.JSONDecodeError:
            parameters[name] = text
    return parameters


def read_typed(
    path: str,
    names: Sequence[str],
    kinds: dict[str, Any],
    *,
    table: pl.DataFrame,
    missing_marks: Sequence[str],
) -> pl.DataFrame:
    """The table with the named text columns typed; the error names the file."""
    from microcell.base import SchemaError
    from microcell.io import type_columns

    try:
        return type_columns(table, names, kinds, missing_marks)
    except SchemaError as error:
        raise SchemaError(f"{path}: {error}") from None
