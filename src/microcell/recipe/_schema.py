"""Schema: which column of a table plays which role, and of what kind it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from microcell.exceptions import SchemaError, absent_column, column_error, sentence
from microcell.recipe._column import check_columns, checked_names, in_columns, merged
from microcell.recipe._options import as_option, option

role_option = partial(option, section="roles", form="names", usual=True)
ROLES = ("identifiers", "quasi_identifiers", "confidential")
UNASSIGNED = ("error", "drop", "keep")


def of_columns(key: str) -> cached_property[dict[str, Any]]:
    """The values of one option of columns, by column."""

    def values(schema: Any) -> dict[str, Any]:
        said = {name: getattr(column, key) for name, column in schema.columns.items()}
        return {name: value for name, value in said.items() if value is not None}

    return cached_property(values)


@checked_names
@dataclass(frozen=True)
class Schema:
    """The roles of a table's columns.

    A column with no role is an error, because what has no role must not be
    released by accident; `others` decides it.

    Parameters
    ----------
    quasi_identifiers : sequence of str
        Columns an intruder may know; they are masked.
    identifiers : sequence of str
        Columns that are never released, such as names and numbers of records.
    confidential : sequence of str
        Columns that are released as they are, and protected by the masking.
    others : "error", "drop", "keep" or sequence of str, default="error"
        Columns without a role: drop all, keep all, or the names to keep; NAMES,drop
        keeps those and drops the rest. By default they are refused, as is any column
        that a list of names leaves without a role and that "drop" is not in:
        ``others=["city", "drop"]`` releases the city as it is.
    columns : mapping of str to Column, optional
        What is said of single columns: kind, hierarchy, limits, ...; see `Column`.

    Examples
    --------
    >>> Schema(["age", "sex"], identifiers="name", confidential=["diagnosis"])
    Schema(quasi_identifiers=('age', 'sex'), identifiers=('name',),
           confidential=('diagnosis',), others='error', columns={})
    >>> from microcell import Column
    >>> Schema(["age"], columns={"age": Column(clip="18:90", digits=0)}).digits
    {'age': 0}
    """

    quasi_identifiers: Sequence[str] = field(
        metadata=as_option(
            section="roles",
            form="names",
            usual=True,
            flags=("--quasi-identifiers", "-q"),
        )
    )
    identifiers: Sequence[str] = role_option((), flags=("--identifiers", "-i"))
    confidential: Sequence[str] = role_option((), flags=("--confidential", "-c"))
    others: str | Sequence[str] = role_option(
        "error", form="others", metavar="drop|keep|NAMES"
    )
    columns: Mapping[str, Any] = option({}, section="", form="columns")
    kinds = of_columns("kind")
    hierarchies = of_columns("hierarchy")
    representatives = of_columns("publish")
    clip = of_columns("clip")
    digits = of_columns("digits")
    importance = of_columns("importance")
    dates = of_columns("dates")
    missing_marks = of_columns("missing_marks")

    def __post_init__(self) -> None:
        for role in ROLES:
            object.__setattr__(self, role, column_names(getattr(self, role), role))
        if not (isinstance(self.others, str) and self.others in UNASSIGNED):
            object.__setattr__(self, "others", column_names(self.others, "others"))
        if not self.quasi_identifiers:
            raise SchemaError(
                "There is no quasi-identifier: nothing would be masked.",
                option="quasi_identifiers",
                hint=sentence(
                    "Name the columns that an intruder could know in "
                    "{quasi_identifiers}."
                ),
            )
        _ = self._role_of
        object.__setattr__(self, "columns", check_columns(self))

    def saying(self, **mappings: Mapping[str, Any]) -> Schema:
        """The schema with more said of its columns, by option.

        Examples
        --------
        >>> Schema(["age"]).saying(kinds={"age": "numeric"}).columns
        {'age': Column(kind='numeric')}
        """
        columns = merged(self.columns, in_columns(mappings))
        return replace(self, columns=columns)

    @cached_property
    def _role_of(self) -> dict[str, str]:
        """The role of each column that is named; two are an error."""
        named = [(name, role) for role in ROLES for name in getattr(self, role)]
        named += [(name, "others") for name in self.kept_by_name]
        role_of: dict[str, str] = {}
        for name, role in named:
            before = role_of.setdefault(name, "")
            if before == role:
                raise column_error(name, f"is named twice in {role!r}.")
            if before:
                words = f"is in two roles, {before!r} and {role!r}."
                raise column_error(name, words, "Give it one.")
            role_of[name] = role
        return role_of

    @property
    def kept_by_name(self) -> tuple[str, ...]:
        """Others that are released because they are named."""
        if isinstance(self.others, str):
            return ()
        return tuple(name for name in self.others if name != "drop")

    @property
    def drops_others(self) -> bool:
        """Whether columns without a role are left out."""
        return "drop" in (
            [self.others] if isinstance(self.others, str) else self.others
        )

    def unnamed(self, columns: Sequence[str]) -> list[str]:
        """Columns of a table that have no role."""
        named = self._role_of
        return [name for name in columns if name not in named]

    def released(self, columns: Sequence[str]) -> list[str]:
        """Columns of the release, in the table's order.

        Parameters
        ----------
        columns : sequence of str
            The table's columns. Absent, repeated and unassigned ones are errors.
        """
        known = Counter(columns)
        repeated = sorted(name for name, times in known.items() if times > 1)
        if repeated:
            raise SchemaError(
                f"Column names must be unique; the table repeats {repeated}. "
                "Rename them."
            )
        for name, role in self._role_of.items():
            if name not in known:
                raise absent_column(name, role, columns)
        unassigned = self.unnamed(columns)
        if unassigned and not (self.drops_others or self.others == "keep"):
            raise SchemaError(
                f"{len(unassigned)} column(s) have no role: {unassigned}.",
                column=unassigned[0],
                option="others",
                hint=sentence(
                    "Name them as identifiers, quasi-identifiers or confidential, or "
                    "decide all of them with {others='drop'} (leave out) or "
                    "{others='keep'} (release as they are); {others=['NAME', 'drop']} "
                    "releases some and leaves the rest out."
                ),
            )
        kept = set(known) - set(self.identifiers)
        if self.drops_others:
            kept -= set(unassigned)
        return [name for name in columns if name in kept]

    def left_out(self, columns: Sequence[str]) -> list[str]:
        """Columns of a table that are not released."""
        released = set(self.released(columns))
        return [name for name in columns if name not in released]


def column_names(value: Any, role: str) -> tuple[str, ...]:
    """Names of columns as a tuple; one name may stand for itself."""
    if not isinstance(value, (str, Sequence)):
        raise SchemaError(
            f"{role!r} must be a column's name or a list of names. Got {value!r} "
            "instead."
        )
    names = (value,) if isinstance(value, str) else tuple(value)
    for name in names:
        if not isinstance(name, str):
            raise SchemaError(
                f"Column names in {role!r} must be text. Got {name!r} instead."
            )
    return names
