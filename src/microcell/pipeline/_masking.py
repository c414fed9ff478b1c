"""Masking: a shard by the recipe's own plan, on the scale of the whole table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from microcell.columns import Prepared
from microcell.embed import ColumnScaler, LearntColumns
from microcell.kernels.threads import one_thread_for_products
from microcell.pipeline._cuts import CutTree, learn_cuts
from microcell.pipeline._plan import Groups, make_plan
from microcell.pipeline._seeds import seed_of
from microcell.pipeline._sizes import OVERFULL, least_size
from microcell.pipeline._values import Values, columns_of
from microcell.privacy import CellModel, cell_values
from microcell.recipe import Recipe


@dataclass(frozen=True)
class Cells:
    """What was made of the records of a shard.

    Attributes
    ----------
    X_released : ndarray
        One or two values for each column.
    labels : ndarray of shape (n_records, n_blocks)
        Cell of each record in each block of columns, from 0.
    blocks : list of list of int
        Columns of each block.
    notices : list of str
        What the plan has to say.
    """

    X_released: np.ndarray
    labels: np.ndarray
    blocks: list[list[int]]
    notices: list[str]


@dataclass(frozen=True)
class Masking:
    """What all shards of a table have in common.

    Attributes
    ----------
    recipe : Recipe
    learnt : LearntColumns
        What is known of the columns of the whole table.
    size : int
        Records that a shard is to have.
    promised : list of (CellModel, Values)
        Promises about confidential values, and the values of the whole table.
    """

    recipe: Recipe
    learnt: LearntColumns
    size: int
    promised: list[tuple[CellModel, Values]] = field(default_factory=list)

    def scaler(self, prepared: Prepared) -> ColumnScaler:
        """The scale of the whole table, fitted; codes stay codes."""
        recipe, of_table = self.recipe, copy(prepared)
        of_table.learnt = self.learnt
        scaler = of_table.scaler(recipe.scale, recipe.importance, expand=False)
        return scaler.fit(prepared.X[:1])

    def cut(
        self, prepared: Prepared, weights: np.ndarray, n_records: int
    ) -> tuple[CutTree, np.ndarray]:
        """The tree that cuts a table into shards, and the leaf of each record here.

        Parameters
        ----------
        prepared : Prepared
            All records, or a sample of them.
        weights : ndarray of shape (n_here,)
            Records that each stands for.
        n_records : int
            Records of the table.
        """
        scaler = self.scaler(prepared)
        Z = scaler.transform(prepared.X)
        n_shards = -(-n_records // self.size)
        tree = learn_cuts(Z, weights, n_shards, scaler.coded_, scaler.units_)
        return tree, tree.leaves(Z)

    def keeps(
        self, counts: np.ndarray, values: Sequence[tuple[np.ndarray, ...]]
    ) -> Callable[[list[int]], bool]:
        """Whether some leaves together can be a shard.

        They need records enough, and as one cell they must keep what is promised of
        confidential values: then they can be cut into cells that do.

        Parameters
        ----------
        counts : ndarray of shape (n_leaves,)
            Records of each leaf.
        values : list of (ndarray, ndarray)
            For each promise leaf and code of each record, or of each entry; with a
            third array, how many records an entry stands for.
        """
        least = least_size(self.recipe, self.size)
        totals = [known.totals(model) for model, known in self.promised]

        def keep(leaves: list[int]) -> bool:
            if counts[leaves].sum() < least:
                return False
            here = zip(self.promised, totals, values, strict=True)
            for (model, _), total, (leaf, code, *count) in here:
                inside = np.isin(leaf, leaves)
                number = count[0][inside] if count else None
                one_cell = np.zeros(int(inside.sum()), dtype=np.int64)
                cells = cell_values(one_cell, code[inside], total, number)
                if not model.cells_hold(cells).all():
                    return False
            return True

        return keep

    def codes(self, frame: pl.DataFrame) -> list[np.ndarray]:
        """Codes of promised values, as the whole table numbers them."""
        return [known.codes(model, frame) for model, known in self.promised]

    def mask(self, prepared: Prepared, seed: int | None) -> Cells:
        """Mask the records of a shard, which are in canonical order.

        One that has become too large is cut again.
        """
        if len(prepared.X) <= OVERFULL * self.size:
            return self._mask(prepared, seed)
        parts = list(self._again(prepared))
        done = [
            self._mask(part_of(prepared, rows), seed and seed_of(str(seed).encode(), i))
            for i, rows in enumerate(parts)
        ]
        return joined(parts, done, len(prepared.X))

    def _again(self, prepared: Prepared) -> Iterator[np.ndarray]:
        """Rows of the parts of a shard that is too large, each in canonical order."""
        n_records = len(prepared.X)
        tree, leaves = self.cut(prepared, np.ones(n_records), n_records)
        counts = np.bincount(leaves, minlength=tree.n_leaves)
        codes = self.codes(carried_of(prepared))
        shards = tree.join(self.keeps(counts, [(leaves, code) for code in codes]))
        for shard in range(int(shards.max()) + 1):
            rows = np.flatnonzero(np.isin(leaves, np.flatnonzero(shards == shard)))
            alike = (prepared.X[rows] == prepared.X[rows[0]]).all()
            if alike and len(rows) > OVERFULL * self.size and not self.promised:
                yield from np.array_split(rows, -(-len(rows) // self.size))
            else:
                yield rows

    def _mask(self, prepared: Prepared, seed: int | None) -> Cells:
        prepared.learnt = self.learnt
        recipe = (
            self.recipe if seed is None else replace(self.recipe, random_state=seed)
        )
        codes = self.codes(carried_of(prepared)) if self.promised else []
        groups = Groups(
            values=[(m, c) for (m, _), c in zip(self.promised, codes, strict=True)],
            totals=[known.totals(model) for model, known in self.promised] or None,
        )
        plan = make_plan(recipe, prepared, groups)
        with one_thread_for_products():
            X_released = np.asarray(plan.fit_transform(prepared.X))
        labels = np.asarray(plan.labels_).reshape(len(prepared.X), -1)
        return Cells(
            X_released,
            labels,
            plan.blocks_,
            list(plan.notices_),
        )


def resolved_promises(
    promises: list[Any], values: list[Values]
) -> list[tuple[CellModel, Values]]:
    """Promises about confidential values, decided by the values of the whole table."""
    models = [promise for promise in promises if isinstance(promise, CellModel)]
    of = {tuple(known.columns): known for known in values}
    return [(of[columns_of(m)].resolve(m), of[columns_of(m)]) for m in models]


def carried_of(prepared: Prepared) -> pl.DataFrame:
    """What is released as it is, beside the quasi-identifiers."""
    return prepared.frame.to_polars()


def part_of(prepared: Prepared, rows: np.ndarray) -> Prepared:
    """Some of the records."""
    part = Prepared(
        prepared.frame[rows],
        prepared.encoders,
        prepared.released,
        np.ones(len(rows), dtype=bool),
        prepared.original[rows],
        prepared.missing,
        prepared.reading,
    )
    part.learnt = prepared.learnt
    return part


def joined(parts: list[np.ndarray], done: list[Cells], n_records: int) -> Cells:
    """What was made of parts of a table, as of one."""
    first = done[0]
    X_released = np.empty((n_records, first.X_released.shape[1]))
    labels = np.empty((n_records, first.labels.shape[1]), dtype=np.int64)
    after = np.zeros(labels.shape[1], dtype=np.int64)
    for rows, cells in zip(parts, done, strict=True):
        X_released[rows] = cells.X_released
        labels[rows] = cells.labels + after
        after = after + cells.labels.max(axis=0) + 1
    notices = list(dict.fromkeys(n for cells in done for n in cells.notices))
    return Cells(X_released, labels, first.blocks, notices)
