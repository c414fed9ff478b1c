"""Whom k counts, and columns that would name people: checks before any work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl

from microcell.columns import Marks, as_marks, check_releasable, is_missing
from microcell.exceptions import InputError, Option, SchemaError, absent_column
from microcell.pipeline._sample import COUNT, PERSON, Sample
from microcell.pipeline._sample import RECORDS as OF_PERSON
from microcell.privacy import class_codes
from microcell.recipe import RECORDS, TOGETHER, Recipe, representatives_of
from microcell.recognition import (
    IDENTIFIER,
    MAX_USUAL_CATEGORIES,
    MIN_PEOPLE,
    MIN_SHARE_ALONE,
    NAMED,
    SHARED_NAME,
    is_near_unique,
    names_people,
    sense_of,
    share_alone,
    shared_by_few,
)

NUMBERED = 0.05  # values for each record from which a column may number people
MAX_READ_VALUES = 20_000  # distinct values of a column that tell what it holds


def units_of(frame: Any, recipe: Recipe) -> np.ndarray | None:
    """Whose record each is, as a number; None if every record is a person."""
    if recipe.unit in (None, RECORDS):
        return None
    return codes_in(frame, str(recipe.unit))


def repeats_people(
    name: str, n_values: str, n_known: int, unique: Sequence[str] = ()
) -> SchemaError:
    """An identifier that several records share a value of.

    Parameters
    ----------
    name : str
    n_values : str
        How many values it has, or about how many.
    n_known : int
        Records that have one.
    unique : sequence of str
        Identifiers that differ in every record: they number people, or records.
    """
    numbers: list[str | Option] = []
    for other in unique:
        numbers += [
            f", if {other!r} numbers people with ",
            Option("unit", other),
        ]
    return SchemaError(
        f"Column {name!r} is an identifier with {n_values} values for {n_known} "
        "records, letter case and blanks aside: k would count records, not people.",
        column=name,
        option="unit",
        hint=[
            "Name it as the unit that k counts with ",
            Option("unit", name),
            *numbers,
            ", or say that every record is a person with ",
            Option("unit", RECORDS),
            ".",
        ],
    )


def written_alike(values: pl.Series) -> pl.Series:
    """Values without what people write in different ways: case, blanks, forms.

    Examples
    --------
    >>> written_alike(pl.Series(["Pat1", "PAT1", "pat1 "])).n_unique()
    1
    """
    if values.dtype in (pl.Categorical, pl.Enum):
        values = values.cast(pl.String)
    if values.dtype != pl.String:
        return values
    plain = values.str.normalize("NFKC").str.replace_all(r"\p{Cf}", "")
    plain = plain.str.replace_all(r"\s+", " ").str.strip_chars()
    return plain.str.to_lowercase()


def said_of_spelling(name: str, n_alike: int) -> list[str]:
    """A notice on units that differ in letter case or in the blanks around them."""
    if not n_alike:
        return []
    return [
        f"{n_alike} values of the unit {name!r} differ from another only in "
        "letter case or in blanks around them, and each is counted as a person: if "
        "they are not, write them alike, or k counts some people twice"
    ]


def n_written_differently(table: Any, name: str) -> int:
    """Values of a column of text that differ from another only in case or blanks."""
    series = nw.from_native(table, eager_only=True, pass_through=True)[name]
    if series.dtype not in (nw.String, nw.Categorical, nw.Enum):
        return 0
    values = series.to_frame().to_polars().to_series().unique()
    return int(written_alike(values).is_duplicated().sum())


def known_values(values: pl.Series, marks: Marks) -> pl.Series:
    """Values of a column that are there; categories as their text."""
    missing = is_missing(nw.from_native(values, series_only=True), marks)
    if missing.any():
        values = values.filter(pl.Series(~missing))
    words = values.dtype in (pl.Categorical, pl.Enum)
    return values.cast(pl.String) if words else values


def may_number_people(name: str, dtype: Any, recipe: Recipe) -> bool:
    """Whether a column without a role is to be asked whether it numbers people.

    By its data type and its name: of an age or a diagnosis nobody needs to ask.
    """
    if name in (recipe.weights, *recipe.strata):
        return False
    counted = dtype == nw.String or dtype.is_integer()
    return counted and sense_of(name) in (None, IDENTIFIER, NAMED)


def unnamed_numbers(frame: Any, recipe: Recipe) -> list[str]:
    """Columns without a role that may number people, where nobody said whom."""
    if recipe.unit is not None:
        return []
    return [
        name
        for name in recipe.schema.unnamed(frame.columns)
        if may_number_people(name, frame[name].dtype, recipe)
    ]


def refuse_few_people(n_people: int, recipe: Recipe) -> None:
    """Refuse a table of fewer than k people."""
    if n_people < recipe.k:
        people = "record(s)"
        if recipe.unit not in (None, RECORDS):
            people = f"value(s) of {recipe.unit!r}"
        raise InputError(
            f"The table has {n_people} {people} to release, fewer than k={recipe.k}.",
            option="k",
            hint="Lower k or add records.",
        )


def said_of_unnamed(
    name: str, n_values: int, n_known: int, recipe: Recipe
) -> list[str]:
    """What is to be said of a column without a role, by its values and records."""
    if not n_known > n_values >= NUMBERED * n_known:
        return []
    what = "released as it is" if recipe.schema.others == "keep" else "left out"
    if sense_of(name) == IDENTIFIER:
        raise SchemaError(
            f"Column {name!r} is {what}, and is called as what numbers people: it has "
            f"{n_values} values for {n_known} records, and k would count records, not "
            "people.",
            column=name,
            option="unit",
            hint=[
                "Name it in ",
                Option("identifiers"),
                " and as the unit that k counts, or say that every record is a person "
                "with ",
                Option("unit", RECORDS),
                ".",
            ],
        )
    return [
        f"column {name!r}, which is {what}, has {n_values} values for {n_known} "
        "records: if it numbers people, make it an identifier and the unit that k "
        "counts"
    ]


def units_in(frame: Any, name: str, marks: Marks) -> np.ndarray:
    """Whose record each is, as a number, by the column that names units."""
    refuse_no_unit(name, int(is_missing(frame[name], marks).sum()))
    return codes_in(frame, name)


def refuse_no_unit(name: str, n_missing: int) -> None:
    """Refuse records that are nobody's."""
    if n_missing:
        raise SchemaError(
            f"Column {name!r} is the unit that k counts, but {n_missing} record(s) "
            "have none.",
            column=name,
            hint="Fill them, or leave those records out.",
        )


