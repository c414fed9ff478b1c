"""Strata of a release: sizes in people, merging, and a common value for the merged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import polars as pl

from microcell.aggregate import cell_means
from microcell.columns import (
    Prepared,
    dictionary,
    missing_stratum,
    refuse_small_strata,
    series_like,
    strata_codes,
)
from microcell.compose import joined_strata
from microcell.exceptions import SchemaError
from microcell.pipeline._sample import COUNT
from microcell.privacy import ON_CELLS, Finding, as_polars, people_of
from microcell.recipe import APART, RECORDS, Recipe

if TYPE_CHECKING:
    from microcell.embed import Moments
    from microcell.pipeline._table_summary import TableSummary


PLACE = "\0place"
CROSSING = "crossing"  # people with records in several strata, as parts count them


def missing_in(name: str) -> str:
    """What missing values of a stratum are counted as."""
    return f"stratum {name}"


def kept_apart(n_strata: int, n_before: int) -> Finding:
    """How many strata are kept apart, beside what was promised."""
    return Finding(
        promise=f"strata kept apart, of {n_before}",
        promised=None,
        found=n_strata,
        records_failing=0,
        basis=ON_CELLS,
    )


@dataclass(frozen=True)
class Strata:
    """Strata of a whole table, as they came and as cells keep to them.

    Attributes
    ----------
    people : ndarray of shape (n_before,)
        People of each, in the order of their values.
    group : ndarray of shape (n_before,)
        Which of them are one, because some were too small.
    own : ndarray of shape (n_records,) or None
        The stratum of each record, of a table in memory.
    frame : polars.DataFrame or None
        The values that name strata, for whoever sees a part of the table.
    """

    people: np.ndarray
    group: np.ndarray
    own: np.ndarray | None = None
    frame: pl.DataFrame | None = None

    @classmethod
    def of(cls, summary: TableSummary, recipe: Recipe) -> Strata | None:
        """Those of a table; one that is too small is an error, unless merged."""
        if summary.strata is None:
            return None
        names = list(recipe.strata)
        for name in names:
            if summary.counted[missing_in(name)]:
                raise missing_stratum(name)
        known = summary.strata.sort(names)
        sizes = known[COUNT].to_numpy()
        place = np.arange(len(sizes))
        frame = nw.from_native(known, eager_only=True)
        _refuse_small(frame, recipe, place, sizes)
        refuse_crossing(recipe, summary.counted[CROSSING])
        return cls(sizes, place, frame=known.select(names))

    def codes(self, table: pl.DataFrame) -> np.ndarray:
        """Stratum of each record of a part, as it came."""
        assert self.frame is not None
        names = self.frame.columns
        here = as_polars(table, names).cast(self.frame.schema)
        known = self.frame.with_row_index(PLACE)
        found = here.join(known, on=names, how="left", maintain_order="left")
        codes: np.ndarray = found[PLACE].to_numpy().astype(np.int64)
        return codes

    def merged(self, centres: dict[int, list[Moments]], k: int) -> Strata:
        """With those of fewer than k people joined to the nearest."""
        if self.people.min() >= k:
            return self
        means = [[float(m.mean) for m in centres[s]] for s in range(len(self.people))]
        return replace(self, group=joined_strata(np.array(means), self.people, k))

    @property
    def n_before(self) -> int:
        """Number of strata as they came."""
        return len(self.people)

    @property
    def n_strata(self) -> int:
        """Strata that are kept apart."""
        return int(self.group.max()) + 1

    @property
    def n_merged(self) -> int:
        """Strata that share their records with another now."""
        sizes = np.bincount(self.group)
        return int(sizes[sizes > 1].sum())

    @property
    def kept(self) -> np.ndarray:
        """The stratum that each record of a table in memory keeps to."""
        assert self.own is not None
        kept: np.ndarray = self.group[self.own]
        return kept

    def common(self, name: str, group: int) -> str:
        """The values of a stratum in a column, joined as text."""
        assert self.frame is not None
        codes, values = dictionary(nw.from_native(self.frame[name], series_only=True))
        check_joinable(name, self.frame.schema[name], values)
        return str(common_words(self.group, codes, values)[group])


def strata_of(
    prepared: Prepared, recipe: Recipe, units: np.ndarray | None
) -> Strata | None:
    """Stratum of each record; one that is too small is an error, unless merged."""
    if not recipe.strata:
        return None
    own = strata_codes(prepared.frame, recipe.strata)
    people = np.arange(len(own)) if units is None else units
    sizes = people_of(own, people, int(own.max()) + 1)
    _refuse_small(prepared.frame, recipe, own, sizes)
    pairs = np.unique(np.column_stack([people, own]), axis=0)
    if recipe.unit_records != APART:
        refuse_crossing(recipe, int(np.sum(np.bincount(pairs[:, 0]) > 1)))
    group = np.arange(len(sizes))
    if recipe.small_strata == "merge":
        scaler = prepared.scaler(recipe.scale, recipe.importance)
        Z, strata = scaler.fit_transform(prepared.X), own
        if units is not None and recipe.unit_records != APART:
            Z, strata = cell_means(Z, units), pairs[:, 1]
        group = joined_strata(cell_means(Z, strata), sizes, recipe.k)
    return Strata(sizes, group, own)


def _refuse_small(
    frame: Any, recipe: Recipe, codes: np.ndarray, sizes: np.ndarray
) -> None:
    """Refuse strata of too few people; those that are merged may have any."""
    by_unit = recipe.unit not in (None, RECORDS)
    people = f"values of {recipe.unit}" if by_unit else "records"
    least = 1 if recipe.small_strata == "merge" else recipe.k
    refuse_small_strata(frame, recipe.strata, codes, sizes, least, people)


def refuse_crossing(recipe: Recipe, n_crossing: int) -> None:
    """Refuse units with records in two strata: no cell could hold them."""
    if n_crossing:
        raise SchemaError(
            f"{n_crossing} value(s) of the unit {recipe.unit!r} have records in more "
            f"than one stratum of {list(recipe.strata)}, so that no cell could hold "
            "them.",
            column=recipe.unit,
            option="strata",
            hint="Choose strata that do not change within a unit.",
        )


def check_joinable(name: str, dtype: Any, values: list[Any]) -> None:
    """Refuse values that cannot be joined as text."""
    if any(isinstance(value, (list, dict, bytes)) for value in values):
        raise SchemaError(
            f"Column {name!r} is released as it is, but strata were merged, and "
            f"values of type {dtype} cannot be joined.",
            column=name,
            option="strata",
            hint="Make it a quasi-identifier, leave it out, or convert it to text.",
        )


def common_words(strata: np.ndarray, codes: np.ndarray, values: list[Any]) -> Any:
    """The values of each stratum, joined as text."""
    joined: dict[int, list[Any]] = {}
    for stratum, code in np.unique(np.column_stack([strata, codes]), axis=0).tolist():
        joined.setdefault(stratum, []).append(values[code])
    words = [" | ".join(map(str, sorted(joined[s]))) for s in range(len(joined))]
    return np.array(words, dtype=object)


def with_common_values(frame: Any, strata: Strata, names: list[str]) -> Any:
    """Give records of merged strata the values of all of them, joined as text.

    What a reader sees together must hold together: a stratum of two records keeps
    its own value in no released column.

    Parameters
    ----------
    frame : narwhals.DataFrame
        The released table.
    strata : Strata
    names : list of str
        Strata that are released as they are.
    """
    if strata.n_merged == 0:
        return frame
    for name in names:
        series = frame[name]
        codes, values = dictionary(series)
        check_joinable(name, series.dtype, values)
        words = common_words(strata.kept, np.asarray(codes), values)
        common = series_like(series, words[strata.kept], nw.String())
        frame = frame.with_columns(common.alias(name))
    return frame
