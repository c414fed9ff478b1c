"""A table in memory, cut into shards that are masked side by side.

Everything else is what `anonymize` does with a table: this is a plan for it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from microcell._progress import report
from microcell.columns import Prepared
from microcell.compose import Plan
from microcell.embed import LearntColumns
from microcell.pipeline._arrivals import Arrivals
from microcell.pipeline._canonical import (
    as_they_came,
    canonical_rows,
    side_by_side,
    take_rows,
)
from microcell.pipeline._cuts import CutTree
from microcell.pipeline._masking import (
    Cells,
    Masking,
    joined,
    part_of,
    resolved_promises,
)
from microcell.pipeline._order_statistics import (
    SampledRecords,
    filled,
    said_of_sample,
    shared_limits,
)
from microcell.pipeline._plan import Groups, all_promises, confidential_reading
from microcell.pipeline._refuse import refuse_recipe
from microcell.pipeline._sample import WEIGHT, Sample, person_of
from microcell.pipeline._sampled import sample_of, sampled_weights
from microcell.pipeline._seeds import root_key, seed_of
from microcell.pipeline._sizes import shard_size
from microcell.pipeline._spread import spread
from microcell.pipeline._values import Values, columns_of, of_people
from microcell.privacy import CellModel
from microcell.recipe import Recipe, is_random


def cores() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class ShardedPlan:
    """A plan that cuts the table into shards and masks each by the recipe's own plan.

    Parameters
    ----------
    template : Plan
        The recipe's plan for the whole table: it says what can be promised.
    recipe : Recipe
    prepared : Prepared
        The table.
    jobs : int, optional
        Shards that are masked at the same time; by default one for each processor.
        The cells do not depend on it.

    Attributes
    ----------
    labels_ : ndarray of shape (n_records,) or (n_records, n_blocks)
        Cell of each record.
    blocks_ : list of list of int
        Columns that are masked together.
    n_shards_ : int
        Number of shards.
    """

    refinement_ = None  # each shard has a search of its own

    def __init__(
        self,
        template: Plan,
        recipe: Recipe,
        prepared: Prepared,
        groups: Groups,
        jobs: int | None = None,
    ) -> None:
        refuse_recipe(recipe)
        self.template = template
        self.recipe = recipe
        self.prepared = prepared
        self.groups = groups
        self.jobs = cores() if jobs is None else jobs
        self.sample = sample_of(prepared, self._people())
        self._settle()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "template":
            raise AttributeError(name)
        return getattr(self.template, name)

    def fit_transform(self, X: np.ndarray, y: Any = None) -> np.ndarray:
        """What is released of each record; X is that of the prepared table."""
        prepared, recipe, groups = self.prepared, self.recipe, self.groups
        masking = self._masking()
        shards = self._shards(masking)
        self.n_shards_ = int(shards.max()) + 1
        random = is_random(recipe.method)
        key = root_key(recipe.random_state)
        order = np.argsort(shards, kind="stable")
        ends = np.searchsorted(shards[order], range(1, self.n_shards_))
        parts = np.split(order, ends)
        beside = [] if groups.units is None else [self._people()]
        if groups.weights is not None:
            beside.append(pl.Series(WEIGHT, groups.weights))
        before = prepared.before
        came = pl.DataFrame() if before is None else as_they_came(before.original)
        ties = side_by_side(_carried(prepared), pl.DataFrame(beside), came)

        def work(shard: int) -> tuple[np.ndarray, Cells]:
            rows = parts[shard]
            own = take_rows(ties, rows)
            rows = rows[canonical_rows(prepared.original[rows], own)]
            seed = seed_of(key, shard) if random else None
            return rows, masking.mask(part_of(prepared, rows), seed, groups.take(rows))

        done: dict[int, tuple[np.ndarray, Cells]] = {}
        n_done, jobs = 0, min(self.jobs, len(parts))
        for shard, (rows, cells) in spread(work, range(len(parts)), jobs):
            done[shard] = rows, cells
            n_done += len(rows)
            report(n_done, len(X), "masking shards")
        in_order = [done[shard] for shard in range(len(parts))]
        whole = joined(
            [rows for rows, _ in in_order], [cells for _, cells in in_order], len(X)
        )
        labels = whole.labels
        self.labels_ = labels[:, 0] if labels.shape[1] == 1 else labels
        self.blocks_ = whole.blocks
        self.notices_ = [
            *whole.notices,
            *self.notices,
            f"the table was cut into {self.n_shards_} shard(s) of about "
            f"{len(X) // self.n_shards_} records, masked each by itself",
        ]
        return whole.X_released

    def _settle(self) -> None:
        """Limits, fills and quartiles as parts learn them: all from one sample."""
        prepared, recipe = self.prepared, self.recipe
        records = sampled_records(prepared, self.sample)
        clips = shared_limits(recipe)
        for j, encoder in enumerate(prepared.encoders):
            if encoder.name in clips:
                limits = records.limits(j, encoder, clips[encoder.name])
                encoder.extras = encoder.extras._replace(limits=limits)
        X = [
            e.clip(x)
            for e, x in zip(prepared.encoders, prepared.original.T, strict=True)
        ]
        prepared.X, coded = np.column_stack(X), prepared.coded
        inside, self.fills = records.settled(prepared.encoders, {}), {}
        if recipe.missing == "impute":
            learnt = LearntColumns.of(prepared.X, coded)
            self.fills = inside.fills(prepared.encoders, learnt, sorted(learnt.gaps))
            prepared.X = filled(prepared.X, self.fills)
            inside = records.settled(prepared.encoders, self.fills)
        ordered = {}
        if recipe.scale == "robust":
            measured = [j for j in range(prepared.X.shape[1]) if j not in coded]
            ordered = {j: inside.ordered(j) for j in measured}
        self.learnt = LearntColumns.of(prepared.X, coded, ordered)
        self.notices = said_of_sample(recipe, records, self.fills)

    def _people(self) -> pl.Series | None:
        """Whose each record is, as all engines number people."""
        if self.groups.units is None:
            return None
        unit = str(self.recipe.unit)
        return person_of(self.prepared.frame.select(unit).to_polars().to_series())

    def _masking(self) -> Masking:
        prepared, recipe, units = self.prepared, self.recipe, self.groups.units
        promises = all_promises(recipe)
        carried, people = _carried(prepared), self._people()
        columns = {columns_of(p) for p in promises if isinstance(p, CellModel)}
        reading = confidential_reading(recipe)
        values = [
            Values.of(of_people(carried, names, people), list(names), reading=reading)
            for names in sorted(columns)
        ]
        promised = resolved_promises(promises, values)
        n_people = None if units is None else int(units.max()) + 1
        bare = Masking(recipe, self.learnt, 1, promised, n_people)
        width = bare.scaler(prepared).transform(prepared.X[:1]).shape[1]
        return replace(bare, size=shard_size(recipe, width))

    def _shards(self, masking: Masking) -> np.ndarray:
        """Shard of each record."""
        prepared, groups = self.prepared, self.groups
        tree = self._tree(masking)
        leaves = masking.leaves(tree, prepared, groups.units)
        n_strata = 1
        if groups.strata is not None:
            n_strata = int(groups.strata.max()) + 1
            leaves = leaves + tree.n_leaves * groups.strata
        codes = masking.codes(_carried(prepared))
        n_leaves = tree.n_leaves * n_strata
        arrivals = Arrivals.of(leaves, n_leaves, codes, groups.units)
        shards: np.ndarray = masking.shards(tree, arrivals, np.arange(n_strata))[leaves]
        return shards

    def _tree(self, masking: Masking) -> CutTree:
        prepared = self.prepared
        X = sampled_records(prepared, self.sample).X
        frame = prepared.frame[np.zeros(len(X), dtype=np.int64)]
        kept = np.ones(len(X), dtype=bool)
        sampled = Prepared(frame, prepared.encoders, [], kept, X, prepared.missing)
        sampled.X = filled(sampled.X, self.fills)
        weights = sampled_weights(self.sample)
        return masking.cut(sampled, weights, len(prepared.X))


def sampled_records(prepared: Prepared, sample: Sample) -> SampledRecords:
    """The records of a sample of a table, as it is masked."""
    if prepared.before is None:
        return SampledRecords.of(sample, prepared.encoders)
    before = prepared.before
    records = SampledRecords.of(sample, before.encoders)
    X = records.X.copy()
    for j in prepared.nominal:  # codes of before become those of now
        there = ~np.isnan(before.original[:, j])
        came = before.original[there, j].astype(np.int64)
        codes = np.empty(int(came.max(initial=0)) + 1)
        codes[came] = prepared.original[there, j]
        known = ~np.isnan(X[:, j])
        X[known, j] = codes[X[known, j].astype(np.int64)]
    return replace(records, X=X)


def _carried(prepared: Prepared) -> pl.DataFrame:
    """What is released as it is."""
    names = [n for n in prepared.released if n not in prepared.names]
    return prepared.frame.select(*names).to_polars()