def codes_in(frame: Any, name: str) -> np.ndarray:
    """A number for each value of a column of any type, in the order of appearance."""
    series = frame[name]
    try:
        check_releasable(series)
    except SchemaError:  # objects of any kind, told apart by how they show themselves
        shown = [repr(value) for value in series.to_list()]
        places = {value: place for place, value in enumerate(dict.fromkeys(shown))}
        return np.array([places[value] for value in shown])
    return class_codes(series.to_frame().to_native(), [series.name])


def categories_of_people(prepared: Any, recipe: Recipe) -> list[int]:
    """Columns of which a cell releases one of the categories, and so that of a person.

    Of codes with a hierarchy it is what several records have in common, which is
    nobody's own, unless one of the codes is released instead.
    """
    shown = representatives_of(recipe, prepared.kinds)
    coded = [
        j
        for j, encoder in enumerate(prepared.encoders)
        if encoder.levels is not None and shown[encoder.name] != "ancestor"
    ]
    return [*prepared.nominal, *coded]


def refuse_own_categories(
    prepared: Any,
    recipe: Recipe,
    counts: Mapping[int, np.ndarray],
    n_people: int,
) -> None:
    """Refuse categories of which most belong to one person.

    Few may do so by chance, unless the column is called as what names people. One that
    is, or whose many categories read so, is refused as well if hardly anybody shares
    them: a person may have several records.

    Parameters
    ----------
    prepared : Prepared
        The table, or a part of it.
    recipe : Recipe
    counts : mapping of int to ndarray
        People of each category in the whole table, by column.
    n_people : int
        People of the table.
    """
    most, who = shared_by_few(recipe.k), counted_by(recipe)
    for j, people in counts.items():
        name, encoder = prepared.names[j], prepared.encoders[j]
        many = np.sum(people > 0) > MAX_USUAL_CATEGORIES
        called_so = sense_of(name) in (IDENTIFIER, NAMED) and n_people >= MIN_PEOPLE
        alone, few = (people[people <= n].sum() / n_people for n in (1, most))
        share, how = alone, "are alone with their category in it"
        if alone < MIN_SHARE_ALONE <= few and (
            called_so or (many and _named(encoder, people))
        ):
            share, how = few, f"share theirs with fewer than {most} others"
        if (many or called_so) and share >= MIN_SHARE_ALONE:
            raise SchemaError(
                f"Column {name!r} is nominal, and {100 * share:.0f} % of the {who} "
                f"{how}: what a cell releases would be that of one person.",
                column=name,
                hint=[
                    "Make it an identifier, group its categories, or declare it with "
                    "its order in ",
                    Option("kinds"),
                    ", lowest first.",
                ],
            )


