"""Whom k counts, and columns that would name people: checks before any work."""

from __future__ import annotations

from typing import Any

import numpy as np

from microcell.exceptions import Option, SchemaError
from microcell.privacy import class_codes
from microcell.release._recipe import RECORDS, Recipe

REPEATS = 1.5  # records per value of an identifier from which records are not people
SINGLES = 0.5  # share of records alone with their value from which a column names them
FEW = 10  # records; of fewer, any column is near-unique and scores give values away


def units_of(frame: Any, recipe: Recipe) -> tuple[np.ndarray | None, list[str]]:
    """Whose record each is, and what is to be said about identifiers that repeat.

    Parameters
    ----------
    frame : narwhals.DataFrame
        The records that take part.
    recipe : Recipe

    Returns
    -------
    units : ndarray of shape (n_records,) or None
        None if every record is a person.
    notices : list of str
    """
    if recipe.unit == RECORDS:
        return None, []
    if recipe.unit is not None:
        return _units(frame, recipe.unit), []
    notices = []
    for name in recipe.schema.identifiers:
        known = frame.select(name).drop_nulls()
        if len(known) == 0:
            continue
        n_values = int(class_codes(known.to_native(), [name]).max()) + 1
        repeats = len(known) / n_values
        if repeats >= REPEATS:
            raise SchemaError(
                f"Column {name!r} is an identifier, but each of its values has "
                f"{repeats:.1f} records on average: k would count records, not people.",
                column=name,
                option="unit",
                hint=[
                    "Name it as the unit that k counts with ",
                    Option("unit", name),
                    ", or say that every record is a person with ",
                    Option("unit", RECORDS),
                    ".",
                ],
            )
        if repeats > 1:
            notices.append(
                f"the identifier {name!r} has {n_values} values for {len(known)} "
                "records; k counts records"
            )
    return None, notices


def _units(frame: Any, name: str) -> np.ndarray:
    n_missing = int(frame[name].is_null().sum())
    if n_missing:
        raise SchemaError(
            f"Column {name!r} is the unit that k counts, but {n_missing} record(s) "
            "have none.",
            column=name,
            hint="Fill them, or leave those records out.",
        )
    return class_codes(frame.to_native(), [name])


def refuse_names(frame: Any, recipe: Recipe) -> None:
    """Refuse to release a column that singles people out unless it is named.

    Only columns that nobody named are looked at: those that others='keep' releases.
    """
    if recipe.schema.others != "keep" or len(frame) < FEW:
        return
    for name in recipe.schema.unnamed(frame.columns):
        try:
            sizes = np.bincount(class_codes(frame.to_native(), [name]))
        except Exception:  # nested values, which cannot be grouped, are looked at later
            continue
        singles = float(np.mean(sizes == 1) * sizes.size / len(frame))
        if singles >= SINGLES:
            raise SchemaError(
                f"Column {name!r} has no role, and {100 * singles:.0f} % of the "
                "records are alone with their value in it: it may name people.",
                column=name,
                option="others",
                hint=[
                    "Make it an identifier, leave it out, or name the columns to "
                    "release one by one in ",
                    Option("others"),
                    ".",
                ],
            )
