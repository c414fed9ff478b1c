"""Arrivals: what is counted of each leaf of the tree that cuts a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from microcell.embed import Moments
from microcell.pipeline._adds_up import added
from microcell.pipeline._sample import COUNT, PERSON
from microcell.privacy import people_of

LEAF = "\0leaf"  # no column of a file has such a name


@dataclass(frozen=True)
class Arrivals:
    """Records and people of each leaf, and promised values in it; arrivals add up.

    Attributes
    ----------
    counts, people : ndarray of shape (n_leaves,)
        Records of each leaf, and people whose they are.
    values : list of polars.DataFrame
        For each promise about values: leaf, code and how many people have it there.
    centres : dict of int to list of Moments
        Where small strata are to be merged, the moments of each on the scale of
        distances.
    """

    counts: np.ndarray
    people: np.ndarray
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
        n_people = counts if people is None else people_of(leaves, people, n_leaves)
        values = []
        for code in codes:
            pairs = pl.DataFrame({LEAF: leaves, "code": code})
            if people is not None:
                pairs = pairs.with_columns(pl.Series(PERSON, people)).unique()
            counted = pairs.group_by(LEAF, "code").agg(pl.len().alias(COUNT))
            values.append(counted.cast({COUNT: pl.Int64}))
        return cls(counts, n_people, values, centres or {})

    def __add__(self, other: Arrivals) -> Arrivals:
        both = zip(self.values, other.values, strict=True)
        return Arrivals(
            self.counts + other.counts,
            self.people + other.people,
            [
                pl.concat(pair).group_by(LEAF, "code").agg(pl.col(COUNT).sum())
                for pair in both
            ],
            added(self.centres, other.centres),
        )

    def at(self, leaves: np.ndarray) -> Arrivals:
        """Those of some leaves of strata, a row each, added up leaf by leaf."""
        n_leaves = leaves.shape[1]
        values = [
            frame.filter(pl.col(LEAF).is_in(leaves.ravel().tolist()))
            .with_columns(pl.col(LEAF) % n_leaves)
            .group_by(LEAF, "code")
            .agg(pl.col(COUNT).sum())
            for frame in self.values
        ]
        return Arrivals(
            self.counts[leaves].sum(axis=0), self.people[leaves].sum(axis=0), values
        )
