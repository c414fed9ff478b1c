"""Masking: a shard by the recipe's own plan, on the scale of the whole table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from microcell.columns import Prepared
from microcell.embed import ColumnScaler, LearntColumns
from microcell.kernels.threads import one_thread_for_products
from microcell.pipeline._arrivals import LEAF, Arrivals, joined_values
from microcell.pipeline._canonical import means_of_people
from microcell.pipeline._cuts import CutTree, learn_cuts
from microcell.pipeline._plan import Groups, make_plan
from microcell.pipeline._sample import COUNT
from microcell.pipeline._seeds import seed_of
from microcell.pipeline._sizes import OVERFULL, least_size
from microcell.pipeline._values import Values, columns_of
from microcell.privacy import CellModel, CellValues
from microcell.recipe import APART, Recipe


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

    @classmethod
    def of(cls, plan: Any, prepared: Prepared, X_released: np.ndarray) -> Cells:
        """What a plan has made of some records."""
        labels = np.asarray(plan.labels_).reshape(len(prepared.X), -1)
        return cls(X_released, labels, plan.blocks_, list(plan.notices_))

    def by_column(self, n_columns: int) -> list[np.ndarray]:
        """Cell of each record in each column."""
        of = {column: b for b, block in enumerate(self.blocks) for column in block}
        return [self.labels[:, of[j]] for j in range(n_columns)]


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
    n_people : int or None
        People of the whole table, where they may have several records.
    """

    recipe: Recipe
    learnt: LearntColumns
    size: int
    promised: list[tuple[CellModel, Values]] = field(default_factory=list)
    n_people: int | None = None

    def scaler(self, prepared: Prepared) -> ColumnScaler:
        """The scale of the whole table, fitted; codes stay codes."""
        recipe, of_table = self.recipe, copy(prepared)
        of_table.learnt = self.learnt
        scaler = of_table.scaler(recipe.scale, recipe.importance, expand=False)
        return scaler.fit(prepared.X[:1])

    def cut(self, prepared: Prepared, weights: np.ndarray, n_records: int) -> CutTree:
        """The tree that cuts a table into shards.

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
        return learn_cuts(Z, weights, n_shards, scaler.coded_, scaler.units_)

    def leaves(
        self, tree: CutTree, prepared: Prepared, people: np.ndarray | None
    ) -> np.ndarray:
        """Leaf of each record; those of a person who are to be together, in one."""
        scaler = self.scaler(prepared)
        Z = scaler.transform(prepared.X)
        if people is None or self.recipe.unit_records == APART:
            return tree.leaves(Z)
        return tree.leaves(means_of_people(Z, people, scaler.coded_))[people]

    def keeps(self, arrivals: Arrivals) -> Callable[[list[int]], bool]:
        """Whether some leaves together can be a shard.

        They need records and people enough, and as one cell they must keep what is
        promised of confidential values: then they can be cut into cells that do. Of
        people in several leaves this is not known exactly: see `Arrivals.least_people`.

        Parameters
        ----------
        arrivals : Arrivals
            Records, people and promised values of each leaf.
        """
        least = least_size(self.recipe, self.size)
        totals = [known.totals(model) for model, known in self.promised]

        def keep(leaves: list[int]) -> bool:
            n_people = arrivals.least_people(leaves)
            if arrivals.counts[leaves].sum() < least or n_people < 2 * self.recipe.k:
                return False
            here = zip(self.promised, totals, arrivals.values, strict=True)
            for (model, _), total, frame in here:
                inside = frame.filter(pl.col(LEAF).is_in(leaves))
                found = joined_values(inside, ["code"]).sort("code")
                code, count = found["code"].to_numpy(), found[COUNT].to_numpy()
                in_all = self.n_people or int(total.sum())
                sizes, cell = np.array([n_people]), np.zeros(len(code), dtype=np.int64)
                cells = CellValues(cell, code, count, sizes, total, in_all)
                if not model.cells_hold(cells).all():
                    return False
            return True

        return keep

    def shards(
        self, tree: CutTree, arrivals: Arrivals, group: np.ndarray
    ) -> np.ndarray:
        """Shard of each leaf: none has leaves of two groups of strata.

        Parameters
        ----------
        tree : CutTree
        arrivals : Arrivals
            Of the leaves of each stratum, one stratum after the other.
        group : ndarray of shape (n_strata,)
            Strata that are one.
        """
        own = np.arange(len(group) * tree.n_leaves).reshape(len(group), -1)
        shard_of_leaf, n_shards = np.empty_like(own), 0
        for number in range(int(group.max()) + 1):
            shards = tree.join(self.keeps(arrivals.at(own[group == number])))
            shard_of_leaf[group == number] = shards + n_shards
            n_shards += int(shards.max()) + 1
        return shard_of_leaf.ravel()

    def codes(self, frame: pl.DataFrame) -> list[np.ndarray]:
        """Codes of promised values, as the whole table numbers them."""
        return [known.codes(model, frame) for model, known in self.promised]

    def mask(self, prepared: Prepared, seed: int | None, groups: Groups) -> Cells:
        """Mask the records of a shard, which are in canonical order.

        One that has become too large is cut again. `groups` has their units and
        weights.
        """
        if len(prepared.X) <= OVERFULL * self.size:
            return self._mask(prepared, seed, groups)
        parts = list(self._again(prepared, groups.units))
        done = [
            self._mask(
                part_of(prepared, rows),
                seed and seed_of(str(seed).encode(), i),
                groups.take(rows),
            )
            for i, rows in enumerate(parts)
        ]
        return joined(parts, done, len(prepared.X))

    def _again(
        self, prepared: Prepared, people: np.ndarray | None
    ) -> Iterator[np.ndarray]:
        """Rows of the parts of a shard that is too large, each in canonical order."""
        n_records = len(prepared.X)
        tree = self.cut(prepared, np.ones(n_records), n_records)
        leaves = self.leaves(tree, prepared, people)
        codes = self.codes(carried_of(prepared))
        shards = tree.join(
            self.keeps(Arrivals.of(leaves, tree.n_leaves, codes, people))
        )
        for shard in range(int(shards.max()) + 1):
            rows = np.flatnonzero(np.isin(leaves, np.flatnonzero(shards == shard)))
            alike = (prepared.X[rows] == prepared.X[rows[0]]).all()
            plain = people is None and not self.promised
            if alike and len(rows) > OVERFULL * self.size and plain:
                yield from np.array_split(rows, -(-len(rows) // self.size))
            else:
                yield rows

    def _mask(self, prepared: Prepared, seed: int | None, groups: Groups) -> Cells:
        prepared.learnt = self.learnt
        recipe = (
            self.recipe if seed is None else replace(self.recipe, random_state=seed)
        )
        codes = self.codes(carried_of(prepared)) if self.promised else []
        groups = replace(
            groups,
            values=[(m, c) for (m, _), c in zip(self.promised, codes, strict=True)],
            totals=[known.totals(model) for model, known in self.promised] or None,
            n_people=self.n_people,
        )
        plan = make_plan(recipe, prepared, groups)
        with one_thread_for_products():
            X_released = np.asarray(plan.fit_transform(prepared.X))
        return Cells.of(plan, prepared, X_released)


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
    part.X = prepared.X[rows]
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
