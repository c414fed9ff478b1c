"""Job: what every engine runs, from one part or shard to another.

It holds what was learnt of the whole table and no record. Each step is a pure function
of the records that it is given, and what steps return adds up in any order: engines
only move records.
"""

from __future__ import annotations

from collections import Counter
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
    missing_values,
    none_left,
)
from microcell.embed import LearntColumns, Moments
from microcell.exceptions import InputError
from microcell.pipeline._canonical import canonical_rows, take_rows
from microcell.pipeline._classes import (
    BUCKET,
    CheckedFinding,
    ClassView,
    Verdict,
    WrittenValues,
    views_of,
)
from microcell.pipeline._column_summary import code_counts, resolved_encoder
from microcell.pipeline._cuts import CutTree
from microcell.pipeline._known_columns import KnownColumns
from microcell.pipeline._masking import Cells, Masking, resolved_promises
from microcell.pipeline._missing import Gaps, gaps_of
from microcell.pipeline._notices import codes_as_numbers
from microcell.pipeline._numbers_as_text import refuse_numbers_as_text_in_parts
from microcell.pipeline._order import canonical_order
from microcell.pipeline._people import refuse_own_categories, vague_categories
from microcell.pipeline._people_in_parts import refuse_people
from microcell.pipeline._plan import (
    all_promises,
    confidential_reading,
    promises_of,
)
from microcell.pipeline._report_sample import MAX_RECORDS_REPORTED, report_sample
from microcell.pipeline._sample import COUNT
from microcell.pipeline._sampled import sampled_array, sampled_weights
from microcell.pipeline._sampled_linkage import found_among
from microcell.pipeline._seeds import root_key, seed_of
from microcell.pipeline._sizes import shard_size
from microcell.pipeline._table_summary import TableSummary
from microcell.pipeline._tally import Tally, squared_changes, squares_about_the_middle
from microcell.privacy import Promise, View, class_codes
from microcell.recipe import Recipe, forms_of, is_random, n_changed, representatives_of

if TYPE_CHECKING:
    from microcell.pipeline._task import Task
    from microcell.release import Release

LEAF = "\0leaf"  # no column of a file has such a name
IN_A_BUCKET = 2_000_000  # records
LINKED_RECORDS = 2_000  # records of a release, to see whether they are found
MIN_LINKED_RECORDS = 20  # of a shard


class Masked(NamedTuple):
    """A shard of the release, and what was counted of it."""

    frame: pl.DataFrame
    tally: Tally


@dataclass(frozen=True)
class Arrivals:
    """Records of each leaf, and of promised values in it; arrivals add up.

    Attributes
    ----------
    counts : ndarray of shape (n_leaves,)
        Records of each leaf.
    values : list of polars.DataFrame
        For each promise about values: leaf, code and how often they come together.
    """

    counts: np.ndarray
    values: list[pl.DataFrame] = field(default_factory=list)

    def __add__(self, other: Arrivals) -> Arrivals:
        both = zip(self.values, other.values, strict=True)
        return Arrivals(
            self.counts + other.counts,
            [
                pl.concat(pair).group_by(LEAF, "code").agg(pl.col(COUNT).sum())
                for pair in both
            ],
        )


