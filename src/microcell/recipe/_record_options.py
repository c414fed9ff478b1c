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
    nearest_name,
)
from microcell.recipe._options import ANY, NAMES_HELP, Whole, option
from microcell.recipe._schema import column_names
from microcell.recipe._text_options import given_marks

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
        raise SchemaError(
            f"The unit that k counts must be an identifier or {RECORDS!r}, and "
            f"{unit!r} is neither.",
            column=str(unit),
            option="unit",
            hint=[
                f"{guess} " if guess else "",
                "Name its column in ",
                Option("identifiers"),
                " too.",
            ],
        )
    return unit


def _unit_records(recipe: Any, given: str) -> str:
    if given != TOGETHER and recipe.unit == RECORDS:
        raise InputError(
            [
                Option("unit_records", given),
                " is about the records of a person, and ",
                Option("unit", RECORDS),
                " says that each has one.",
            ],
            option="unit_records",
            hint=["Name the identifier of people in ", Option("unit"), "."],
        )
    return given


def _allowed(recipe: Any, given: Any) -> tuple[str, ...]:
    names = column_names(given, "allow_unique")
    hidden = {
        **dict.fromkeys(recipe.schema.quasi_identifiers, "masked"),
        **dict.fromkeys(recipe.schema.identifiers, "never released"),
    }
    for name in names:
        if name in hidden:
            raise SchemaError(
                f"'allow_unique' names {name!r}, which is {hidden[name]}.",
                column=name,
                option="allow_unique",
                hint="Leave it out there.",
            )
    return names


def _weights(recipe: Any, name: Any) -> str | None:
    if name is not None and not isinstance(name, str):
        raise ParameterError(
            "weights", f"must be a column's name. Got {name!r} instead."
        )
    if name in recipe.schema.quasi_identifiers:
        raise SchemaError(
            f"Column {name!r} is a quasi-identifier, which is masked, so "
            "it cannot be the sampling weights.",
            column=name,
            option="weights",
            hint=[
                "Leave it out in ",
                Option("identifiers"),
                ", or release it as it is in ",
                Option("others"),
                ".",
            ],
        )
    return name


def _strata(recipe: Any, given: Any) -> tuple[str, ...]:
    names = column_names(given, "strata")
    for name in names:
        if name in recipe.schema.identifiers:
            raise SchemaError(
                f"Column {name!r} is an identifier, so no stratum.", column=name
            )
        if name in recipe.schema.confidential:
            raise SchemaError(
                f"Column {name!r} is confidential: with it as a stratum, all "
                "records of a cell would share its value, and everybody's would be "
                "known.",
                column=name,
                hint="Choose other strata.",
            )
    return names


