"""Columns that follow from others: the city from the postcode, a code from its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from microcell._progress import report
from microcell._random import ATTACKS, random_generator
from microcell.recognition import exceptions_to

MAX_COMPARED_COLUMNS = 60  # columns in pairs
PROBED = 5_000  # records that refute most pairs
EXCEPTIONS = 0.05  # share of records up to which a column nearly follows
MORE_PROBED = 0.02  # of that share, in the probe
OF_CHANCE = 0.1  # times the exceptions that there would be by chance
OF_CHANCE_PROBED = 0.5  # the same, in the probe
MIN_EXCEPTIONS_BY_CHANCE = 10  # records; of fewer, nothing is learnt
REPEATED = 0.5  # share of records whose value occurs again, for a column to tell others


@dataclass(frozen=True)
class Dependency:
    """A column that follows from another.

    Attributes
    ----------
    source, follows : str
        From the first the second is known.
    exceptions : float
        Share of the records that have both to change so that it is so for all; 0 is
        exact [1]_.

    References
    ----------
    .. [1] Kivinen and Mannila (1995). Approximate inference of functional dependencies
       from relations. Theoretical Computer Science 149, 129-149 (the measure g3).
    """

    source: str
    follows: str
    exceptions: float

    @property
    def exact(self) -> bool:
        """Whether there is no exception."""
        return self.exceptions == 0


def dependencies(columns: Sequence[Any]) -> list[Dependency]:
    """Exact and near dependencies of pairs of columns.

    A column that is nearly unique tells everything and a constant follows from all:
    these are no dependencies. A near one has exceptions in at most 5 % of the records,
    and at most a tenth of those that it would have if the values of the second column
    were shuffled. Of each column some values are drawn, and their records refute most
    pairs; what is left is counted on all records by sorting: O(n c + p c^2 + q n log n)
    for a probe of p records, c columns and q pairs left.

    Parameters
    ----------
    columns : sequence of Column
        The first sixty are compared.

    Returns
    -------
    found : list of Dependency
    """
    compared = [c for c in columns if c.n_distinct > 1][:MAX_COMPARED_COLUMNS]
    rng = random_generator(0, ATTACKS)
    found = []
    for done, source in enumerate(compared):
        report(done, len(compared), "looking for columns that follow from others")
        if not _repeats(source):
            continue
        rows = _records_of_some_values(source, rng)
        for other in compared:
            if other is source:
                continue
            drawn = source.codes[rows], other.codes[rows]
            if _by_chance(*drawn, rng, MORE_PROBED, OF_CHANCE_PROBED, 0) is None:
                continue
            exceptions = _by_chance(
                source.codes, other.codes, rng, 0.0, OF_CHANCE, MIN_EXCEPTIONS_BY_CHANCE
            )
            if exceptions is not None:
                found.append(Dependency(source.name, other.name, exceptions))
    return found


def _by_chance(
    source: np.ndarray,
    follows: np.ndarray,
    rng: Any,
    slack: float,
    of_chance: float,
    fewest: int,
) -> float | None:
    """Exceptions, if they are few and fewer than by chance; else None."""
    exceptions = exceptions_to(source, follows)
    if exceptions > EXCEPTIONS + slack:
        return None
    there = (source >= 0) & (follows >= 0)
    by_chance = exceptions_to(source[there], rng.permutation(follows[there]))
    if by_chance * there.sum() < fewest:
        return None
    return exceptions if exceptions <= of_chance * by_chance else None


def _records_of_some_values(column: Any, rng: Any) -> np.ndarray:
    """Records of values drawn at random, all of each so that they can disagree."""
    order = rng.permutation(column.n_distinct)
    enough = int(np.searchsorted(np.cumsum(column.counts[order]), PROBED)) + 1
    drawn = np.zeros(column.n_distinct + 1, dtype=bool)  # the last is for the missing
    drawn[order[:enough]] = True
    rows = np.flatnonzero(drawn[column.codes])
    if rows.size > 2 * PROBED:
        rows = rng.choice(rows, 2 * PROBED, replace=False)
    return rows


def _repeats(column: Any) -> bool:
    """Whether most records have a value that others have too."""
    return bool(column.counts[column.counts > 1].sum() >= REPEATED * column.n_records)


def duplicates(columns: Sequence[Any]) -> list[tuple[str, str]]:
    """Pairs of columns that are equal up to renaming of values, each with the earlier.

    Values are numbered as first seen, so such columns have the same numbers. Columns
    that are nearly unique all have; they are only named if their values are the same.
    """
    pairs = []
    seen: dict[Any, list[Any]] = {}  # only what may be alike is compared
    for second in columns:
        before = seen.setdefault(_sign(second), [])
        for first in before:
            if _alike(first, second):
                pairs.append((first.name, second.name))
                break
        before.append(second)
    return pairs


def _sign(column: Any) -> tuple[Any, ...]:
    """What is the same of columns that are alike, and seldom of others."""
    digest = blake2b(column.codes.astype(np.int64).tobytes())
    if not _repeats(column):  # all such have the same numbers
        digest.update(column.values.hash().to_numpy().tobytes())
    return column.n_distinct, digest.digest()


def _alike(first: Any, second: Any) -> bool:
    if not first.n_distinct == second.n_distinct > 1:
        return False
    if not np.array_equal(first.codes, second.codes):
        return False
    same_type = first.values.dtype == second.values.dtype
    return _repeats(first) or bool(
        same_type and first.values.equals(second.values.alias(first.name))
    )