def _named(encoder: Any, people: np.ndarray) -> bool:
    """Whether categories read as what names people with a few records each."""
    codes = np.flatnonzero(people)
    some = codes[:: 1 + codes.size // MAX_READ_VALUES]
    texts = pl.Series([encoder.text(code) for code in some])
    return names_people(encoder.name, texts, people[codes], SHARED_NAME + 1) is not None


def counted_by(recipe: Recipe) -> str:
    """What k counts, in a word."""
    return "records" if recipe.unit in (None, RECORDS) else "people"


def check_allowed(recipe: Recipe, columns: Sequence[str]) -> None:
    """Refuse to allow what is not there or not released."""
    released = recipe.schema.released(columns)
    for name in recipe.allow_unique:
        if name not in columns:
            raise absent_column(name, "allow_unique", columns)
        if name not in released:
            raise SchemaError(
                f"'allow_unique' names {name!r}, which is not released.",
                column=name,
                option="allow_unique",
                hint="Leave it out there, or give the column a role that is released.",
            )


def refused_as_they_are(
    frame: Any, k: int, missing_marks: Marks | Sequence[str] = ()
) -> dict[str, SchemaError]:
    """Why columns would be refused as confidential ones, by name.

    To be shown beside a column before anybody asks for a release.
    """
    from microcell.recipe import Recipe, Schema

    marks, refused = as_marks(missing_marks).also(""), {}
    table = frame.to_polars()
    for name in frame.columns:
        others = [other for other in frame.columns if other != name]
        if not others:
            continue
        recipe = Recipe(Schema(others[:1], confidential=[name]), k=k)
        try:
            known = known_values(table[name], marks).to_frame()
            held = Held.of(name, Sample.of(known, len(frame) + 1), len(frame))
            said_of_released(name, held, recipe)
        except SchemaError as error:
            refused[name] = error
    return refused


def allowed_first(
    said: Mapping[str, str], recipe: Recipe, beside: Mapping[str, str]
) -> list[str]:
    """What is to be decided of columns, those that are allowed to be unique first.

    Then what they tell of others: `beside`, by column.
    """
    allowed = [said[n] for n in said if n in recipe.allow_unique and said[n]]
    rest = [said[n] for n in said if n not in recipe.allow_unique and said[n]]
    return [*allowed, *beside.values(), *rest]


class Held(NamedTuple):
    """Who has which value of a column.

    Attributes
    ----------
    values : polars.Series
        Distinct values, or some of them.
    people : ndarray of shape (n_distinct,)
        How many people have each.
    found : float
        Share of all people who are alone with a value of theirs.
    """

    values: pl.Series
    people: np.ndarray
    found: float

    @classmethod
    def of(cls, name: str, sample: Sample, n_people: int) -> Held:
        """Who has which value of a column, of so many people."""
        people = sample.rows[COUNT].to_numpy()
        alone = share_alone(people) * sample.n_records
        if PERSON in sample.rows.columns and sample.complete:  # some have several
            alone = sample.rows.filter(people == 1)[PERSON].n_unique()
        some = sample.frame[name].gather_every(1 + people.size // MAX_READ_VALUES)
        return cls(some, people, min(alone / max(n_people, 1), 1.0))


def said_of_released(name: str, held: Held, recipe: Recipe) -> str:
    """What is to be decided of a column that is released as it is; nothing if empty.

    Parameters
    ----------
    name : str
    held : Held
    recipe : Recipe

    Raises
    ------
    SchemaError
        If it seems to name people and nobody allowed it; or if most people are alone
        with their value and nobody named it.
    """
    people = held.people
    who = counted_by(recipe)
    found = f"{100 * held.found:.0f} % of the {who}"
    if name in recipe.allow_unique:
        return (
            f"{name!r} is released as it is because the recipe allows it "
            f"(allow_unique): who knows it finds {found}"
        )
    why = names_people(name, held.values, people, recipe.k)
    near_unique = is_near_unique(people)
    unnamed = bool(recipe.schema.unnamed([name]))
    if why is None and not (near_unique and unnamed):
        many = people.sum() >= MIN_PEOPLE and held.found >= MIN_SHARE_ALONE
        return f"who knows {name!r} finds {found}" if near_unique or many else ""
    alone = f"{100 * share_alone(people):.0f} % of the {who} are alone with their value"
    reasons = [f"{alone} in it"] if near_unique else []
    reasons += [] if why is None else [f"it {why}"]
    role = "has no role" if unnamed else "would be released as it is"
    raise SchemaError(
        f"Column {name!r} {role}, and {' and '.join(reasons)}: it may name people.",
        column=name,
        option="others" if unnamed else "allow_unique",
        hint=[
            "Make it an identifier, leave it out, or state that it may be released "
            "with ",
            Option("allow_unique", [*recipe.allow_unique, name]),
            ".",
        ],
    )


def refuse_links(name: str, sample: Sample, n_several: int) -> None:
    """Refuse a column by which the records of a person are known to be one person's.

    It would join what was masked apart: k people are in the class of each record, but
    hardly anybody else in all classes of a person.

    Parameters
    ----------
    name : str
    sample : Sample
        Its values, with the people and the records of each.
    n_several : int
        People who have several records.
    """
    joins = (pl.col(COUNT) == 1) & (pl.col(OF_PERSON) > 1)
    n_joined = float(sample.rows.filter(joins)[PERSON].n_unique())
    if not sample.complete:
        n_joined *= sample.n_distinct / sample.rows.height
    if 0 < n_joined >= MIN_SHARE_ALONE * n_several:
        share = min(n_joined / n_several, 1)
        raise SchemaError(
            f"Column {name!r} is released as it is, and says of {100 * share:.0f} % "
            "of the people with several records which of them are theirs: nobody else "
            "has the value that these share. Apart they would be put together again.",
            column=name,
            option="unit_records",
            hint=[
                "Let the records of a person share a cell with ",
                Option("unit_records", TOGETHER),
                ", or leave the column out.",
            ],
        )