@dataclass(frozen=True)
class Job:
    """A sharded run.

    Attributes
    ----------
    task : Task
        How parts are read.
    encoders : list of Encoder
        Of the quasi-identifiers of the whole table.
    masking : Masking
        How shards are masked.
    unclipped : LearntColumns
        What is known of the columns before they were clipped: losses count from it.
    tree : CutTree
        Which leaf a record belongs to.
    n_records, n_dropped : int
        Records that take part, and that do not.
    promises : list of Promise
        What is verified.
    decide, notices : list of str
        What is to be decided, and what is to be known, of the columns.
    shard_of_leaf : ndarray of shape (n_leaves,)
        Known when leaves were counted.
    sizes : ndarray of shape (n_shards,)
        Records of each shard.
    seeds : list of int or None
        One for each shard, if the method draws.
    """

    task: Task
    encoders: list[Encoder]
    masking: Masking
    unclipped: LearntColumns
    tree: CutTree
    n_records: int
    n_dropped: int
    promises: list[Promise]
    notices: list[str]
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
    def n_leaves(self) -> int:
        """Leaves of the tree."""
        return self.tree.n_leaves

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
        X = encode_columns(self.encoders, table, absent)
        X += 0.0  # -0.0 is 0.0
        carried = frame.select(task.carried)
        leaves = np.empty(0, dtype=np.int32)
        if len(X):
            prepared = self._prepared(X, carried)
            scaler = self.masking.scaler(prepared)
            leaves = self.tree.leaves(scaler.transform(prepared.X))
        columns = [pl.Series(coordinate(j), X[:, j]) for j in range(X.shape[1])]
        return pl.DataFrame([pl.Series(LEAF, leaves), *columns]).hstack(carried)

    def arrivals(self, routed: pl.DataFrame) -> Arrivals:
        """How many records of a part belong to each leaf."""
        leaves = routed[LEAF].to_numpy()
        codes = self.masking.codes(routed)
        pairs = [routed.select(LEAF, pl.Series("code", code)) for code in codes]
        return Arrivals(
            np.bincount(leaves, minlength=self.n_leaves),
            [
                p.group_by(LEAF, "code").agg(pl.len().cast(pl.Int64).alias(COUNT))
                for p in pairs
            ],
        )

    def merged(self, arrivals: Arrivals) -> Job:
        """The job with its shards: leaves of too few records join their sibling."""
        counts = arrivals.counts
        if int(counts.sum()) != self.n_records:
            raise RuntimeError(
                f"{int(counts.sum())} records came, but {self.n_records} were counted: "
                "the table has changed."
            )
        entries = [
            tuple(frame[name].to_numpy() for name in (LEAF, "code", COUNT))
            for frame in arrivals.values
        ]
        shard_of_leaf = self.tree.join(self.masking.keeps(counts, entries))
        sizes = np.bincount(shard_of_leaf, weights=counts).astype(np.int64)
        seeds = None
        if is_random(self.recipe.method):
            key = root_key(self.recipe.random_state)
            seeds = [seed_of(key, shard) for shard in range(len(sizes))]
        return replace(self, shard_of_leaf=shard_of_leaf, sizes=sizes, seeds=seeds)

    # From shards to the release

    def mask(self, routed: pl.DataFrame, shard: int) -> Masked:
        """The released records of a shard, a pure function of its records.

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
        n_columns = len(self.encoders)
        X = routed.select(coordinate(j) for j in range(n_columns)).to_numpy()
        carried = routed.select(self.task.carried)
        rows = canonical_rows(X, carried)
        prepared = self._prepared(
            np.ascontiguousarray(X[rows]), take_rows(carried, rows)
        )
        del routed, X, carried
        seed = None if self.seeds is None else self.seeds[shard]
        cells = self.masking.mask(prepared, seed)
        forms = forms_of(self.recipe, self.kinds)
        of = {column: b for b, block in enumerate(cells.blocks) for column in block}
        by_column = [cells.labels[:, of[j]] for j in range(n_columns)]
        table = prepared.restore(cells.X_released, forms, by_column)
        tally = self._tally(prepared, cells, table, forms)
        # Shards have categories of their own; as text all have one type.
        words = [n for n, t in table.schema.items() if t in (pl.Categorical, pl.Enum)]
        table = table.with_columns(pl.col(words).cast(pl.String))
        return Masked(table[canonical_order(table, table)], tally)

    def _prepared(self, X: np.ndarray, carried: pl.DataFrame) -> Prepared:
        frame = carried if carried.width else pl.DataFrame({COUNT: np.zeros(len(X))})
        return Prepared(
            nw.from_native(frame, eager_only=True),
            self.encoders,
            self.task.released,
            np.ones(len(X), dtype=bool),
            X,
            self.recipe.missing,
            self.task.reading,
        )

    def _tally(
        self, prepared: Prepared, cells: Cells, table: pl.DataFrame, forms: list[str]
    ) -> Tally:
        prepared.learnt = self.unclipped
        scaler = prepared.scaler(self.recipe.scale, expand=False)
        Z = scaler.fit_transform(prepared.original)
        numbers = prepared.released_numbers(table, cells.X_released, forms)
        Z_released = scaler.transform(numbers)
        shown = Z_released
        if scaler.missing == "middle":  # what stands there has nothing to lose
            nothing = np.isnan(prepared.original)
            shown = scaler.transform(np.where(nothing, np.nan, numbers))
        n_records = len(Z)
        found, n_linked = self._found(scaler, Z, Z_released)
        labels = cells.labels[:, 0] if cells.labels.shape[1] == 1 else cells.labels
        of_cells = View(table, prepared.names, labels=labels)
        notices = [*cells.notices, *vague_categories(prepared, cells.X_released, forms)]
        return Tally(
            n_records,
            tuple((cells.labels.max(axis=0) + 1).tolist()),
            squared_changes(scaler, Z, shown),
            found,
            n_linked,
            {
                place: CheckedFinding(promise.verify(of_cells))
                for place, promise in enumerate(self.promises)
                if promise.over == "cells"
            },
            Counter(dict.fromkeys(notices, 1)),
            *self._changed(prepared, cells),
            sample=self._sample(prepared.original, numbers, table, labels),
        )

    def _sample(
        self, X: np.ndarray, X_released: np.ndarray, table: pl.DataFrame, labels: Any
    ) -> pl.DataFrame | None:
        """Records of a shard that a report looks at, if there is to be one."""
        if not self.task.remember:
            return None
        cells = labels if labels.ndim == 1 else class_codes(table, list(self.kinds))
        sizes = np.bincount(cells)[cells]
        return report_sample(X, X_released, table, sizes, self.n_records)

    def _changed(
        self, prepared: Prepared, cells: Cells
    ) -> tuple[Counter[str], dict[str, Gaps]]:
        """Values that were clipped, and what cells publish of columns with gaps."""
        clipped: Counter[str] = Counter()
        gaps: dict[str, Gaps] = {}
        absent = np.isnan(prepared.original)
        of = {column: b for b, block in enumerate(cells.blocks) for column in block}
        for j, encoder in enumerate(self.encoders):
            if encoder.extras.limits is not None:
                before, after = prepared.original[:, j], prepared.X[:, j]
                clipped[encoder.name] = n_changed(before, after)
            labels = cells.labels[:, of[j]]
            gaps[encoder.name] = gaps_of(absent[:, j], labels, self.recipe)
        return clipped, gaps

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
        names = [encoder.name for encoder in self.encoders]
        reading = confidential_reading(self.recipe)
        shown = self.recipe.schema.confidential
        return views_of(self.promises, names, reading, shown)

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
        counted = KnownColumns.of(groups, columns, self.n_records)
        return replace(verdict, known_columns=counted)

    def release(self, tally: Tally, verdict: Verdict) -> Release:
        """What is known of the release; see `make_release`."""
        from microcell.release import make_release

        return make_release(self, tally, verdict)

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
        prepared = self._prepared(
            np.full((1, len(self.encoders)), np.nan), pl.DataFrame()
        )
        prepared.learnt = self.unclipped
        scaler = prepared.scaler(self.recipe.scale, expand=False)
        scaler.missing = scaler.missing if scaler.missing != "error" else "middle"
        return scaler.fit(prepared.original)


def coordinate(j: int) -> str:
    """The name of an encoded quasi-identifier."""
    return f"\0{j}"


def make_job(task: Task, summary: TableSummary) -> Job:
    """The job of a task, from the statistics of the whole table.

    Raises
    ------
    SchemaError, InputError
        If the table is not as it should be: what `anonymize` refuses of a table in
        memory is refused here.
    """
    recipe = task.recipe
    _check_missing(summary, recipe)
    if summary.n_kept < recipe.k:
        raise InputError(
            f"The table has {summary.n_kept} record(s) to release, fewer than "
            f"k={recipe.k}.",
            option="k",
            hint="Lower k or add records.",
        )
    decide, notices = refuse_people(task, summary)
    notices = [
        *task.notices,
        *notices,
        *refuse_numbers_as_text_in_parts(task, summary),
        *dict.fromkeys(said for v in summary.values for said in v.notices()),
    ]
    options, kinds = task.options(), recipe.schema.kinds
    encoders = [
        resolved_encoder(column, kinds.get(column.name), options[column.name])
        for column in summary.columns
    ]
    clipped = _learnt(summary, encoders, clip=True)
    unclipped = _learnt(summary, encoders, clip=False)
    promised = resolved_promises(all_promises(recipe), summary.values)
    masking = Masking(recipe, clipped, 1, promised)
    bare = Job(
        task, encoders, masking, unclipped, _NO_CUTS, summary.n_kept, 0, [], notices
    )
    X = sampled_array(summary.sample, encoders)
    sampled = bare._prepared(X, pl.DataFrame())
    representatives_of(recipe, sampled.kinds)
    _check_categories(sampled, summary, recipe)
    bare.notices.extend(codes_as_numbers(sampled, recipe))
    width = masking.scaler(sampled).transform(sampled.X[:1]).shape[1]
    size = shard_size(recipe, width)
    masking = replace(masking, size=size, recipe=replace(recipe, shard=size))
    tree, _ = masking.cut(sampled, sampled_weights(summary.sample), summary.n_kept)
    return replace(
        bare,
        masking=masking,
        tree=tree,
        n_dropped=summary.n_records - summary.n_kept,
        promises=promises_of(recipe.plan, recipe, ()),
        decide=decide,
    )


_NO_CUTS = CutTree(np.empty(0, np.int64), np.empty(0), np.empty((0, 2), np.int64))


def _learnt(
    summary: TableSummary, encoders: list[Encoder], clip: bool
) -> LearntColumns:
    moments: dict[int, Moments] = {}
    frequencies = {}
    for j, (column, encoder) in enumerate(zip(summary.columns, encoders, strict=True)):
        if not encoder.ordered:
            frequencies[j] = code_counts(column, encoder)
        elif not encoder.measured:
            codes, counts = code_counts(column, encoder)
            codes = encoder.clip(codes) if clip else codes
            missing = Moments(n_missing=column.n_missing)
            moments[j] = Moments.of(codes, counts) + missing
        else:
            moments[j] = column.clipped if clip else column.moments
    gaps = frozenset(j for j, c in enumerate(summary.columns) if c.n_missing)
    return LearntColumns(moments, frequencies, gaps)


def _check_missing(summary: TableSummary, recipe: Recipe) -> None:
    """Refuse missing values as `anonymize` does, with their numbers in the table."""
    counts = {name: n for name, n in summary.n_missing.items() if n}
    if counts and recipe.missing == "error":
        raise missing_values(counts)
    if counts and summary.n_kept == 0:
        raise none_left(counts)


def _check_categories(sampled: Prepared, summary: TableSummary, recipe: Recipe) -> None:
    """Refuse categories that are those of one person each, by their true counts."""
    shown = representatives_of(recipe, sampled.kinds)
    also = [
        j
        for j, encoder in enumerate(sampled.encoders)
        if encoder.levels is not None and shown[encoder.name] != "ancestor"
    ]
    counts = {
        j: code_counts(summary.columns[j], sampled.encoders[j])[1]
        for j in (*sampled.nominal, *also)
    }
    refuse_own_categories(sampled, recipe.k, also, counts, summary.n_kept)
