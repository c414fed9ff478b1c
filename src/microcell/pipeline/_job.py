"""Job: what every engine runs, from one part or shard to another.

It holds what was learnt of the whole table and no record. Each step is a pure function
of the records that it is given, and what steps return adds up in any order: engines
only move records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl

from microcell.columns import (
    Encoder,
    Prepared,
    encode_columns,
)
from microcell.embed import LearntColumns, Moments
from microcell.pipeline._arrivals import LEAF, Arrivals
from microcell.pipeline._canonical import (
    as_they_came,
    canonical_rows,
    means_of_people,
    side_by_side,
    take_rows,
)
from microcell.pipeline._classes import (
    BUCKET,
    CheckedFinding,
    ClassView,
    Verdict,
    WrittenValues,
    views_of,
)
from microcell.pipeline._counted import Counted
from microcell.pipeline._cuts import CutTree
from microcell.pipeline._known_columns import KnownColumns
from microcell.pipeline._masking import Cells, Masking
from microcell.pipeline._notices import Notices
from microcell.pipeline._order import canonical_order
from microcell.pipeline._order_statistics import (
    filled,
)
from microcell.pipeline._plan import (
    Groups,
    confidential_reading,
)
from microcell.pipeline._recoded import Recoded
from microcell.pipeline._report_sample import MAX_RECORDS_REPORTED, report_sample
from microcell.pipeline._sample import COUNT, MEAN_WEIGHT, PERSON, WEIGHT
from microcell.pipeline._sampled_linkage import found_among
from microcell.pipeline._seeds import root_key, seed_of
from microcell.pipeline._strata import Strata
from microcell.pipeline._tally import Tally, squared_changes, squares_about_the_middle
from microcell.pipeline._values import BEYOND, people_column
from microcell.pipeline._weights import read_weights
from microcell.privacy import Promise, View, class_codes, people_of
from microcell.recipe import APART, Recipe, forms_of, is_changed, is_random

if TYPE_CHECKING:
    from microcell.pipeline._task import Task

IN_A_BUCKET = 2_000_000  # records
LINKED_RECORDS = 2_000  # records of a release, to see whether they are found
MIN_LINKED_RECORDS = 20  # of a shard


class Masked(NamedTuple):
    """A shard of the release, and what was counted of it.

    Attributes
    ----------
    frame : polars.DataFrame
        The released records.
    tally : Tally
    beside : polars.DataFrame
        Whose each is, and for how many people it stands, where that is counted; it is
        never released.
    """

    frame: pl.DataFrame
    tally: Tally
    beside: pl.DataFrame


class Shard(NamedTuple):
    """The records of a shard in canonical order, and their cells.

    Attributes
    ----------
    rows : ndarray of shape (n_records,)
        Which of the records that came each is.
    prepared : Prepared
    beside : polars.DataFrame
        Whose each is, and for how many people it stands, where that is counted.
    groups : Groups
        The same as numbers.
    cells : Cells
    """

    rows: np.ndarray
    prepared: Prepared
    beside: pl.DataFrame
    groups: Groups
    cells: Cells


@dataclass(frozen=True)
class Job:
    """A sharded run.

    Attributes
    ----------
    task : Task
        How parts are read.
    encoders : list of Encoder
        Of the quasi-identifiers of the whole table.
    recoded : Recoded
        What becomes of rare categories and of gaps.
    masking : Masking
        How shards are masked.
    unclipped : LearntColumns
        What is known of the columns before they were clipped: losses count from it.
    tree : CutTree
        Which leaf a record belongs to.
    n_records, n_dropped, n_people : int
        Records that take part, that do not, and people whose the former are.
    strata : Strata or None
        Those that cells keep to.
    promises : list of Promise
        What is verified.
    notices : Notices
        What is known before any is masked.
    decide : list of str
        What is to be decided of the columns.
    shard_of_leaf : ndarray of shape (n_leaves,)
        Known when leaves were counted.
    sizes : ndarray of shape (n_shards,)
        Records of each shard.
    seeds : list of int or None
        One for each shard, if the method draws.
    """

    task: Task
    encoders: list[Encoder]
    recoded: Recoded
    masking: Masking
    unclipped: LearntColumns
    tree: CutTree
    n_records: int
    n_dropped: int
    n_people: int
    strata: Strata | None
    promises: list[Promise]
    notices: Notices
    decide: list[str] = field(default_factory=list)
    shard_of_leaf: np.ndarray | None = None
    sizes: np.ndarray | None = None
    seeds: list[int] | None = None

    LEAF = LEAF
    BUCKET = BUCKET

    @property
    def recipe(self) -> Recipe:
        """The recipe that makes the same release again, on any engine."""
        return self.masking.recipe

    @property
    def n_strata(self) -> int:
        """Strata as they came."""
        return 1 if self.strata is None else len(self.strata.people)

    @property
    def n_leaves(self) -> int:
        """Leaves of the tree, in each stratum."""
        return self.tree.n_leaves * self.n_strata

    @property
    def n_shards(self) -> int:
        """Shards, when leaves were counted."""
        return len(self._sizes)

    @property
    def _sizes(self) -> np.ndarray:
        if self.sizes is None:
            raise RuntimeError("The leaves have not been counted.")
        return self.sizes

    def leaves_of(self, shard: int) -> list[int]:
        """Leaves of a shard."""
        return np.flatnonzero(self.shard_of_leaf == shard).tolist()

    @property
    def kinds(self) -> dict[str, str]:
        """How each quasi-identifier is treated."""
        return {encoder.name: encoder.kind for encoder in self.encoders}

    # From parts of the table to leaves

    def route(self, frame: pl.DataFrame, first: int | None = 0) -> pl.DataFrame:
        """The records of a part that take part, in numbers, with their leaf."""
        task = self.task
        table = task.read(frame, first)
        absent = task.absent(table)
        kept = task.kept(absent, frame.height)
        if not kept.all():
            table, frame = table.filter(kept.tolist()), frame.filter(kept)
            absent = {name: mask[kept] for name, mask in absent.items()}
        X = encode_columns(self.recoded.encoders, table, absent)
        X += 0.0  # -0.0 is 0.0
        carried, native = frame.select(self.task.carried), table.to_native()
        leaves = np.empty(0, dtype=np.int32)
        beside = self._beside(table, native)
        if len(X):
            prepared = self.prepared(X, carried)
            leaves = self.masking.leaves(self.tree, prepared, _codes(beside))
            if self.strata is not None:
                leaves = leaves + self.tree.n_leaves * self.strata.codes(native)
        columns = [pl.Series(coordinate(j), X[:, j]) for j in range(X.shape[1])]
        routed = pl.DataFrame([pl.Series(LEAF, leaves, pl.Int32), *columns])
        owners = pl.DataFrame(beside)
        counts = pl.DataFrame()
        if self.counts_people:
            counts = self._counted_once(X, side_by_side(carried, owners))
        return side_by_side(routed, owners, counts, carried)

    def _beside(self, table: nw.DataFrame, native: pl.DataFrame) -> list[pl.Series]:
        """Whose each record is, and how many people it stands for."""
        people = self.task.people(native)
        beside = [] if people is None else [people]
        recipe = self.recipe
        if recipe.weights is not None:
            given = (recipe.weights, self.task.marks, recipe.decimal)
            beside.append(pl.Series(WEIGHT, read_weights(table, *given)[0]))
        return beside

    def _counted_once(self, X: np.ndarray, table: pl.DataFrame) -> pl.DataFrame:
        """What counts the people of a part, who are whole, wherever their records go.

        A person, and each value of theirs, is counted with one record, the first in
        canonical order; the weight of a person is the mean of all.
        """
        rows = canonical_rows(X, table)
        table, X = table[rows], self.recoded(X[rows])
        found = table.select(
            pl.struct(*names, PERSON).is_first_distinct().alias(people_column(names))
            for names in [*self.counted_columns(), ()]
        )
        for j, encoder in self._clipped():
            beyond = pl.Series(BEYOND, is_changed(X[:, j], encoder.clip(X[:, j])))
            once = pl.col(BEYOND) & pl.struct(BEYOND, PERSON).is_first_distinct()
            name = people_column((BEYOND, encoder.name))
            found.hstack(
                table.select(PERSON, beyond).select(once.alias(name)), in_place=True
            )
        found = found.cast(pl.Int64)
        if WEIGHT in table.columns:
            mean = pl.col(WEIGHT).mean().over(PERSON).alias(MEAN_WEIGHT)
            found = found.hstack(table.select(mean))
        return found[np.argsort(rows)]

    def _clipped(self) -> list[tuple[int, Encoder]]:
        """Columns with limits, by their place."""
        limited = enumerate(self.encoders)
        return [(j, each) for j, each in limited if each.extras.limits is not None]

    @property
    def counts_people(self) -> bool:
        """Whether people are counted in parts, each of whom may have several records.

        In memory they are counted on the table.
        """
        return self.task.unit is not None and not self.task.whole

    @property
    def _owners(self) -> dict[str, Any]:
        """Whose each record is, and for how many people it stands."""
        columns: dict[str, Any] = {}
        if self.task.unit is not None:
            columns[PERSON] = pl.Int64
        return (
            columns if self.recipe.weights is None else columns | {WEIGHT: pl.Float64}
        )

    @property
    def beside(self) -> dict[str, Any]:
        """Columns that travel beside the records, with their types."""
        columns = self.beside_released
        if self.counts_people:
            beyond = [(BEYOND, encoder.name) for _, encoder in self._clipped()]
            columns |= {people_column(names): pl.Int64 for names in [(), *beyond]}
            if WEIGHT in columns:
                columns[MEAN_WEIGHT] = pl.Float64
        return columns

    @property
    def beside_released(self) -> dict[str, Any]:
        """Columns that stand beside what was masked, with their types."""
        counted = self.counted_columns() if self.counts_people else []
        return self._owners | {people_column(names): pl.Int64 for names in counted}

    def arrivals(self, routed: pl.DataFrame) -> Arrivals:
        """How many records and people of a part belong to each leaf."""
        leaves = routed[LEAF].to_numpy()
        people = routed[PERSON].to_numpy() if self.task.unit is not None else None
        codes, centres = self.masking.codes(routed), {}
        if self.strata is not None and self.strata.people.min() < self.recipe.k:
            centres = self._centres(routed, leaves // self.tree.n_leaves)
        return Arrivals.of(leaves, self.n_leaves, codes, people, centres)

    def _centres(
        self, routed: pl.DataFrame, strata: np.ndarray
    ) -> dict[int, list[Moments]]:
        """Moments of the records of each stratum, on the scale of distances."""
        if not len(strata):
            return {}
        prepared = self.prepared(self.coordinates(routed), pl.DataFrame())
        prepared.learnt = self.masking.learnt
        scaler = prepared.scaler(self.recipe.scale, self.recipe.importance)
        Z = scaler.fit(prepared.X[:1]).transform(prepared.X)
        people = _codes(routed.get_columns())
        if people is not None and self.recipe.unit_records != APART:
            strata = strata[np.unique(people, return_index=True)[1]]
            Z = means_of_people(Z, people)
        return {
            int(stratum): [Moments.of(column) for column in Z[strata == stratum].T]
            for stratum in np.unique(strata)
        }

    def coordinates(self, routed: pl.DataFrame) -> np.ndarray:
        """The quasi-identifiers of routed records, as they came."""
        return routed.select(
            coordinate(j) for j in range(len(self.encoders))
        ).to_numpy()

    def merged(self, arrivals: Arrivals) -> Job:
        """The job with its shards: leaves of too few records join their sibling."""
        counts = arrivals.counts
        if int(counts.sum()) != self.n_records:
            raise RuntimeError(
                f"{int(counts.sum())} records came, but {self.n_records} were counted: "
                "the table has changed."
            )
        strata = self.strata and self.strata.merged(arrivals.centres, self.recipe.k)
        group = np.zeros(1, np.int64) if strata is None else strata.group
        leaves = self.masking.shards(self.tree, arrivals, group)
        sizes = np.bincount(leaves, weights=counts).astype(np.int64)
        seeds = None
        if is_random(self.recipe.method):
            key = root_key(self.recipe.random_state)
            seeds = [seed_of(key, shard) for shard in range(len(sizes))]
        return replace(
            self, strata=strata, shard_of_leaf=leaves, sizes=sizes, seeds=seeds
        )

    # From shards to the release

    def cells(self, routed: pl.DataFrame, shard: int) -> Shard:
        """The cells of a shard, a pure function of its records.

        Parameters
        ----------
        routed : polars.DataFrame
            All records of the shard, in any order, as `route` gives them.
        shard : int
        """
        if routed.height != self._sizes[shard]:
            raise RuntimeError(
                f"Shard {shard} has {routed.height} records, but "
                f"{self._sizes[shard]} were counted."
            )
        carried = routed.select(self.task.carried)
        beside = routed.select(*self.beside)
        X = self.coordinates(routed)
        before = self.prepared(X, pl.DataFrame())
        came = as_they_came(X) if self.recoded.codes else pl.DataFrame()
        ties = side_by_side(carried, beside.select(*self._owners), came)
        rows = canonical_rows(before.original, ties)
        carried, beside = take_rows(carried, rows), take_rows(beside, rows)
        prepared = self.prepared(np.ascontiguousarray(X[rows]), carried)
        del routed, X, before, came, ties
        groups = Groups(
            units=_codes(beside.get_columns()),
            weights=beside[WEIGHT].to_numpy() if WEIGHT in beside.columns else None,
        )
        seed = None if self.seeds is None else self.seeds[shard]
        cells = self.masking.mask(prepared, seed, groups)
        return Shard(rows, prepared, beside, groups, cells)

    def mask(self, routed: pl.DataFrame, shard: int) -> Masked:
        """The released records of a shard, and what is counted of them; see `cells`."""
        rows, prepared, beside, groups, cells = self.cells(routed, shard)
        del routed
        forms = forms_of(self.recipe, self.kinds)
        by_column = cells.by_column(len(self.encoders))
        table = prepared.restore(cells.X_released, forms, by_column)
        if self.strata is not None:
            leaf = int(np.argmax(self.shard_of_leaf == shard))
            kept = np.full(len(rows), self.strata.group[leaf // self.tree.n_leaves])
            names = [n for n in self.recipe.strata if n in self.task.carried]
            frame = nw.from_native(table, eager_only=True)
            table = self.strata.with_common_values(frame, names, kept).to_native()
        tally = self._tally(prepared, cells, table, forms, groups, beside)
        if MEAN_WEIGHT in beside.columns:
            beside = beside.with_columns(pl.col(MEAN_WEIGHT).alias(WEIGHT))
        beside = beside.select(*self.beside_released)
        # Shards have categories of their own; as text all have one type.
        words = [n for n, t in table.schema.items() if t in (pl.Categorical, pl.Enum)]
        table = table.with_columns(pl.col(words).cast(pl.String))
        order = canonical_order(table, table)
        return Masked(table[order], tally, take_rows(beside, order))

    def counted_columns(self) -> list[tuple[str, ...]]:
        """Columns of whose values people are counted, alone or together."""
        shown = [(name,) for name in self.recipe.schema.confidential]
        return sorted({*self.task.promised_columns(), *shown})

    def prepared(self, X: np.ndarray, carried: pl.DataFrame) -> Prepared:
        """Records as masking takes them; `before` has them as they came."""
        frame = carried if carried.width else pl.DataFrame({COUNT: np.zeros(len(X))})

        def of(encoders: list[Encoder], X: np.ndarray) -> Prepared:
            return Prepared(
                nw.from_native(frame, eager_only=True),
                encoders,
                self.task.released,
                np.ones(len(X), dtype=bool),
                X,
                self.recipe.missing,
                self.task.reading,
            )

        made = of(self.encoders, self.recoded(X))
        made.X = filled(made.X, self.recoded.fills)
        if self.recoded.codes:
            made.before = of(self.recoded.encoders, X)
        return made

    def _tally(
        self,
        prepared: Prepared,
        cells: Cells,
        table: pl.DataFrame,
        forms: list[str],
        groups: Groups,
        beside: pl.DataFrame,
    ) -> Tally:
        original = prepared if prepared.before is None else prepared.before
        original.learnt = self.unclipped
        scaler = original.scaler(self.recipe.scale, expand=False)
        Z = scaler.fit_transform(original.original)
        numbers = original.released_numbers(table, cells.X_released, forms)
        Z_released = scaler.transform(numbers)
        shown = Z_released
        if scaler.missing == "middle":  # what stands there has nothing to lose
            nothing = np.isnan(original.original)
            shown = scaler.transform(np.where(nothing, np.nan, numbers))
        n_records, units = len(Z), groups.units
        counted = Counted.of(prepared, cells, forms, self.recipe, units, groups.weights)
        n_people, people = n_records, None
        if units is not None:
            people, n_people = beside[PERSON], int(beside[people_column(())].sum())
            names = [encoder.name for _, encoder in self._clipped()]
            beyond = {n: int(beside[people_column((BEYOND, n))].sum()) for n in names}
            counted = replace(counted, clipped=Counter(beyond))
        found, n_linked = self._found(scaler, Z, Z_released)
        labels = cells.labels[:, 0] if cells.labels.shape[1] == 1 else cells.labels
        of_cells = View(
            table,
            prepared.names,
            units=units,
            unit=self.task.unit or "",
            labels=labels,
        )
        return Tally(
            n_records,
            n_people,
            tuple((cells.labels.max(axis=0) + 1).tolist()),
            squared_changes(scaler, Z, shown),
            found,
            n_linked,
            {
                place: CheckedFinding(promise.verify(of_cells))
                for place, promise in enumerate(self.promises)
                if promise.over == "cells"
            },
            counted,
            self._sample(original.original, numbers, table, labels, people, units),
        )

    def _sample(
        self,
        X: np.ndarray,
        X_released: np.ndarray,
        table: pl.DataFrame,
        labels: Any,
        people: pl.Series | None,
        units: np.ndarray | None,
    ) -> pl.DataFrame | None:
        """Records of a shard that a report looks at, if there is to be one."""
        if not self.task.remember:
            return None
        cells = labels if labels.ndim == 1 else class_codes(table, list(self.kinds))
        sizes = np.bincount(cells)
        if units is not None:
            sizes = people_of(cells, units, len(sizes))
        n_records = self.n_records
        return report_sample(X, X_released, table, sizes[cells], n_records, people)

    def _found(
        self, scaler: Any, Z: np.ndarray, Z_released: np.ndarray
    ) -> tuple[Fraction, int]:
        """Records of a sample that are found among the originals of their shard."""
        if self.recipe.measures == "none":
            return Fraction(), 0
        share = LINKED_RECORDS * len(Z) // max(self.n_records, 1)
        n_linked = min(len(Z), max(share, MIN_LINKED_RECORDS))
        rows = np.linspace(0, len(Z) - 1, n_linked).astype(np.int64)
        found = found_among(Z, Z_released, rows, scaler.coded_, scaler.units_)
        return Fraction(found), n_linked

    # From what was written to what it keeps

    @property
    def views(self) -> list[ClassView]:
        """Sets of columns that classes are counted over."""
        unit = self.task.unit or ""
        return views_of(
            self.promises,
            self.known,
            confidential_reading(self.recipe),
            self.recipe.schema.confidential,
            unit,
            self.n_people if unit else None,
            self.recipe.unit_records == APART,
        )

    @property
    def known(self) -> list[str]:
        """Released columns that others may know: those masked, and strata beside."""
        beside = [n for n in self.recipe.strata if n in self.task.carried]
        return [*(encoder.name for encoder in self.encoders), *beside]

    @property
    def n_views(self) -> int:
        """How many there are."""
        return len(self.views)

    @property
    def n_buckets(self) -> int:
        """How many buckets classes go to."""
        return -(-self.n_records // IN_A_BUCKET)

    def classes(self, released: pl.DataFrame) -> list[pl.DataFrame]:
        """Groups of equal records in a part of what was written, one for each view."""
        return [view.groups(released, self.n_buckets) for view in self.views]

    def values(self, groups: pl.DataFrame, view: int = 0) -> WrittenValues:
        """Values that classes are compared by, in these groups."""
        return self.views[view].values(groups)

    def verify(
        self, groups: pl.DataFrame, view: int = 0, values: WrittenValues | None = None
    ) -> Verdict:
        """What the classes of whole buckets keep."""
        known = WrittenValues([]) if values is None else values
        verdict = self.views[view].verify(groups, known)
        if view or groups.is_empty() or not self.task.remember:
            return verdict
        if self.n_records <= MAX_RECORDS_REPORTED:  # the report looks at all of them
            return verdict
        columns = self.views[view].columns
        if self.task.unit is not None:  # whose records have one set of known values
            groups = groups.unique([*columns, PERSON])
            groups = groups.with_columns(pl.lit(1, pl.Int64).alias(COUNT))
        counted = KnownColumns.of(groups, columns, self.n_records)
        return replace(verdict, known_columns=counted)

    def losses(self, tally: Tally) -> tuple[float, float, float]:
        """Shares lost of one cell and of the variance, and the mean squared change."""
        scaler = self.scaler()
        one_cell, share = (
            tally.squares / spread if spread else Fraction(int(tally.squares > 0))
            for spread in (
                squares_about_the_middle(scaler, self.unclipped, self.n_records, about)
                for about in ("mode", "shares")
            )
        )
        mean = tally.squares / (self.n_records * len(self.encoders))
        return min(float(one_cell), 1.0), float(share), float(mean)

    def scaler(self) -> Any:
        """The scale of the whole table before anything was clipped, fitted."""
        bare = np.full((1, len(self.encoders)), np.nan)
        prepared = self.prepared(bare, pl.DataFrame())
        prepared = prepared if prepared.before is None else prepared.before
        prepared.learnt = self.unclipped
        scaler = prepared.scaler(self.recipe.scale, expand=False)
        scaler.missing = scaler.missing if scaler.missing != "error" else "middle"
        return scaler.fit(prepared.original)


def coordinate(j: int) -> str:
    """The name of an encoded quasi-identifier."""
    return f"\0{j}"


def _codes(beside: Sequence[pl.Series]) -> np.ndarray | None:
    """Whose each record is, from 0, where that stands beside it."""
    for column in beside:
        if column.name == PERSON:
            return np.unique(column.to_numpy(), return_inverse=True)[1]
    return None
