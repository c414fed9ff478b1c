"""How many people share what an intruder knows, in a release that is seen in parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from microcell.metrics import (
    SUBSETS_SEED,
    SizeRisk,
    SubsetRisk,
    affordable_subsets,
    size_risk,
    subsets_by_size,
)
from microcell.pipeline._sample import COUNT, Sample

MAX_CLASSES_KEPT = 10_000  # of each set of known columns: 1 % of error where it is more


@dataclass(frozen=True)
class KnownColumns:
    """Classes of sets of known columns, some of each set; those of parts add up.

    Attributes
    ----------
    by_size : list of (dict of tuple of str to Sample, bool)
        For 1, 2, ... known columns the classes of each set, with the people of each,
        and whether these are all sets of so many columns.
    n_people : int
        People who were counted, once in each of their classes.
    """

    by_size: list[tuple[dict[tuple[str, ...], Sample], bool]]
    n_people: int

    @classmethod
    def of(
        cls, groups: pl.DataFrame, known: Sequence[str], n_records: int
    ) -> KnownColumns:
        """Count a part of a release.

        Parameters
        ----------
        groups : polars.DataFrame
            Distinct records with their number.
        known : sequence of str
            Columns that an intruder may know.
        n_records : int
            Records of the whole release, which says how many sets can be looked at.
        """
        size, n_draws = affordable_subsets(len(known), n_records)
        chosen = subsets_by_size(len(known), size, n_draws, SUBSETS_SEED)
        counts = groups[COUNT]
        by_size = []
        for subsets, is_all in chosen:
            named = [tuple(known[j] for j in subset) for subset in subsets]
            samples = {
                names: Sample.of(
                    groups.select(names), MAX_CLASSES_KEPT, counts
                ).without_values()
                for names in named
            }
            by_size.append((samples, is_all))
        return cls(by_size, int(counts.sum()))

    def __add__(self, other: KnownColumns) -> KnownColumns:
        both = zip(self.by_size, other.by_size, strict=True)
        by_size = [
            ({names: own[names] + more[names] for names in own}, is_all)
            for (own, is_all), (more, _) in both
        ]
        return KnownColumns(by_size, self.n_people + other.n_people)

    def risks(self) -> list[SizeRisk]:
        """Risk by the number of known columns, as `subset_linkage_risk` has it."""
        return [
            size_risk(
                [self._risk(names, sample) for names, sample in samples.items()],
                exact=is_all,
            )
            for samples, is_all in self.by_size
        ]

    def _risk(self, names: tuple[str, ...], sample: Sample) -> SubsetRisk:
        people = sample.rows[COUNT].to_numpy()
        average = sample.n_distinct / self.n_people
        alone = float(np.mean(people == 1)) * average
        return SubsetRisk(names, alone, average, float(1 / people.min()))
