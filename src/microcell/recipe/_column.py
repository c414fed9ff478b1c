"""Column: what is said of one column of a table."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from microcell._patterns import EVERY_COLUMN
from microcell._validation import check_count
from microcell.columns import ENCODERS
from microcell.exceptions import (
    Option,
    ParameterError,
    SchemaError,
    Words,
    nearest_name,
)
from microcell.recipe._clip import parse_limits, written_limits
from microcell.recipe._marks import as_texts
from microcell.recipe._options import ANY, option, options_of
from microcell.recipe._representatives import REPRESENTATIVES
from microcell.recipe._written import plain

if TYPE_CHECKING:
    from microcell.recipe._schema import Schema

column_option = partial(option, None, section="columns", form="pairs")
LEAVE_ONE = "Leave one of them out."
MAX_DIGITS = 15  # floats have no more
Owner = TypeVar("Owner", bound=type)


class Said(NamedTuple):
    """What is said of a column, where an option of it is checked."""

    name: str
    column: Column
    schema: Schema

    def error(self, option: str, words: str, hint: Words = "") -> SchemaError:
        """What is wrong with it."""
        return SchemaError(words, column=self.name, option=option, hint=hint)


def checked_names(owner: Owner) -> Owner:
    """Refuse arguments that a dataclass has not, with the nearest that it has.

    One that has `columns` takes mappings as well, from columns to values of one option
    (``clip={"age": "18:90"}``): options of columns were given so before, and a command
    line and the page in the browser still do. Of an option that all columns have too,
    "*" stands for all.
    """
    make: Any = getattr(owner, "__init__")  # noqa: B009 -- of the class itself
    known = list(inspect.signature(make).parameters)[1:]

    @wraps(make)
    def __init__(self: Any, *values: Any, **given: Any) -> None:
        mappings: dict[str, Any] = {}
        for name in COLUMN_OPTIONS if "columns" in known else ():
            said = given.get(name)
            if name not in known and name in given:
                mappings[name] = given.pop(name)
            elif name in known and isinstance(said, Mapping):
                mappings[name] = {n: v for n, v in said.items() if n != EVERY_COLUMN}
                given[name] = said.get(EVERY_COLUMN)
        for name in given:
            if name not in known:
                guess = nearest_name(name, known)
                words = f"{owner.__name__} has no option {name!r}. {guess}"
                raise TypeError(words.rstrip())
        if mappings:
            more = in_columns(mappings)
            given["columns"] = merged(given.get("columns") or {}, more)
        make(self, *values, **given)

    owner.__init__ = __init__  # type: ignore[misc]
    return owner


def _kind(of: Said, kind: Any) -> Any:
    if not isinstance(kind, str):
        if _is_order(kind):
            return kind
        raise of.error(
            "kinds",
            f"The order of column {of.name!r} must list each value once. Got {kind!r} "
            "instead.",
        )
    if kind not in ENCODERS:
        raise of.error(
            "kinds",
            f"The kind of column {of.name!r} must be one of {list(ENCODERS)} or a "
            f"list of values in order. Got {kind!r} instead.",
            nearest_name(kind, tuple(ENCODERS)),
        )
    if of.name in of.schema.confidential and ENCODERS[kind].tree:
        raise of.error(
            "kinds",
            f"Column {of.name!r} is confidential: the kind {kind!r} says how a "
            "quasi-identifier is masked.",
            "Leave it out.",
        )
    if kind == "hierarchy" and of.column.hierarchy is None:
        raise of.error(
            "hierarchies",
            f"Column {of.name!r} is of kind 'hierarchy', but there is none of it.",
            ["Give the file with its groups in ", Option("hierarchies"), "."],
        )
    return kind


def _is_order(kind: Any) -> bool:
    """Whether a kind lists values, each once."""
    try:
        return isinstance(kind, Sequence) and 0 < len(set(kind)) == len(kind)
    except TypeError:  # lists in the list
        return False


def _hierarchy(of: Said, source: Any) -> Any:
    if not isinstance(source, (str, os.PathLike, Mapping)):
        raise of.error(
            "hierarchies",
            f"The hierarchy of column {of.name!r} must be a file or a mapping of "
            f"values to groups. Got {type(source).__name__} instead.",
        )
    if of.column.kind not in (None, "hierarchy"):
        words = f"Column {of.name!r} has a hierarchy, and its kind is "
        raise of.error("kinds", f"{words}{of.column.kind!r}.", LEAVE_ONE)
    return dict(source) if isinstance(source, Mapping) else os.fspath(source)


def _publish(of: Said, name: Any) -> str:
    if name in REPRESENTATIVES:
        return str(name)
    requirement = f"must be one of {list(REPRESENTATIVES)}. Got {name!r} instead."
    raise ParameterError(
        "representatives",
        f"of column {of.name!r} {requirement}",
        hint=nearest_name(name, REPRESENTATIVES),
    )


def _clip(of: Said, limits: Any) -> Any:
    return written_limits(parse_limits(of.name, limits))


def _digits(of: Said, digits: Any) -> int:
    if check_count(digits, -MAX_DIGITS, "digits") > MAX_DIGITS:
        most = f"must be at most {MAX_DIGITS}. Got {digits!r} instead."
        raise ParameterError("digits", f"of column {of.name!r} {most}")
    return int(digits)


def _importance(of: Said, weight: Any) -> Any:
    weight = plain(weight)
    number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
    if number and 0 < weight < float("inf"):
        return weight
    words = f"must be a positive number. Got {weight!r} for column {of.name!r} instead."
    raise ParameterError("importance", words)


def _dates(of: Said, format: Any) -> str:
    from microcell.io import check_format

    if of.column.kind is not None and not ENCODERS.of(of.column.kind).moments:
        words = f"Column {of.name!r} has a format of dates, but is declared "
        raise of.error("dates", f"{words}{of.column.kind!r}.", LEAVE_ONE)
    return check_format(of.name, format)


@checked_names
@dataclass(frozen=True, repr=False)
class Column:
    """What is said of one column: what is not said follows from its values.

    Parameters
    ----------
    kind : str or sequence, optional
        How a column is treated where its data type does not say it, or the order of its
        values (grade=low<mid<high). "prefix" is for codes whose first characters are
        groups, as postcodes have them; a sequence of values declares an ordinal column
        with that order, lowest first. It may be a quasi-identifier or confidential. By
        default numbers are numeric, but integers that take only two values are nominal
        codes; dates are dates; ordered categories are ordinal; text, booleans and other
        categories nominal.
    hierarchy : path or mapping, optional
        A file with the groups of a column's values, a line for each:
        value;group;larger group;*. It has no header, the nearest group comes first, as
        ARX writes them (``E11;E1;E;*``); a mapping of values to lists of groups does as
        well. The column is then of kind "hierarchy".
    publish : str, optional
        What is published of one column (age=interval). There are "mean", "median",
        "medoid", "mode", "interval", "set", "ancestor" and "midpoint"; one that does
        not fit the column's kind is an error. By default it is what `aggregate` of a
        `Recipe` says. Medians, medoids, modes, sets, midpoints and the ends of
        intervals may be values of real people; the release says so where one was
        chosen.
    clip : str or pair, optional
        Limits of a column (age=18:90, income=:99%). In Python, (18, 90) or (None, 90)
        will do as well. Values beyond are set to them before anything else. A
        percentage is a quantile of the records, moved inwards until at least k records
        share the limit.
    digits : int, optional
        Decimals of a released column of numbers (bmi=1). -2 rounds to hundreds. It goes
        before `integers` of a `Recipe`.
    importance : float, optional
        Weight of a column in the distances (age=2), 1 by default. Its part in squared
        distances is multiplied by it; loss and risk are measured without it.
    dates : str, optional
        How a column of text writes its dates (born=%d/%m/%Y), as `strptime` has it.
    missing_marks : str, number or sequence, optional
        What stands for a missing value in one column. They add to those of all columns;
        a mark that is a number stands for that number in a column of numbers too.

    Examples
    --------
    >>> Column(kind="numeric", clip="18:90", digits=0)
    Column(kind='numeric', clip='18:90', digits=0)
    """

    kind: Any = column_option(
        by_column="kinds",
        check=_kind,
        choices=tuple(ENCODERS),
        form="orders",
        metavar="NAME=KIND",
        with_dp=ANY,
    )
    hierarchy: Any = column_option(
        by_column="hierarchies",
        check=_hierarchy,
        form="texts",
        metavar="NAME=FILE",
        with_dp=ANY,
    )
    publish: str | None = column_option(
        by_column="representatives",
        group="column",
        check=_publish,
        choices=tuple(REPRESENTATIVES),
        flags=("--representative",),
        metavar="NAME=WHAT",
    )
    # Bounds are the limits of a differentially private release.
    clip: Any = column_option(
        by_column="clip",
        group="column",
        of_kind="measured",
        check=_clip,
        form="texts",
        metavar="NAME=LOW:HIGH",
    )
    digits: int | None = column_option(
        by_column="digits",
        group="column",
        of_kind="numbers",
        check=_digits,
        metavar="NAME=NUMBER",
    )
    importance: float | None = column_option(
        by_column="importance",
        group="column",
        check=_importance,
        metavar="NAME=NUMBER",
    )
    dates: str | None = column_option(
        by_column="dates",
        group="column",
        of_kind="moments",
        check=_dates,
        form="texts",
        flags=("--date",),
        metavar="NAME=FORMAT",
    )
    missing_marks: Any = column_option(
        by_column="missing_marks",
        check=lambda of, marks: as_texts(marks),
        form="marks",
        with_dp=ANY,
    )

    @property
    def said(self) -> dict[str, Any]:
        """What is said, by key."""
        values = {key: getattr(self, key) for key in KEYS}
        return {key: value for key, value in values.items() if value is not None}

    def __repr__(self) -> str:
        return f"Column({', '.join(f'{n}={v!r}' for n, v in self.said.items())})"


KEYS = options_of(Column)
COLUMN_OPTIONS = {  # by the name of the mapping that gives each for several columns
    spec.by_column: replace(spec, key=key, default={}) for key, spec in KEYS.items()
}


def in_columns(mappings: Mapping[str, Any]) -> dict[str, Column]:
    """Columns from mappings of one option each.

    Examples
    --------
    >>> in_columns({"clip": {"age": "18:90"}, "digits": {"age": 0}})
    {'age': Column(clip='18:90', digits=0)}
    """
    found: dict[str, Column] = {}
    for option_name, mapping in mappings.items():
        spec = COLUMN_OPTIONS[option_name]
        if not isinstance(mapping, Mapping):
            raise SchemaError(
                f"{option_name!r} must map columns to values. Got {mapping!r} instead.",
                option=option_name,
            )
        for name, value in mapping.items():
            if value is None:
                raise ParameterError(
                    option_name, f"of column {name!r} must be said. Got None."
                )
            found[name] = replace(found.get(name, Column()), **{spec.key: value})
    return found


def merged(columns: Any, more: Any) -> dict[str, Column]:
    """What is said of columns in two places, which may not contradict each other."""
    made = as_columns(columns)
    for name, column in as_columns(more).items():
        there = made.get(name, Column())
        for key, value in column.said.items():
            before = getattr(there, key)
            if before is not None and plain(before) != plain(value):
                raise SchemaError(
                    f"{key!r} of column {name!r} is said twice: {before!r} and "
                    f"{value!r}.",
                    column=name,
                    option=KEYS[key].by_column,
                    hint=LEAVE_ONE,
                )
        made[name] = replace(there, **column.said)
    return made


def as_columns(columns: Any) -> dict[str, Column]:
    """Columns by name; each a `Column`, or a table of its keys as a recipe has it."""
    if not isinstance(columns, Mapping):
        raise SchemaError(
            f"'columns' must map names to Column(...). Got {columns!r} instead.",
            option="columns",
        )
    return {name: _as_column(name, said) for name, said in columns.items()}


def _as_column(name: Any, said: Any) -> Column:
    if isinstance(said, Column):
        return said
    if not isinstance(said, Mapping):
        raise SchemaError(
            f"What is said of column {name!r} must be a Column, for example "
            f"Column(kind='nominal'). Got {said!r} instead.",
            column=str(name),
            option="columns",
        )
    for key in said:
        if key not in KEYS:
            raise SchemaError(
                f"Column {name!r} has no key {key!r}.",
                column=str(name),
                option="columns",
                hint=f"{nearest_name(key, KEYS)} Its keys are {list(KEYS)}.".lstrip(),
            )
    return Column(**said)


def check_columns(schema: Schema) -> dict[str, Column]:
    """What a schema says of its columns, each option checked."""
    masked, confidential = schema.quasi_identifiers, schema.confidential
    checked: dict[str, Column] = {}
    for name, column in as_columns(schema.columns).items():
        for key in column.said or {"kind": None}:
            fits = (*masked, *confidential) if key == "kind" else masked
            if name not in fits:
                also = " and not confidential" if key == "kind" else ""
                option_name = KEYS[key].by_column if column.said else "columns"
                raise SchemaError(
                    f"{option_name!r} names {name!r}, which is not a quasi-identifier "
                    f"{list(masked)}{also}.",
                    column=str(name),
                    option=option_name,
                    hint=nearest_name(name, fits),
                )
        of = Said(name, column, schema)
        said = {key: KEYS[key].check(of, given) for key, given in column.said.items()}
        if "hierarchy" in said:
            said["kind"] = "hierarchy"
        if said:
            checked[name] = Column(**said)
    return checked
