"""Strata of a release: sizes in people, merging, and a common value for the merged."""

from __future__ import annotations

from collections import Counter
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
from microcell.pipeline._arrivals import OWN
from microcell.pipeline._sample import COUNT
from microcell.privacy import ON_CELLS, Finding, as_polars
from microcell.recipe import APART, RECORDS, Recipe

if TYPE_CHECKING:
    from microcell.embed import Moments

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
    own_people : ndarray of shape (n_before,)
        Those who are counted in this one alone, though they may be in several.
    group : ndarray of shape (n_before,)
        Which of them are one, because some were too small.
    frame : polars.DataFrame
        The values that name strata.
    own : ndarray of shape (n_records,) or None
        The stratum of each record, of a table in memory.
    """

    people: np.ndarray
    own_people: np.ndarray
    group: np.ndarray
    frame: pl.DataFrame
    own: np.ndarray | None = None

    @classmethod
    def of(
        cls, known: pl.DataFrame | None, counted: Counter[str], recipe: Recipe
    ) -> Strata | None:
        """Those of a table; one that is too small is an error, unless merged.

        Parameters
        ----------
        known : polars.DataFrame or None
            Values that name strata, how many people each has, and how many of them
            are counted there alone.
        counted : Counter
            Missing values of each, and people with records in several.
        recipe : Recipe
        """
        if known is None:
            return None
        names = list(recipe.strata)
        for name in names:
            if counted[missing_in(name)]:
                raise missing_stratum(name)
        known = known.sort(names)
        sizes = known[COUNT].to_numpy()
        place = np.arange(len(sizes))
        frame = nw.from_native(known, eager_only=True)
        least = 1 if recipe.small_strata == "merge" else recipe.k
        by_unit = recipe.unit not in (None, RECORDS)
        people = f"values of {recipe.unit}" if by_unit else "records"
        refuse_small_strata(frame, names, place, sizes, least, people)
        if counted[CROSSING] and recipe.unit_records != APART:
            raise SchemaError(
                f"{counted[CROSSING]} value(s) of the unit {recipe.unit!r} have "
                f"records in more than one stratum of {names}, so that no cell could "
                "hold them.",
                column=recipe.unit,
                option="strata",
                hint="Choose strata that do not change within a unit.",
            )
        return cls(sizes, known[OWN].to_numpy(), place, known.select(names))

    def of_table(
        self, prepared: Prepared, recipe: Recipe, units: np.ndarray | None
    ) -> Strata:
        """With the stratum of each record of a table in memory; small ones merged."""
        own, group = strata_codes(prepared.frame, recipe.strata), self.group
        if self.people.min() < recipe.k:
            scaler = prepared.scaler(recipe.scale, recipe.importance)
            Z, strata = scaler.fit_transform(prepared.X), own
            if units is not None and recipe.unit_records != APART:
                first = np.unique(units, return_index=True)[1]
                Z, strata = cell_means(Z, units), own[first]
            group = self._joined(cell_means(Z, strata), recipe.k)
        return replace(self, own=own, group=group)

    def codes(self, table: pl.DataFrame) -> np.ndarray:
        """Stratum of each record of a part, as it came."""
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
        return replace(self, group=self._joined(np.array(means), k))

    def _joined(self, means: np.ndarray, k: int) -> Any:
        return joined_strata(means, self.people, k, self.own_people)

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

    def with_common_values(self, frame: Any, names: list[str], kept: Any) -> Any:
        """Give records of merged strata the values of all of them, joined as text.

        What a reader sees together must hold together: a stratum of two records keeps
        its own value in no released column.

        Parameters
        ----------
        frame : narwhals.DataFrame
            The released table, or a part of it.
        names : list of str
            Strata that are released as they are.
        kept : ndarray of shape (n_records,)
            The stratum that each record keeps to.
        """
        if self.n_merged == 0:
            return frame
        for name in names:
            known = nw.from_native(self.frame[name], series_only=True)
            codes, values = dictionary(known)
            check_joinable(name, known.dtype, values)
            words = common_words(self.group, codes, values)
            common = series_like(frame[name], words[kept], nw.String())
            frame = frame.with_columns(common.alias(name))
        return frame


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
