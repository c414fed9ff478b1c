"""Schema: which column of a table plays which role, and of what kind it is."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from microcell.columns import ENCODERS
from microcell.exceptions import Option, SchemaError, absent_column, nearest_name
from microcell.recipe._mistyped import refuse_mistyped
from microcell.recipe._options import NAMES_HELP, option

ROLES = ("identifiers", "quasi_identifiers", "confidential")
UNASSIGNED = ("error", "drop", "keep")


@dataclass(frozen=True)
class Schema:
    """The roles of a table's columns.

    A column with no role is an error, because what has no role must not be
    released by accident; `others` settles it.

    Parameters
    ----------
    quasi_identifiers : sequence of str
        Columns that are masked: an intruder may know them from elsewhere.
    identifiers : sequence of str
        Columns that are never released (names, numbers of records).
    confidential : sequence of str
        Columns that are released as they are, and protected by the masking.
    others : "error", "drop", "keep" or sequence of str, default="error"
        What to do with columns that have no role: refuse, leave out, or release
        as they are. A sequence names the columns to release as they are; any column
        not named anywhere is then still an error, unless "drop" is in the sequence
        too: ``others=["city", "drop"]`` releases the city and leaves the rest out.
    kinds : mapping of str to str or sequence, optional
        How to treat a quasi-identifier (or a confidential column) where its data type
        does not say it:
        "numeric", "ordinal", "nominal" or "date"; "prefix" for codes whose first
        characters are groups, as postcodes have them; a sequence of values declares an
        ordinal column with that order, lowest first. By default numbers are numeric,
        but integers that take only two values are nominal codes; dates are dates;
        ordered categories are ordinal; text, booleans and other categories nominal.
    hierarchies : mapping of str to path or mapping, optional
        Groups of the values of a quasi-identifier, which is then of kind "hierarchy":
        a text file without a header whose lines hold a value and its groups, the
        nearest first (``E11;E1;E;*``, as ARX writes them), or a mapping of values to
        lists of groups.

    Examples
    --------
    >>> Schema(["age", "sex"], identifiers="name", confidential=["diagnosis"])
    Schema(quasi_identifiers=('age', 'sex'), identifiers=('name',),
           confidential=('diagnosis',), others='error', kinds={}, hierarchies={})
    """

    quasi_identifiers: Sequence[str] = option(
        section="roles",
        help=f"Columns an intruder may know; they are masked ({NAMES_HELP}).",
        form="names",
        flags=("--quasi-identifiers", "-q"),
        usual=True,
    )
    identifiers: Sequence[str] = option(
        (),
        section="roles",
        help=f"Columns that are never released ({NAMES_HELP}).",
        form="names",
        flags=("--identifiers", "-i"),
        usual=True,
    )
    confidential: Sequence[str] = option(
        (),
        section="roles",
        help=f"Columns that are released as they are, and protected ({NAMES_HELP}).",
        form="names",
        flags=("--confidential", "-c"),
        usual=True,
    )
    others: str | Sequence[str] = option(
        "error",
        section="roles",
        help="Columns without a role: drop all, keep all, or the names to keep; "
        "NAMES,drop keeps those and drops the rest.",
        form="others",
        metavar="drop|keep|NAMES",
        usual=True,
    )
    kinds: Mapping[str, Any] = option(
        {},
        section="kinds",
        help="Treat a column as numeric, nominal, ordinal, date or prefix; or give its "
        "order, grade=low<mid<high.",
        form="pairs",
        flags=("--kind",),
        metavar="NAME=KIND",
        by_column=True,
    )
    hierarchies: Mapping[str, Any] = option(
        {},
        section="hierarchies",
        help="A file with the groups of a column's values, a line for each: "
        "value;group;larger group;*.",
        form="pairs",
        flags=("--hierarchy",),
        metavar="NAME=FILE",
        by_column=True,
    )

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Refuse mistyped names before anything is made of them."""
        refuse_mistyped(cls, given)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for role in ROLES:
            object.__setattr__(self, role, column_names(getattr(self, role), role))
        if not (isinstance(self.others, str) and self.others in UNASSIGNED):
            object.__setattr__(self, "others", column_names(self.others, "others"))
        if not isinstance(self.kinds, Mapping):
            raise SchemaError(
                f"'kinds' must map columns to kinds. Got {self.kinds!r} instead."
            )
        object.__setattr__(self, "kinds", dict(self.kinds))
        self._check_hierarchies()
        self._check_quasi_identifiers()
        self._check_one_role_each()
        self._check_kinds()

    def _check_quasi_identifiers(self) -> None:
        if not self.quasi_identifiers:
            raise SchemaError(
                "There is no quasi-identifier: nothing would be masked.",
                option="quasi_identifiers",
                hint=[
                    "Name the columns that an intruder could know in ",
                    Option("quasi_identifiers"),
                    ".",
                ],
            )

    def _check_one_role_each(self) -> None:
        role_of: dict[str, str] = {}
        for role, names in self._named_roles():
            for name in names:
                if role_of.get(name) == role:
                    raise SchemaError(
                        f"Column {name!r} is named twice in {role!r}.", column=name
                    )
                if name in role_of:
                    raise SchemaError(
                        f"Column {name!r} is in two roles, {role_of[name]!r} and "
                        f"{role!r}.",
                        column=name,
                        hint="Give it one.",
                    )
                role_of[name] = role

    def _check_hierarchies(self) -> None:
        """A column with a hierarchy is of that kind, and the other way round."""
        if not isinstance(self.hierarchies, Mapping):
            raise SchemaError(
                "'hierarchies' must map columns to files or to mappings of values to "
                f"groups. Got {type(self.hierarchies).__name__} instead."
            )
        given: dict[str, Any] = {}
        kinds = dict(self.kinds)
        for name, source in self.hierarchies.items():
            if name not in self.quasi_identifiers:
                raise SchemaError(
                    f"'hierarchies' names {name!r}, which is not a quasi-identifier "
                    f"{list(self.quasi_identifiers)}.",
                    column=name,
                    option="hierarchies",
                    hint=nearest_name(name, self.quasi_identifiers),
                )
            if not isinstance(source, (str, os.PathLike, Mapping)):
                raise SchemaError(
                    f"The hierarchy of column {name!r} must be a file or a mapping of "
                    f"values to groups. Got {type(source).__name__} instead.",
                    column=name,
                    option="hierarchies",
                )
            if kinds.setdefault(name, "hierarchy") != "hierarchy":
                raise SchemaError(
                    f"Column {name!r} has a hierarchy, and its kind is "
                    f"{kinds[name]!r}.",
                    column=name,
                    option="kinds",
                    hint="Leave one of them out.",
                )
            if isinstance(source, Mapping):
                given[name] = dict(source)
            else:
                given[name] = os.fspath(source)
        object.__setattr__(self, "hierarchies", given)
        object.__setattr__(self, "kinds", kinds)

    def _check_kinds(self) -> None:
        for name, kind in self.kinds.items():
            if name not in (*self.quasi_identifiers, *self.confidential):
                raise SchemaError(
                    f"'kinds' names {name!r}, which is not a quasi-identifier "
                    f"{list(self.quasi_identifiers)} and not confidential.",
                    column=name,
                    option="kinds",
                    hint=nearest_name(
                        name, (*self.quasi_identifiers, *self.confidential)
                    ),
                )
            if isinstance(kind, str):
                if kind not in ENCODERS:
                    raise SchemaError(
                        f"The kind of column {name!r} must be one of {list(ENCODERS)} "
                        f"or a list of values in order. Got {kind!r} instead.",
                        column=name,
                        option="kinds",
                        hint=nearest_name(kind, tuple(ENCODERS)),
                    )
                self._check_tree(name, kind)
            elif not is_order(kind):
                raise SchemaError(
                    f"The order of column {name!r} must list each value once. "
                    f"Got {kind!r} instead."
                )

    def _check_tree(self, name: str, kind: str) -> None:
        if name in self.confidential and ENCODERS[kind].tree:
            raise SchemaError(
                f"Column {name!r} is confidential: the kind {kind!r} says how a "
                "quasi-identifier is masked.",
                column=name,
                option="kinds",
                hint="Leave it out.",
            )
        if kind == "hierarchy" and name not in self.hierarchies:
            raise SchemaError(
                f"Column {name!r} is of kind 'hierarchy', but there is none of it.",
                column=name,
                option="hierarchies",
                hint=["Give the file with its groups in ", Option("hierarchies"), "."],
            )

    def _named_roles(self) -> list[tuple[str, Sequence[str]]]:
        roles = [(role, getattr(self, role)) for role in ROLES]
        roles.append(("others", self.kept_by_name))
        return roles

    @cached_property
    def _roles(self) -> dict[str, str]:
        """The role of each column that is named."""
        return {name: role for role, names in self._named_roles() for name in names}

    @property
    def kept_by_name(self) -> tuple[str, ...]:
        """Others that are released because they are named."""
        if isinstance(self.others, str):
            return ()
        return tuple(name for name in self.others if name != "drop")

    @property
    def drops_others(self) -> bool:
        """Whether columns without a role are left out."""
        return self.others == "drop" or (
            not isinstance(self.others, str) and "drop" in self.others
        )

    def unnamed(self, columns: Sequence[str]) -> list[str]:
        """Columns of a table that have no role."""
        return [name for name in columns if name not in self._roles]

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
        for name, role in self._roles.items():
            if name not in known:
                raise absent_column(name, role, columns)
        unassigned = self.unnamed(columns)
        if unassigned and not (self.drops_others or self.others == "keep"):
            raise SchemaError(
                f"{len(unassigned)} column(s) have no role: {unassigned}.",
                column=unassigned[0],
                option="others",
                hint=[
                    "Name them as identifiers, quasi-identifiers or confidential, or "
                    "settle all of them with ",
                    Option("others", "drop"),
                    " (leave out) or ",
                    Option("others", "keep"),
                    " (release as they are); ",
                    Option("others", ["NAME", "drop"]),
                    " releases some and leaves the rest out.",
                ],
            )
        kept = set(known) - set(self.identifiers)
        if self.drops_others:
            kept -= set(unassigned)
        return [name for name in columns if name in kept]

    def left_out(self, columns: Sequence[str]) -> list[str]:
        """Columns of a table that are not released."""
        released = set(self.released(columns))
        return [name for name in columns if name not in released]


def is_order(kind: Any) -> bool:
    """Whether a kind lists values, each once."""
    try:
        return isinstance(kind, Sequence) and 0 < len(set(kind)) == len(kind)
    except TypeError:  # lists in the list
        return False


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
