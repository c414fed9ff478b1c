"""What follows from the order of a column's values: limits, medians and quartiles.

It does not add up over parts. It is learnt from the distinct records that a sample
holds: exactly, if these are all there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from microcell.columns import Clip, Encoder, learn_limits
from microcell.embed import LearntColumns
from microcell.pipeline._plan import column_options
from microcell.pipeline._sample import COUNT, PERSON, Sample
from microcell.pipeline._sampled import SAMPLED, sampled_array

if TYPE_CHECKING:
    from microcell.pipeline._table_summary import TableSummary
    from microcell.pipeline._task import Task
    from microcell.recipe import Recipe

MAX_VALUES_IN_ORDER = 20_000_000  # beyond, evenly spaced ones are taken


@dataclass(frozen=True)
class SampledRecords:
    """Distinct records of a sample, and how often each occurs.

    Attributes
    ----------
    X : ndarray of shape (n_distinct, n_columns)
        In numbers; NaN is missing.
    counts : ndarray of shape (n_distinct,)
        Records that each stands for.
    people : ndarray of shape (n_distinct,) or None
        Whose they are, where a person may have several.
    complete : bool
        Whether there are no others.
    """

    X: np.ndarray
    counts: np.ndarray
    people: np.ndarray | None
    complete: bool

    @classmethod
    def of(cls, sample: Sample, encoders: Sequence[Any]) -> SampledRecords:
        """The records of a sample, by the encoders of the table."""
        rows = sample.rows
        people = rows[PERSON].to_numpy() if PERSON in rows.columns else None
        X = sampled_array(sample, encoders)
        return cls(X, rows[COUNT].to_numpy(), people, sample.complete)

    @classmethod
    def of_table(cls, X: np.ndarray, people: np.ndarray | None) -> SampledRecords:
        """All records of a table in memory."""
        return cls(X, np.ones(len(X), dtype=np.int64), people, True)

    def settled(
        self, encoders: Sequence[Encoder], fills: Mapping[int, float]
    ) -> SampledRecords:
        """The same inside of the limits of columns, with gaps filled."""
        clipped = zip(encoders, self.X.T, strict=True)
        X = np.column_stack([encoder.clip(column) for encoder, column in clipped])
        return replace(self, X=filled(X, fills))

    def limits(self, j: int, encoder: Encoder, clip: Clip) -> Any:
        """Limits of a column of which some are percentages of the records."""
        rows = self._in_order(j)
        people = None if self.people is None else self.people[rows]
        return learn_limits(encoder, self.X[rows, j], clip._replace(units=people))

    def ordered(self, j: int) -> np.ndarray:
        """Values of a column in ascending order."""
        return self.X[self._in_order(j), j]

    def _in_order(self, j: int) -> np.ndarray:
        known = np.flatnonzero(~np.isnan(self.X[:, j]))
        known = known[np.argsort(self.X[known, j], kind="stable")]
        ends = np.cumsum(self.counts[known])
        n_values = int(ends[-1]) if ends.size else 0
        places = np.arange(min(n_values, MAX_VALUES_IN_ORDER))
        if n_values > places.size:
            places = places * (n_values - 1) // (places.size - 1)
        return known[np.searchsorted(ends, places, side="right")]

    def fills(
        self,
        encoders: Sequence[Encoder],
        learnt: LearntColumns,
        gaps: Sequence[int],
    ) -> dict[int, float]:
        """What missing values become: the median, or the most frequent category.

        Medians are those of the sample, categories are counted in the whole table.
        """
        found = {}
        for j in gaps:
            if j in learnt.frequencies:
                codes, counts = learnt.frequencies[j]
                found[j] = float(codes[np.argmax(counts)])
                continue
            values = self.ordered(j)
            middle = values[[(values.size - 1) // 2, values.size // 2]]
            found[j] = float(middle.mean())
            if not encoders[j].measured:
                known = np.unique(encoders[j].clip(encoders[j].codes))  # type: ignore[attr-defined]
                place = np.searchsorted((known[1:] + known[:-1]) / 2, found[j])
                found[j] = float(known[place])
        return found


def filled(X: np.ndarray, fills: Mapping[int, float]) -> np.ndarray:
    """A table without the gaps of some columns."""
    for j, value in fills.items():
        X = X.copy()
        X[np.isnan(X[:, j]), j] = value
    return X


def shared_limits(recipe: Recipe) -> dict[str, Clip]:
    """Limits of columns of which some are percentages."""
    declared = column_options(recipe).items()
    clips = {name: given.clip for name, given in declared if given.clip is not None}
    return {name: clip for name, clip in clips.items() if clip.by_share}


def learnt_limits(task: Task, summary: TableSummary) -> dict[str, tuple[float, float]]:
    """Those limits as numbers, from the statistics of the whole table."""
    clips = shared_limits(task.recipe)
    if not clips or task.limits:
        return {}
    encoders = task.encoders(summary)
    records = SampledRecords.of(summary.sample, encoders)
    return {
        encoder.name: records.limits(j, encoder, clips[encoder.name])
        for j, encoder in enumerate(encoders)
        if encoder.name in clips
    }


def said_of_sample(
    recipe: Recipe, records: SampledRecords, fills: Mapping[int, float]
) -> list[str]:
    """That figures are those of a sample, where they are."""
    asked = recipe.scale == "robust" or fills or shared_limits(recipe)
    if records.complete or not asked:
        return []
    return [
        "medians, quartiles and percentages of columns of numbers are those of a "
        f"sample of {SAMPLED:,} distinct records"
    ]
