"""What a file says of itself, in the recipe of its release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from microcell.columns import DECIMAL_OF_OTHERS, decimal_of_others
from microcell.exceptions import InputError
from microcell.io import (
    Format,
    Source,
    file_and_part,
    format_named,
    format_of,
    is_address,
    is_folder_of_files,
    kind_noted,
    read_source,
)
from microcell.pipeline import all_promises
from microcell.privacy import CellModel
from microcell.recipe import Recipe


def read_by_recipe(path: str | Path, recipe: Recipe) -> tuple[Source, Recipe]:
    """Read a table as a recipe says, and put down what was found out in it.

    Returns
    -------
    source : Source
    recipe : Recipe
        With the format, the dialect, and the kinds of quasi-identifiers and
        confidential columns that the file notes, where none are declared. A
        differentially private release says nothing of what was found out: one letter
        of one record may have decided it.
    """
    source = read_whole(
        path, recipe.format, recipe.delimiter, recipe.encoding, recipe.sheet
    )
    if recipe.plan.capabilities.differentially_private:
        # Its columns are numbers, whatever they hold.
        return replace(source, notices=()), recipe
    recipe = replace(recipe, **found_options(source))
    schema = recipe.schema
    if recipe.decimal is None and source.format is not None and not source.format.typed:
        frame, masked = source.frame, schema.quasi_identifiers
        beside = [n for n in schema.released(frame.columns) if n not in masked]
        there = [n for n in masked if n in frame.columns]
        if decimal_of_others(frame.select(there), frame.select(beside)):
            source = replace(source, notices=(*source.notices, DECIMAL_OF_OTHERS))
            recipe = replace(recipe, decimal=",")
    names = [*schema.quasi_identifiers, *schema.confidential]
    noted = {
        name: kind
        for name, kind in noted_kinds(source.frame, source.notes, names).items()
        if name not in schema.kinds
    }
    if not noted:
        return source, recipe
    notices = [
        f"column {name!r} is {kind}, as the file's labels and measurement levels say"
        for name, kind in noted.items()
    ]
    source = replace(source, notices=(*source.notices, *notices))
    return source, replace(recipe, schema=schema.saying(kinds=noted))


def read_whole(
    path: str | Path,
    format: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
) -> Source:
    """Read a table into memory, also one of several files in a folder.

    Parameters
    ----------
    path : path
    format, delimiter, encoding, sheet : str, optional
        How it is written, where that is said.
    """
    if is_address(path) or not is_folder_of_files(path):
        named = source_format(path, format)
        return read_source(
            path, format=named, delimiter=delimiter, encoding=encoding, sheet=sheet
        )
    from microcell.engines import open_parts

    parts = open_parts(path, format=format, delimiter=delimiter, encoding=encoding)
    frame = pl.concat([part.load() for part in parts.read(list(parts.schema))])
    return Source(frame, format=format_named("csv" if parts.as_text else "parquet"))


def source_format(path: str | Path, named: str | None) -> Format | None:
    """The format that a recipe names, unless the suffix of the file says another."""
    if named is None:
        return None
    format = format_named(named)
    file, _ = file_and_part(path)
    try:
        by_suffix = format_of(file)
    except InputError:
        return format
    if by_suffix.read is format.read or not (by_suffix.typed or format.typed):
        return by_suffix
    raise InputError(
        f"The format of {file} is said to be {named!r}, and its suffix says "
        f"{by_suffix.name}.",
        option="format",
        hint="Leave it out, or rename the file.",
    )


def found_options(source: Source) -> dict[str, Any]:
    """Options of a recipe that read a file in the same way again."""
    suffix = None
    if source.format is not None and source.format.suffixes:  # a database has none
        suffix = source.format.suffixes[0][1:]
    found = {"format": suffix, **source.dialect._asdict()}
    return {name: value for name, value in found.items() if value is not None}


def noted_kinds(
    frame: pl.DataFrame, notes: Mapping[str, Any], names: Sequence[str]
) -> dict[str, str]:
    """Kinds that a file notes of columns, where they are not those of their types."""
    found = {}
    for name in names:
        if name in notes and name in frame.columns:
            kind = kind_noted(frame[name], notes[name])
            if kind is not None:
                found[name] = kind
    return found


def merged_gaps(source: Source, names: Sequence[str], format: Format) -> list[str]:
    """Notices on kinds of missing values that a format cannot tell apart.

    Parameters
    ----------
    source : Source
    names : sequence of str
        Columns that are released as they are.
    format : Format
        In which they are written.
    """
    return [
        f"column {name!r} has several kinds of missing values, which {format.name} "
        "does not tell apart: they are written as missing"
        for name, notes in source.notes.items()
        if name in names
        and notes.kinds is not None
        and notes.kinds.count()
        and notes.program != format.holds_kinds
    ]


def lost_labels(source: Source, names: Sequence[str], format: Format) -> list[str]:
    """A notice on labels of values that a format does not hold.

    Parameters
    ----------
    source : Source
    names : sequence of str
        Columns that are released.
    format : Format
        In which they are written.
    """
    held = format.noted(source.notes, source.frame)
    lost = [
        name
        for name, notes in source.notes.items()
        if name in names and notes.values and not (name in held and held[name].values)
    ]
    if not lost:
        return []
    return [
        f"columns {lost} have labels of their values, which {format.name} does not "
        "hold: codes are written without them"
    ]


def without_counted_kinds(source: Source, recipe: Recipe) -> Source:
    """A source whose missing values are only missing where a promise counts them.

    Promises count what is missing as one value. Codes of kinds of it in a released
    file would tell records apart that a promise holds to be alike.
    """
    counted = {
        name
        for promise in all_promises(recipe)
        if isinstance(promise, CellModel)
        for name in _several(promise.column)
    }
    notes = dict(source.notes)
    notices = []
    for name in counted & notes.keys():
        kinds = notes[name].kinds
        if kinds is not None and kinds.count():
            notes[name] = notes[name]._replace(missing=(), kinds=None)
            notices.append(
                f"column {name!r} has several kinds of missing values, and a promise "
                "counts them as one: they are written as missing"
            )
    return replace(source, notes=notes, notices=(*source.notices, *sorted(notices)))


def _several(column: str | tuple[str, ...] | None) -> tuple[str, ...]:
    if isinstance(column, tuple):
        return column
    return () if column is None else (column,)
