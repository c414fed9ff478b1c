"""A table in memory, cut into shards that are masked side by side.

Everything else is what `anonymize` does with a table: this is a plan for it.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import polars as pl

from microcell._progress import report
from microcell.columns import Prepared
from microcell.compose import Plan
from microcell.embed import LearntColumns
from microcell.pipeline._canonical import canonical_rows, take_rows
from microcell.pipeline._masking import (
    Cells,
    Masking,
    joined,
    part_of,
    resolved_promises,
)
from microcell.pipeline._plan import all_promises, confidential_reading
from microcell.pipeline._refuse import refuse_recipe
from microcell.pipeline._sample import COUNT
from microcell.pipeline._sampled import sample_of, sampled_array, sampled_weights
from microcell.pipeline._seeds import root_key, seed_of
from microcell.pipeline._sizes import shard_size
from microcell.pipeline._spread import spread
from microcell.pipeline._values import Values, columns_of
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
        jobs: int | None = None,
    ) -> None:
        refuse_recipe(recipe)
        self.template = template
        self.recipe = recipe
        self.prepared = prepared
        self.jobs = cores() if jobs is None else jobs

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "template":
            raise AttributeError(name)
        return getattr(self.template, name)

    def fit_transform(self, X: np.ndarray, y: Any = None) -> np.ndarray:
        """What is released of each record; X is that of the prepared table."""
        prepared, recipe = self.prepared, self.recipe
        masking = self._masking()
        tree, shards = self._shards(masking)
        self.n_shards_ = int(shards.max()) + 1
        random = is_random(recipe.method)
        key = root_key(recipe.random_state)
        order = np.argsort(shards, kind="stable")
        parts = np.split(order, np.searchsorted(shards[order], range(1, tree)))
        carried = _carried(prepared)

        def work(shard: int) -> tuple[np.ndarray, Cells]:
            rows = parts[shard]
            own = take_rows(carried, rows)
            rows = rows[canonical_rows(prepared.original[rows], own)]
            seed = seed_of(key, shard) if random else None
            return rows, masking.mask(part_of(prepared, rows), seed)

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
            f"the table was cut into {self.n_shards_} shard(s) of about "
            f"{len(X) // self.n_shards_} records, masked each by itself",
        ]
        return whole.X_released

    def _masking(self) -> Masking:
        prepared, recipe = self.prepared, self.recipe
        coded = [j for j, e in enumerate(prepared.encoders) if not e.ordered]
        learnt = LearntColumns.of(prepared.X, coded)
        promises = all_promises(recipe)
        carried = _carried(prepared)
        columns = {columns_of(p) for p in promises if isinstance(p, CellModel)}
        reading = confidential_reading(recipe)
        values = [
            Values.of(carried, list(names), reading=reading)
            for names in sorted(columns)
        ]
        promised = resolved_promises(promises, values)
        bare = Masking(recipe, learnt, 1, promised)
        width = bare.scaler(prepared).transform(prepared.X[:1]).shape[1]
        return Masking(recipe, learnt, shard_size(recipe, width), promised)

    def _shards(self, masking: Masking) -> tuple[int, np.ndarray]:
        """How many shards there are, and that of each record."""
        prepared = self.prepared
        sample = sample_of(prepared)
        X = sampled_array(sample, prepared.encoders)
        frame = prepared.frame[np.zeros(len(X), dtype=np.int64)]
        sampled = Prepared(
            frame, prepared.encoders, [], np.ones(len(X), bool), X, prepared.missing
        )
        n_records = len(prepared.X)
        tree, _ = masking.cut(sampled, sampled_weights(sample), n_records)
        scaler = masking.scaler(prepared)
        leaves = tree.leaves(scaler.transform(prepared.X))
        counts = np.bincount(leaves, minlength=tree.n_leaves)
        codes = masking.codes(_carried(prepared))
        entries = [counted_entries(leaves, code) for code in codes]
        shard_of_leaf = tree.join(masking.keeps(counts, entries))
        return int(shard_of_leaf.max()) + 1, shard_of_leaf[leaves]


def counted_entries(
    leaves: np.ndarray, codes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distinct pairs of leaf and value, and how often each occurs."""
    pairs = pl.DataFrame({"leaf": leaves, "code": codes})
    counted = pairs.group_by("leaf", "code").agg(pl.len().alias(COUNT))
    return tuple(counted[name].to_numpy() for name in ("leaf", "code", COUNT))  # type: ignore[return-value]


def _carried(prepared: Prepared) -> pl.DataFrame:
    """What is released as it is."""
    names = [n for n in prepared.released if n not in prepared.names]
    return prepared.frame.select(*names).to_polars()
