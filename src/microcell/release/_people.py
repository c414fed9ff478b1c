"""Whom k counts, and columns that would name people: checks before any work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from microcell.exceptions import Option, SchemaError
from microcell.prepare import Marks, as_marks, check_releasable, is_missing
from microcell.privacy import class_codes
from microcell.release._recipe import RECORDS, Recipe

REPEATS = 1.5  # records per value of an identifier from which records are not people
SINGLES = 0.5  # share of records alone with their value from which a column names them
NUMBERED = 0.05  # values for each record from which a column may number people
MANY_CATEGORIES = 100
MOSTLY_KEPT = 0.5  # share of records that keep their category
FEW = 10  # records; of fewer, any column is near-unique and scores give values away


def units_of(
    frame: Any, recipe: Recipe, missing_marks: Marks | Sequence[str] = ()
) -> tuple[np.ndarray | None, list[str]]:
    """Whose record each is, and what is to be said about columns that repeat.

    Parameters
    ----------
    frame : narwhals.DataFrame
        The records that take part.
    recipe : Recipe
    missing_marks : Marks or sequence of str
        What stands for a missing value; an empty text always does.

    Returns
    -------
    units : ndarray of shape (n_records,) or None
        None if every record is a person.
    notices : list of str
    """
    if recipe.unit == RECORDS:
        return None, []
    marks = as_marks(missing_marks).also("")
    if recipe.unit is not None:
        return units_in(frame, recipe.unit, marks), []
    notices = []
    for name in recipe.schema.identifiers:
        if name == recipe.weights:  # which number no people
            continue
        n_values, n_known = _counts(frame[name], marks)
        if n_known >= REPEATS * n_values > 0:
            raise repeats_people(name, n_known / n_values)
        if n_known > n_values:
            notices.append(
                f"the identifier {name!r} has {n_values} values for {n_known} records; "
                "k counts records"
            )
    return None, notices


def repeats_people(name: str, records_per_value: float) -> SchemaError:
    """An identifier whose values have several records each."""
    return SchemaError(
        f"Column {name!r} is an identifier, but each of its values has "
        f"{records_per_value:.1f} records on average: k would count records, not "
        "people.",
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


def left_out_people(
    frame: Any, recipe: Recipe, missing_marks: Marks | Sequence[str] = ()
) -> list[str]:
    """What is to be said of columns without a role that may number people.

    A column that `others` drops or keeps is asked for no role; if it numbers people who
    have several records each, k counts records without a word.
    """
    keeps = recipe.schema.others == "keep"
    settled = recipe.unit is not None or not (recipe.schema.drops_others or keeps)
    if settled or len(frame) < FEW:
        return []
    what = "which is released as it is" if keeps else "which is left out"
    notices = []
    for name in recipe.schema.unnamed(frame.columns):
        dtype = frame[name].dtype
        settled = name in (recipe.weights, *recipe.strata)
        if settled or not (dtype == nw.String or dtype.is_integer()):
            continue
        n_values, n_known = _counts(frame[name], as_marks(missing_marks).also(""))
        if n_known >= REPEATS * n_values and n_values >= NUMBERED * n_known:
            notices.append(
                f"column {name!r}, {what}, has {n_values} values for {n_known} "
                f"records: if it numbers people, make it an identifier and "
                "the unit that k counts"
            )
    return notices


def _counts(series: Any, marks: Marks) -> tuple[int, int]:
    """Distinct values of a column, and records that have one."""
    known = ~is_missing(series, marks)
    if not known.any():
        return 0, 0
    return int(np.unique(_codes(series)[known]).size), int(known.sum())


def units_in(frame: Any, name: str, marks: Marks) -> np.ndarray:
    """Whose record each is, as a number, by the column that names units."""
    n_missing = int(is_missing(frame[name], marks).sum())
    if n_missing:
        raise SchemaError(
            f"Column {name!r} is the unit that k counts, but {n_missing} record(s) "
            "have none.",
            column=name,
            hint="Fill them, or leave those records out.",
        )
    return _codes(frame[name])


def _codes(series: Any) -> np.ndarray:
    """A number for each value of a column of any type, in the order of appearance."""
    try:
        check_releasable(series)
    except SchemaError:  # objects of any kind, told apart by how they show themselves
        shown = [repr(value) for value in series.to_list()]
        places = {value: place for place, value in enumerate(dict.fromkeys(shown))}
        return np.array([places[value] for value in shown])
    return class_codes(series.to_frame().to_native(), [series.name])


def refuse_own_categories(
    prepared: Any,
    also: Sequence[int] = (),
    counts: Mapping[int, np.ndarray] | None = None,
    n_records: int | None = None,
) -> None:
    """Refuse many categories of which most belong to one record.

    What is released of a cell is one of its categories, and then that of a person. Of
    codes with a hierarchy it is what several records have in common, which is nobody's
    own; where one of the codes is released instead, name the column in `also`. Records
    of each category, by column, and of the table are given where `prepared` is a part
    of it.
    """
    n_records = len(prepared.X) if n_records is None else n_records
    for j in (*prepared.nominal, *also):
        if counts is None:
            codes = prepared.X[:, j]
            sizes = np.bincount(codes[~np.isnan(codes)].astype(np.int64))
        else:
            sizes = counts[j]
        singles = float(np.sum(sizes == 1) / n_records)
        if np.sum(sizes > 0) > MANY_CATEGORIES and singles >= SINGLES:
            name = prepared.names[j]
            raise SchemaError(
                f"Column {name!r} is nominal, and {100 * singles:.0f} % of the records "
                "are alone with their category in it: what a cell releases would be "
                "that of one person.",
                column=name,
                hint=[
                    "Make it an identifier, group its categories, or declare it with "
                    "its order in ",
                    Option("kinds"),
                    ", lowest first.",
                ],
            )


def vague_categories(
    prepared: Any, X_released: np.ndarray, forms: Sequence[str] | None = None
) -> list[str]:
    """Notices on columns whose released categories or codes say little."""
    width = X_released.shape[1] // prepared.X.shape[1]
    notices = []
    for j in prepared.nominal:
        if forms is not None and forms[j] != "value":
            continue
        there = ~np.isnan(prepared.X[:, j])
        same = X_released[there, j * width] == prepared.X[there, j]
        kept = float(np.mean(same))
        if kept < MOSTLY_KEPT and len(prepared.X) >= FEW:
            notices.append(
                f"column {prepared.names[j]!r} keeps its category in {100 * kept:.0f} "
                "% of the records: it has many, and the most frequent of a cell says "
                "little; group them first"
            )
    for j, encoder in enumerate(prepared.encoders):
        if encoder.levels is None or len(encoder.values) == 1:
            continue
        root = encoder.levels.n_values  # the group of all comes first
        lost = float(np.mean(X_released[:, j * width] == root))
        if lost > MOSTLY_KEPT and len(prepared.X) >= FEW:
            notices.append(
                f"column {prepared.names[j]!r} is released as {encoder.text(root)!r}, "
                f"which says nothing, in {100 * lost:.0f} % of the records: give it "
                "more importance, or group its codes first"
            )
    return notices


def refuse_names(
    frame: Any, recipe: Recipe, missing_marks: Marks | Sequence[str] = ()
) -> None:
    """Refuse to release a column that singles people out unless it is named.

    Only columns that nobody named are looked at: those that others='keep' releases. Of
    the records that have a value, half are alone with it; people are counted where the
    recipe says who they are.
    """
    if recipe.schema.others != "keep" or len(frame) < FEW:
        return
    marks = as_marks(missing_marks).also("")
    units = None
    if recipe.unit not in (None, RECORDS):
        units = units_in(frame, str(recipe.unit), marks)
    who = "records" if units is None else "people"
    for name in recipe.schema.unnamed(frame.columns):
        sizes = _people_by_value(frame[name], marks, units)
        singles = float(np.sum(sizes == 1) / max(sizes.sum(), 1))
        if singles >= SINGLES:
            raise names_people(name, singles, who)


def names_people(name: str, singles: float, who: str) -> SchemaError:
    """A column without a role in which a share of people are alone."""
    return SchemaError(
        f"Column {name!r} has no role, and {100 * singles:.0f} % of the {who} are "
        "alone with their value in it: it may name people.",
        column=name,
        option="others",
        hint=[
            "Make it an identifier, leave it out, or name the columns to release one "
            "by one in ",
            Option("others"),
            ".",
        ],
    )


def _people_by_value(series: Any, marks: Marks, units: np.ndarray | None) -> np.ndarray:
    """How many people have each value of a column; missing ones are none."""
    known = ~is_missing(series, marks)
    codes = _codes(series)[known]
    if units is not None:
        codes = np.unique(np.column_stack([codes, units[known]]), axis=0)[:, 0]
    sizes = np.bincount(codes)
    return sizes[sizes > 0]