@dataclass(frozen=True)
class RecordOptions:
    """Which records there are, whose they are, and what is done with gaps.

    Parameters
    ----------
    missing : {"error", "drop", "category", "impute", "ignore"}, default="error"
        What to do with records that miss a quasi-identifier: refuse them; leave them
        out; take missing for a value of its own, which is released where most of a
        cell misses it; fill it by `imputer`; or form cells on the values that are
        there (a missing one stands in the middle of its column) and publish the mean
        of those, so that the release shows nowhere that a value was missing.
    imputer : {"simple", "knn", "iterative"}, default="simple"
        How missing values are filled: by the median of their column, by the five
        nearest records, or by a regression on the other columns; categories by the
        most frequent.
    missing_marks : sequence or mapping, optional
        What stands for a missing value: marks of all quasi-identifiers, which replace
        the usual ones, or those of each column (``{"age": [999]}``), which add to them;
        "*" stands for all columns. A mark that is a number stands for that number in a
        column of numbers too. By default none, and the usual texts (NA, null, ...) in a
        table that is all text, as a CSV file is.
    rare : {"keep", "merge"}, default="keep"
        Whether categories of nominal quasi-identifiers with few records become "other"
        before anything else; if these are still few, the next rarest join them.
    rare_below : int, optional
        Categories with fewer records than this are rare; by default k.
    unit : str, optional
        Whom k counts: an identifier whose records belong to one person, or "records" if
        every record is a person. It must be said where two records share a value of an
        identifier.
    unit_records : {"together", "apart"}, default="together"
        Whether all records of a person get one cell, so that the release may link them,
        or may be in different ones, each with k people, which loses far less. Nobody
        counts more than once in a mean, a median or a mode of a cell then.
    allow_unique : sequence of str, optional
        Columns that are released as they are though they seem to name people, or though
        nobody named them and most people are alone with their value. The release says
        so before anything else.
    weights : str, optional
        A column that holds how many people each record stands for: means, medians and
        modes are weighted by it, and the population (journalist) risk is measured.
    strata : sequence of str, optional
        Columns whose values no cell may mix; neither identifiers nor confidential.
    small_strata : {"error", "merge"}, default="error"
        What to do with strata of fewer than k people.
    shard : int, optional
        Records of a shard, where the table is cut into shards that are masked each by
        itself, on all processors or engines alike. By default a table that fits into
        memory is not cut, and one that does not into shards of up to 2,500,000.
    """

    _: KW_ONLY
    missing: str = record_option(
        "error",
        "Records with a missing quasi-identifier.",
        choices=("error", "drop", "category", "impute", "ignore"),
        with_dp=ANY,
        group="missing",
    )
    imputer: str = record_option(
        "simple",
        "How missing values are filled.",
        choices=("simple", "knn", "iterative"),
        on_parts=Whole("learns from all records at once", "Choose the simple one."),
        needs=("missing", "impute"),
        group="missing",
    )
    missing_marks: Sequence[str] | Mapping[str, Sequence[str]] | None = record_option(
        None,
        "Text or number that stands for a missing value instead of NA, N/A, NaN, "
        "nan, null and NULL, or NAME=MARK in one column besides; an empty field always "
        "does (repeat the option).",
        check=lambda recipe, marks: given_marks(marks, recipe.schema.quasi_identifiers),
        form="marks",
        flags=("--missing-mark",),
        metavar="[NAME=]MARK",
        with_dp=ANY,
        group="missing",
    )
    rare: str = record_option(
        "keep",
        "Categories of few records; merge makes them `other`.",
        choices=("keep", "merge"),
        group="rare",
    )
    rare_below: int | None = record_option(
        None,
        "Categories with fewer records are rare; by default k.",
        form="count",
        least=2,
        needs=("rare", "merge"),
        group="rare",
    )
    unit: str | None = record_option(
        None,
        "Whom k counts: an identifier that repeats, or `records` if every record "
        "is a person.",
        check=_unit,
        metavar="NAME|records",
        usual=True,
        with_dp=(RECORDS,),
    )
    unit_records: str = record_option(
        TOGETHER,
        "Whether the records of a person share a cell, or each cell has k people, "
        "whose records may be in several.",
        choices=(TOGETHER, APART),
        check=_unit_records,
        needs=("unit", None),
        on_parts=Whole(
            "gives records of one person to several classes, which cannot be counted "
            "in parts",
            "Leave it out, so that they share a cell.",
        ),
    )
    allow_unique: Sequence[str] = record_option(
        (),
        "Columns that may be released as they are though they seem to name people "
        f"({NAMES_HELP}).",
        section="roles",
        check=_allowed,
        form="names",
        group="",
    )
    weights: str | None = record_option(
        None,
        "The column that holds how many people a record stands for.",
        check=_weights,
        metavar="NAME",
    )
    strata: Sequence[str] = record_option(
        (),
        f"Columns whose values no cell may mix ({NAMES_HELP}).",
        check=_strata,
        form="names",
    )
    small_strata: str = record_option(
        "error",
        "Strata of fewer than k.",
        choices=("error", "merge"),
        needs=("strata", None),
    )
    shard: int | None = record_option(
        None,
        "Records of a shard, where the table is cut into shards that are masked "
        "each by itself; by default a table that fits into memory is not cut.",
        form="count",
        metavar="RECORDS",
        with_dp=ANY,
        least=1,
        group="file",
    )
