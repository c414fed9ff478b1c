"""Arrivals: what is counted of each leaf of the tree that cuts a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from microcell.embed import Moments
from microcell.pipeline._adds_up import added
from microcell.pipeline._sample import COUNT, PERSON

LEAF, OWN = "\0leaf", "\0own"  # no column of a file has such a name


@dataclass(frozen=True)
class Arrivals:
    """Records and people of each leaf, and promised values in it; arrivals add up.

    Attributes
    ----------
    counts, people : ndarray of shape (n_leaves,)
        Records of each leaf, and people whose they are.
    own : ndarray of shape (n_leaves,)
        People who are counted in this leaf alone, though they may be in several.
    values : list of polars.DataFrame
        For each promise about values: leaf, code, how many people have it there, and
        those who are counted there alone.
    centres : dict of int to list of Moments
        Where small strata are to be merged, the moments of each on the scale of
        distances.
    """

    counts: np.ndarray
    people: np.ndarray
    own: np.ndarray
    values: list[pl.DataFrame] = field(default_factory=list)
    centres: dict[int, list[Moments]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        leaves: np.ndarray,
        n_leaves: int,
        codes: Sequence[np.ndarray],
        people: np.ndarray | None,
        centres: dict[int, list[Moments]] | None = None,
    ) -> Arrivals:
        """Those of records that are all that their people have."""
        counts = np.bincount(leaves, minlength=n_leaves)
        n_people, own, there = counts, counts, pl.DataFrame({LEAF: leaves})
        if people is not None:
            there = there.with_columns(pl.Series(PERSON, people))
            each = _counted(there, [])
            n_people, own = np.zeros((2, n_leaves), dtype=np.int64)
            place = each[LEAF].to_numpy()
            n_people[place], own[place] = each[COUNT].to_numpy(), each[OWN].to_numpy()
        values = [
            _counted(there.with_columns(pl.Series("code", code)), ["code"])
            for code in codes
        ]
        return cls(counts, n_people, own, values, centres or {})

    def __add__(self, other: Arrivals) -> Arrivals:
        both = zip(self.values, other.values, strict=True)
        return Arrivals(
            self.counts + other.counts,
            self.people + other.people,
            self.own + other.own,
            [
                pl.concat(pair).group_by(LEAF, "code").agg(pl.col(COUNT, OWN).sum())
                for pair in both
            ],
            added(self.centres, other.centres),
        )

    def at(self, leaves: np.ndarray) -> Arrivals:
        """Those of some leaves of strata, a row each, added up leaf by leaf."""
        n_leaves = leaves.shape[1]
        values = [
            joined_values(
                frame.filter(pl.col(LEAF).is_in(leaves.ravel().tolist())).with_columns(
                    pl.col(LEAF) % n_leaves
                ),
                [LEAF, "code"],
            )
            for frame in self.values
        ]
        own = self.own[leaves].sum(axis=0)
        people = np.maximum(self.people[leaves].max(axis=0), own)
        return Arrivals(self.counts[leaves].sum(axis=0), people, own, values)

    def least_people(self, leaves: list[int]) -> int:
        """People of some leaves together, or fewer where some are in several of them.

        It is no less for more leaves, and all of them for all leaves.
        """
        return int(max(self.people[leaves].max(), self.own[leaves].sum()))


def _counted(there: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """People of each leaf, with each value, and those who are counted there alone.

    Which leaf that is, depends on the person's number and on all leaves of theirs.
    """
    if PERSON in there.columns:
        of_person = [PERSON, *names]
        there = there.unique().sort(*of_person, LEAF)
        turn = pl.col(PERSON).reinterpret(signed=False) % pl.len().over(of_person)
        place = pl.int_range(pl.len()).over(of_person)
        there = there.with_columns((place == turn.cast(pl.Int64)).alias(OWN))
    else:
        there = there.with_columns(pl.lit(True).alias(OWN))
    counted = there.group_by(LEAF, *names).agg(pl.len().alias(COUNT), pl.col(OWN).sum())
    return counted.cast({COUNT: pl.Int64, OWN: pl.Int64})


def joined_values(values: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """People with each value in leaves together, or fewer, as `least_people` has it."""
    own = pl.col(OWN).sum()
    return values.group_by(names).agg(pl.max_horizontal(pl.col(COUNT).max(), own), own)
