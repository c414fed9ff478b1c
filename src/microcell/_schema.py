"""Schema: which column of a table plays which role, and of what kind it is."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from microcell.base import SchemaError

KINDS = ("numeric", "ordinal", "nominal", "date")
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
        as they are. A sequence names the columns to release as they are; any
        column not named anywhere is then still an error.
    kinds : mapping of str to str or sequence, optional
        How to treat a quasi-identifier where its data type does not say it:
        "numeric", "ordinal", "nominal" or "date"; a sequence of values declares an
        ordinal column with that order, lowest first. By default numbers are numeric,
        but integers that take only two values are nominal codes; dates are dates;
        ordered categories are ordinal; text, booleans and other categories nominal.

    Examples
    --------
    >>> Schema(["age", "sex"], identifiers="name", confidential=["diagnosis"])
    Schema(quasi_identifiers=('age', 'sex'), identifiers=('name',),
           confidential=('diagnosis',), others='error', kinds={})
    """

    quasi_identifiers: Sequence[str]
    identifiers: Sequence[str] = ()
    confidential: Sequence[str] = ()
    others: str | Sequence[str] = "error"
    kinds: Mapping[str, Any] = field(default_factory=dict)

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
        self._check_quasi_identifiers()
        self._check_one_role_each()
        self._check_kinds()

    def _check_quasi_identifiers(self) -> None:
        if not self.quasi_identifiers:
            raise SchemaError(
                "There is no quasi-identifier: nothing would be masked. Name the "
                "columns that an intruder could know in 'quasi_identifiers'."
            )

    def _check_one_role_each(self) -> None:
        role_of: dict[str, str] = {}
        for role, names in self._named_roles():
            for name in names:
                if role_of.get(name) == role:
                    raise SchemaError(f"Column {name!r} is named twice in {role!r}.")
                if name in role_of:
                    raise SchemaError(
                        f"Column {name!r} is in two roles, {role_of[name]!r} and "
                        f"{role!r}. Give it one."
                    )
                role_of[name] = role

    def _check_kinds(self) -> None:
        for name, kind in self.kinds.items():
            if name not in self.quasi_identifiers:
                raise SchemaError(
                    f"'kinds' names {name!r}, which is not a quasi-identifier "
                    f"{list(self.quasi_identifiers)}."
                )
            if isinstance(kind, str):
                if kind not in KINDS:
                    raise SchemaError(
                        f"The kind of column {name!r} must be one of {list(KINDS)} or "
                        f"a list of values in order. Got {kind!r} instead."
                    )
            elif (
                not isinstance(kind, Sequence)
                or not kind
                or len(set(kind)) != len(kind)
            ):
                raise SchemaError(
                    f"The order of column {name!r} must list each value once. "
                    f"Got {kind!r} instead."
                )

    def _named_roles(self) -> list[tuple[str, Sequence[str]]]:
        roles = [(role, getattr(self, role)) for role in ROLES]
        if not isinstance(self.others, str):
            roles.append(("others", self.others))
        return roles

    def released(self, columns: Sequence[str]) -> list[str]:
        """Columns of the release, in the table's order.

        Parameters
        ----------
        columns : sequence of str
            The table's columns. Absent, repeated and unassigned ones are errors.
        """
        repeated = sorted({name for name in columns if columns.count(name) > 1})
        if repeated:
            raise SchemaError(
                f"Column names must be unique; the table repeats {repeated}. "
                "Rename them."
            )
        named = {name: role for role, names in self._named_roles() for name in names}
        for name, role in named.items():
            if name not in columns:
                raise SchemaError(absent_column(name, role, columns))
        unassigned = [name for name in columns if name not in named]
        if unassigned and self.others not in ("drop", "keep"):
            raise SchemaError(
                f"{len(unassigned)} column(s) have no role: {unassigned}. Name them as "
                "identifiers, quasi-identifiers or confidential, or settle all of them "
                "with others='drop' (leave out) or others='keep' (release as they are)."
            )
        kept = set(columns) - set(self.identifiers)
        if self.others == "drop":
            kept -= set(unassigned)
        return [name for name in columns if name in kept]


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


def absent_column(name: str, role: str, columns: Iterable[str]) -> str:
    """What to say of a column that is named but not there."""
    near = difflib.get_close_matches(name, columns, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return (
        f"Column {name!r} ({role}) is not in the table.{hint} "
        f"Its columns are {list(columns)}."
    )
