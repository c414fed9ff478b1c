"""Counted: what masking did to the values of some records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from microcell.columns import Encoder, Prepared
from microcell.pipeline._adds_up import AddsUp
from microcell.pipeline._masking import Cells
from microcell.pipeline._missing import Gaps, gaps_of
from microcell.pipeline._people import counted_by
from microcell.pipeline._weights import Dominated, dominated_in
from microcell.recipe import (
    Recipe,
    clip_notice,
    n_changed,
    representative_notices,
)
from microcell.recognition import MIN_PEOPLE

MIN_SHARE_KEPT = 0.5  # share of records that keep their category


class Vague(NamedTuple):
    """Values of a column, and those of which the release says little."""

    n_values: int
    n_vague: int


@dataclass(frozen=True)
class Counted(AddsUp):
    """Counts of cells and their values; those of shards add up.

    Attributes
    ----------
    plans : Counter
        What plans had to say, and how many of them.
    clipped : Counter
        Values of each column that were beyond its limits, in people.
    gaps : dict of str to Gaps
        Missing values of each column, and cells that publish few.
    vague : dict of str to Vague
        Categories that became others, and codes that became the group of all.
    dominated : Dominated
        Cells in which one person has most of the weight.
    """

    plans: Counter[str] = field(default_factory=Counter)
    clipped: Counter[str] = field(default_factory=Counter)
    gaps: dict[str, Gaps] = field(default_factory=dict)
    vague: dict[str, Vague] = field(default_factory=dict)
    dominated: Dominated = Dominated()

    @classmethod
    def of(
        cls,
        prepared: Prepared,
        cells: Cells,
        forms: Sequence[str] | None,
        recipe: Recipe,
        units: np.ndarray | None = None,
        weights: np.ndarray | None = None,
    ) -> Counted:
        """Those of some records, and of the cells that they became.

        Parameters
        ----------
        prepared : Prepared
        cells : Cells
        forms : sequence of str or None
            How each column is shown.
        recipe : Recipe
        units, weights : ndarray of shape (n_records,), optional
            Whose each record is, and for how many people it stands.
        """
        clipped: Counter[str] = Counter()
        gaps: dict[str, Gaps] = {}
        absent = np.isnan(prepared.original)
        by_column = cells.by_column(len(prepared.encoders))
        for j, encoder in enumerate(prepared.encoders):
            if encoder.extras.limits is not None:
                values = prepared.original[:, j]
                clipped[encoder.name] = n_changed(values, encoder.clip(values), units)
            gaps[encoder.name] = gaps_of(absent[:, j], by_column[j], recipe, units)
        return cls(
            Counter(dict.fromkeys(cells.notices, 1)),
            clipped,
            gaps,
            _vague(prepared, cells.X_released, forms),
            dominated_in(cells, prepared.kinds, recipe, weights, units),
        )

    def said_by_plans(self, n_shards: int = 1) -> list[str]:
        """Notices of plans; of some shards only, where it is so."""
        return [
            said if number == n_shards else f"in {number} of {n_shards} shards: {said}"
            for said, number in self.plans.items()
        ]

    def said_of_columns(
        self, encoders: Sequence[Encoder], recipe: Recipe, shown: bool = True
    ) -> list[str]:
        """What was clipped, what is published, what was missing, and what is vague.

        What is `shown` of a column, the plan of somebody else says itself.
        """
        kinds = {encoder.name: encoder.kind for encoder in encoders}
        who = counted_by(recipe)
        return [
            *(
                clip_notice(recipe, encoder, self.clipped[encoder.name], who)
                for encoder in encoders
                if encoder.extras.limits is not None
            ),
            *(representative_notices(recipe, kinds) if shown else ()),
            *(said for n in kinds for said in self.gaps[n].notices(n, recipe)),
            *self._said_of_vague(encoders),
        ]

    def _said_of_vague(self, encoders: Sequence[Any]) -> list[str]:
        """Columns whose released categories or codes say little."""
        notices = []
        for encoder in encoders:
            name, (n_values, n_vague) = encoder.name, self.vague.get(encoder.name, NONE)
            if n_values < MIN_PEOPLE:
                continue
            if encoder.levels is None and 1 - n_vague / n_values < MIN_SHARE_KEPT:
                kept = 100 * (1 - n_vague / n_values)
                notices.append(
                    f"column {name!r} keeps its category in {kept:.0f} % of the "
                    "records: it has many, and the most frequent of a cell says "
                    "little; group them first"
                )
            if encoder.levels is not None and n_vague / n_values > MIN_SHARE_KEPT:
                root = encoder.text(encoder.levels.n_values)
                notices.append(
                    f"column {name!r} is released as {root!r}, which says nothing, in "
                    f"{100 * n_vague / n_values:.0f} % of the records: give it more "
                    "importance, or group its codes first"
                )
        return notices


NONE = Vague(0, 0)


def _vague(
    prepared: Prepared, X_released: np.ndarray, forms: Sequence[str] | None
) -> dict[str, Vague]:
    width = X_released.shape[1] // prepared.X.shape[1]
    found, nominal = {}, prepared.nominal
    for j, encoder in enumerate(prepared.encoders):
        first = X_released[:, j * width]
        if encoder.levels is not None and len(encoder.values) > 1:
            root = encoder.levels.n_values  # the group of all comes first
            found[encoder.name] = Vague(len(first), int(np.sum(first == root)))
        elif j in nominal and (forms is None or forms[j] == "value"):
            there = ~np.isnan(prepared.X[:, j])
            changed = first[there] != prepared.X[there, j]
            found[encoder.name] = Vague(int(there.sum()), int(changed.sum()))
    return found
