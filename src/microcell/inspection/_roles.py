"""The role that a column is proposed to have, with reasons and how sure they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from microcell.columns import ENCODERS
from microcell.inspection._kinds import KindProposal
from microcell.recognition import (
    BODY_WORDS,
    IDENTIFIER,
    KNOWN,
    MAX_DISTINCT_NUMBERING_NOBODY,
    MAX_USUAL_CATEGORIES,
    MIN_SHARE_ALONE,
    NAMED,
    TOLD,
    WEIGHT,
    WEIGHTS,
    is_near_unique,
    number_people,
    says,
    sense_of,
    shape_of,
)

IDENTIFIERS, QUASI, CONFIDENTIAL, LEFT_OUT, WEIGHING = (
    "identifier",
    "quasi-identifier",
    "confidential",
    "left out",
    "weights",
)
SURE, LIKELY, POSSIBLE = "sure", "likely", "possible"
NUMBERING = 0.05  # distinct values for each record, if it does
FREE_TEXT = 40  # letters on average from which text is written, not chosen
BODIES = (2, 250)  # what people weigh, also newborn, in kilograms or pounds
ADDS = 0.01  # mean increase of uniqueness from which a column singles out


@dataclass(frozen=True)
class RoleProposal:
    """A role, why, and how sure that is."""

    role: str
    confidence: str
    reasons: tuple[str, ...]


def role_by_itself(
    column: Any, kind: KindProposal, of_body: bool
) -> RoleProposal | None:
    """The role of a column by its name and its values; None if they do not say it.

    Parameters
    ----------
    column : Column
    kind : KindProposal
    of_body : bool
        Whether the table has measures of bodies; see `has_bodies`.
    """
    if column.codes.size == 0:
        return RoleProposal(LEFT_OUT, SURE, ("its data type cannot be masked",))
    if column.n_known == 0:
        return RoleProposal(LEFT_OUT, SURE, ("no record has a value",))
    if column.n_distinct == 1 and column.n_missing == 0:
        return RoleProposal(LEFT_OUT, SURE, ("constant: it tells nothing of anybody",))
    sense = sense_of(column.called)
    found = (
        _by_shape(column, sense)
        or _by_weight(column, sense, of_body)
        or _by_number(column, sense)
        or _by_text(column, kind)
    )
    if found is not None:
        return found
    if sense == TOLD and (column.text or column.kind is not None):
        why = ["its name is one of what people keep to themselves"]
        if is_near_unique(column.counts):
            why.append(
                f"released as it is, though {100 * column.alone:.0f} % of the records "
                "are alone with their value: who knows it finds its record"
            )
        return RoleProposal(CONFIDENTIAL, LIKELY, tuple(why))
    if kind.kind is None:
        return RoleProposal(LEFT_OUT, LIKELY, (kind.reason,))
    if sense in (KNOWN, WEIGHT):
        return RoleProposal(QUASI, LIKELY, ("its name is one of what others may know",))
    if column.encoder.moments:
        return RoleProposal(QUASI, LIKELY, ("dates are often known to others",))
    return None


def _by_shape(column: Any, sense: str | None) -> RoleProposal | None:
    if column.values.dtype != pl.String:
        return None
    shape = shape_of(column.values)
    if shape is None:
        return None
    sure = is_near_unique(column.counts) or sense in (IDENTIFIER, NAMED)
    return RoleProposal(IDENTIFIERS, SURE if sure else LIKELY, (f"holds {shape}",))


def has_bodies(names: Iterable[str]) -> bool:
    """Whether columns are called as measures of a body, so that a weight is one."""
    return any(says(name, BODY_WORDS) for name in names)


def _by_weight(column: Any, sense: str | None, of_body: bool) -> RoleProposal | None:
    if sense == WEIGHTS and column.values.dtype.is_numeric():
        positive = bool((column.values.cast(pl.Float64) > 0).all())
        if positive and column.n_missing == 0:
            why = "its name is one of sampling weights"
            return RoleProposal(WEIGHING, LIKELY, (why,))
    if sense == WEIGHT and column.encoder.numbers and _is_no_body(column):
        why = "its name is one of weights, and its numbers are not those of bodies"
        return RoleProposal(WEIGHING, POSSIBLE, (why,))
    if sense == WEIGHT and not of_body and column.encoder.numbers:
        why = "may be sampling weights (name it in weights) or a body's weight"
        return RoleProposal(LEFT_OUT, POSSIBLE, (why,))
    return None


def _is_no_body(column: Any) -> bool:
    """Whether numbers called weights are those of samples: most weigh no body."""
    if column.n_missing:
        return False
    numbers = column.values.cast(pl.Float64).to_numpy()
    usual = float(np.median(np.repeat(numbers, column.counts)))
    light, heavy = BODIES
    return bool((numbers > 0).all() and not light <= usual <= heavy)


def _by_number(column: Any, sense: str | None) -> RoleProposal | None:
    """Columns that number or name people."""
    singles = f"{100 * column.alone:.0f} % of the records are alone with their value"
    if sense in (IDENTIFIER, NAMED):
        few = (
            column.n_distinct <= MAX_DISTINCT_NUMBERING_NOBODY
            and column.n_distinct < NUMBERING * column.n_known
        )
        if few and sense == IDENTIFIER:
            return None
        why = "its name is one of what names or numbers people"
        if is_near_unique(column.counts):
            return RoleProposal(IDENTIFIERS, SURE, (why, singles))
        return RoleProposal(IDENTIFIERS, POSSIBLE if few else LIKELY, (why,))
    if sense is None and column.whole and number_people(column.values, column.counts):
        why = "whole numbers that hardly two records share, as numbers of people are"
        return RoleProposal(IDENTIFIERS, LIKELY, (why,))
    return None


def _by_text(column: Any, kind: KindProposal) -> RoleProposal | None:
    """Text that nearly everybody has for himself."""
    nominal = ENCODERS.of(kind.kind).nominal
    mixed = column.reading is not None and column.reading.mixed
    as_categories = nominal or (kind.kind is None and not mixed)
    alone = f"{100 * column.alone:.0f} % of the records are alone with their text"
    if (
        column.values.dtype == pl.String
        and as_categories
        and is_near_unique(column.counts)
    ):
        lengths = column.values.str.len_chars().mean()
        free = float(lengths or 0) >= FREE_TEXT
        why = ("free text may name people",) if free else ()
        return RoleProposal(IDENTIFIERS, LIKELY, (alone, *why))
    own = nominal and column.n_distinct > MAX_USUAL_CATEGORIES
    if own and column.alone >= MIN_SHARE_ALONE:
        return RoleProposal(IDENTIFIERS, LIKELY, (alone,))
    return None


def role_by_figures(added: float | None, unique: float) -> RoleProposal:
    """The role of a column by what it singles out alone and with others.

    Parameters
    ----------
    added : float or None
        Mean increase of uniqueness by the column; None if it was looked at alone only.
    unique : float
        Share of the records that are alone with their value.

    Examples
    --------
    >>> role_by_figures(0.2, 0.0).role, role_by_figures(0.0, 0.0).role
    ('quasi-identifier', 'left out')
    """
    if max(added or 0.0, unique) >= ADDS:
        why = "its name says nothing, but it helps to single people out"
        return RoleProposal(QUASI, POSSIBLE, (why,))
    return RoleProposal(
        LEFT_OUT,
        POSSIBLE,
        (
            "neither its name nor its values say what it is; what has no role is not "
            "released",
        ),
    )
