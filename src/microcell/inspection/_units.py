"""Whom k should count: an identifier that repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from microcell.inspection._roles import IDENTIFIERS, LEFT_OUT, RoleProposal
from microcell.pipeline import NUMBERED
from microcell.recipe import RECORDS
from microcell.recognition import IDENTIFIER, NAMED, sense_of


class UnitProposal(NamedTuple):
    """Whom k counts.

    Attributes
    ----------
    unit : str or None
        A column, "records", or None if nothing needs to be said.
    reason : str
    people : ndarray of shape (n_records,) or None
        Whose record each is, if not everybody has one.
    n_people : int
        0 if every record is a person.
    """

    unit: str | None = None
    reason: str = ""
    people: np.ndarray | None = None
    n_people: int = 0


def propose_unit(
    columns: Sequence[Any], roles: dict[str, RoleProposal | None]
) -> UnitProposal:
    """The identifier whose records belong to one person, if one repeats.

    Of several the one with most values. Names repeat because people share them, and
    what has few values numbers nobody, so they are no unit. One that has gaps cannot be
    one and loses its role: then it is left out without being counted.

    Parameters
    ----------
    columns : sequence of Column
    roles : dict
        Proposals by name; changed where an identifier has gaps.
    """
    repeating = [c for c in columns if _is_identifier(c, roles) and _repeats(c)]
    numbering = [c for c in repeating if _numbers_people(c)]
    for column in numbering:
        if _has_gaps(column):
            why = (
                "an identifier that repeats, but some records have none: fill them and "
                "name it as unit, or k counts records"
            )
            roles[column.name] = RoleProposal(LEFT_OUT, "likely", (why,))
    whole = [c for c in numbering if not _has_gaps(c)]
    if whole:
        column = max(whole, key=lambda c: c.n_distinct)
        return UnitProposal(
            column.name,
            f"the identifier {column.name!r} has {column.n_distinct} values for "
            f"{column.n_known} records: it is proposed as the unit, so that k counts "
            "people and not records",
            column.codes,
            column.n_distinct,
        )
    if numbering:
        return UnitProposal(
            RECORDS,
            f"{numbering[0].name!r} repeats, but some records have none: fill them and "
            "name it as unit; until then every record is taken for a person",
        )
    shared = [c.name for c in repeating if c not in numbering]
    if shared:
        return UnitProposal(RECORDS, _reason_for_records(shared, columns, roles))
    for column in columns:
        if (
            roles[column.name] is None
            and _called_so(column)
            and not _numbers_people(column)
        ):
            return UnitProposal(
                RECORDS,
                f"{column.name!r} is called as what numbers people, and hardly tells "
                "anybody from others: every record is taken for a person",
            )
    return UnitProposal()


def _is_identifier(column: Any, roles: Mapping[str, RoleProposal | None]) -> bool:
    role = roles[column.name]
    return role is not None and role.role == IDENTIFIERS


def _has_gaps(column: Any) -> bool:
    """As `anonymize` asks: an empty text is nobody, other marks are values."""
    return column.n_missing > column.n_marked or "" in column.marks


def _numbers_people(column: Any) -> bool:
    many = column.n_distinct >= NUMBERED * column.n_known
    return many and sense_of(column.called) != NAMED


def _called_so(column: Any) -> bool:
    return sense_of(column.called) == IDENTIFIER


def _repeats(column: Any) -> bool:
    """As `anonymize` asks: marks are values to it in a column that is not masked."""
    n_values = column.n_distinct + len(column.marks)
    return bool(column.n_known + column.n_marked > n_values > 0)


def _reason_for_records(
    shared: Sequence[str],
    columns: Sequence[Any],
    roles: Mapping[str, RoleProposal | None],
) -> str:
    repeats = f"people share values of {', '.join(map(repr, shared))}"
    for column in columns:
        each = column.n_distinct == column.n_known == column.n_records
        if _is_identifier(column, roles) and each:
            return (
                f"{repeats}, but {column.name!r} differs in every record: every record "
                "is taken for a person"
            )
    called = [c for c in columns if _called_so(c) and _repeats(c)]
    if called:
        most = max(called, key=lambda c: c.n_distinct)
        return (
            f"{repeats}; {most.name!r} is called as what numbers people and has "
            f"{most.n_distinct} values for {most.n_known} records: name it as the unit "
            "if it does; until then every record is taken for a person"
        )
    return (
        f"{repeats}, and no column numbers people: every record is taken for a person; "
        "if people have several, name a unit"
    )
