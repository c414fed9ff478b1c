"""Which records there are, whose they are, and what is done with gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any

from microcell.exceptions import (
    InputError,
    Option,
    ParameterError,
    SchemaError,
    column_error,
    nearest_name,
    sentence,
)
from microcell.recipe._marks import given_marks
from microcell.recipe._options import ANY, Whole, option
from microcell.recipe._schema import column_names

record_option = partial(option, section="records", group="people")
RECORDS = "records"  # the unit of a table whose records are people
TOGETHER, APART = "together", "apart"  # records of a person, in cells


def _unit(recipe: Any, unit: Any) -> str | None:
    identifiers = recipe.schema.identifiers
    if unit == RECORDS and RECORDS in identifiers:
        raise SchemaError(
            f"{RECORDS!r} says that every record is a person, and an identifier "
            "has that name too.",
            column=RECORDS,
            option="unit",
            hint="Rename the column.",
        )
    if unit in (None, RECORDS):
        return unit
    if not isinstance(unit, str) or unit not in identifiers:
        guess = nearest_name(unit, identifiers)
        way_out = "Name its column in {identifiers} too."
        raise SchemaError(
            f"The unit that k counts must be an identifier or {RECORDS!r}, and "
            f"{unit!r} is neither.",
            column=str(unit),
            option="unit",
            hint=[f"{guess} " if guess else "", *sentence(way_out)],
        )
    return unit


def _unit_records(recipe: Any, given: str) -> str:
    if given != TOGETHER and recipe.unit == RECORDS:
        words = "{asked} is about the records of a person, and {unit='records'} says "
        raise InputError(
            sentence(words + "that each has one.", asked=Option("unit_records", given)),
            option="unit_records",
            hint=sentence("Name the identifier of people in {unit}."),
        )
    return given


def _allowed(recipe: Any, given: Any) -> tuple[str, ...]:
    names, schema = column_names(given, "allow_unique"), recipe.schema
    for name in names:
        if name in (*schema.quasi_identifiers, *schema.identifiers):
            masked = name in schema.quasi_identifiers
            why = "masked" if masked else "never released"
            raise SchemaError(
                f"'allow_unique' names {name!r}, which is {why}.",
                column=name,
                option="allow_unique",
                hint="Leave it out there.",
            )
    return names


def _weights(recipe: Any, name: Any) -> str | None:
    if name is not None and not isinstance(name, str):
        requirement = f"must be a column's name. Got {name!r} instead."
        raise ParameterError("weights", requirement)
    if name in recipe.schema.quasi_identifiers:
        raise column_error(
            name,
            "is a quasi-identifier, which is masked, so it cannot be the sampling "
            "weights.",
            sentence(
                "Leave it out in {identifiers}, or release it as it is in {others}."
            ),
            option="weights",
        )
    return name


def _strata(recipe: Any, given: Any) -> tuple[str, ...]:
    names = column_names(given, "strata")
    for name in names:
        if name in recipe.schema.identifiers:
            raise column_error(name, "is an identifier, so no stratum.")
        if name in recipe.schema.confidential:
            raise column_error(
                name,
                "is confidential: with it as a stratum, all records of a cell would "
                "share its value, and everybody's would be known.",
                "Choose other strata.",
            )
    return names


@dataclass(frozen=True)
class RecordOptions:
    """Which records there are, whose they are, and what is done with gaps.

    Parameters
    ----------
    missing : {"error", "drop", "category", "impute", "ignore"}, default="error"
        Records with a missing quasi-identifier. Refuse them; leave them
        out; take missing for a value of its own, which is released where most of a
        cell misses it; fill it by `imputer`; or form cells on the values that are
        there (a missing one stands in the middle of its column) and publish the mean
        of those, so that the release shows nowhere that a value was missing.
    imputer : {"simple", "knn", "iterative"}, default="simple"
        How missing values are filled. By the median of their column, by the five
        nearest records, or by a regression on the other columns; categories by the
        most frequent.
    missing_marks : sequence or mapping, optional
        Text or number that stands for a missing value instead of NA, N/A, NaN, nan,
        null and NULL, or NAME=MARK in one column besides; an empty field always does.
        A mark that is a number stands for that number in a column of numbers too. By
        default none, and the usual texts in a table that is all text, as a CSV file
        is. A mapping names columns (``{"age": [999]}``, "*" for all); those of one
        column are kept with it, as `missing_marks` of its `Column`.
    rare : {"keep", "merge"}, default="keep"
        Categories of few records; merge makes them `other`. It is done to nominal
        quasi-identifiers before anything else; if these are still few, the next rarest
        join them.
    rare_below : int, optional
        Categories with fewer records are rare; by default k.
    unit : str, optional
        Whom k counts: an identifier that repeats, or `records` if every record is a
        person. It must be said where two records share a value of an identifier.
    unit_records : {"together", "apart"}, default="together"
        Whether the records of a person share a cell, or each cell has k people, whose
        records may be in several. Together, the release may link them; apart loses far
        less, and nobody counts more than once in a mean, a median or a mode of a cell.
    allow_unique : sequence of str, optional
        Columns that may be released as they are though they seem to name people. Also
        those that nobody named and in which most people are alone with their value. The
        release says so before anything else.
    weights : str, optional
        The column that holds how many people a record stands for. Means, medians and
        modes are weighted by it, and the population (journalist) risk is measured.
    strata : sequence of str, optional
        Columns whose values no cell may mix. Neither identifiers nor confidential.
    small_strata : {"error", "merge"}, default="error"
        Strata of fewer than k. They are refused, or joined with others.
    shard : int, optional
        Records of a shard, where the table is cut into shards that are masked each by
        itself; by default a table that fits into memory is not cut. One that does not
        is cut into shards of up to 2,500,000. They are masked on all processors or
        engines alike.
    """

    _: KW_ONLY
    missing: str = record_option(
        "error",
        choices=("error", "drop", "category", "impute", "ignore"),
        with_dp=ANY,
        group="missing",
    )
    imputer: str = record_option(
        "simple",
        choices=("simple", "knn", "iterative"),
        on_parts=Whole("learns from all records at once", "Choose the simple one."),
        needs=("missing", "impute"),
        group="missing",
    )
    missing_marks: Sequence[str] | Mapping[str, Sequence[str]] | None = record_option(
        None,
        check=lambda recipe, marks: given_marks(marks, recipe.schema),
        form="marks",
        flags=("--missing-mark",),
        metavar="[NAME=]MARK",
        with_dp=ANY,
        group="missing",
    )
    rare: str = record_option("keep", choices=("keep", "merge"), group="rare")
    rare_below: int | None = record_option(
        None, form="count", least=2, needs=("rare", "merge"), group="rare"
    )
    unit: str | None = record_option(
        None, check=_unit, metavar="NAME|records", usual=True, with_dp=(RECORDS,)
    )
    unit_records: str = record_option(
        TOGETHER,
        choices=(TOGETHER, APART),
        check=_unit_records,
        needs=("unit", None),
    )
    allow_unique: Sequence[str] = record_option(
        (), section="roles", check=_allowed, form="names", group=""
    )
    weights: str | None = record_option(None, check=_weights, metavar="NAME")
    strata: Sequence[str] = record_option((), check=_strata, form="names")
    small_strata: str = record_option(
        "error", choices=("error", "merge"), needs=("strata", None)
    )
    shard: int | None = record_option(
        None,
        form="count",
        metavar="RECORDS",
        with_dp=ANY,
        least=1,
        group="file",
    )
