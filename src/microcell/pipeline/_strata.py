"""Strata of a release: sizes in people, merging, and a common value for the merged."""

from __future__ import annotations

from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from microcell.aggregate import cell_means
from microcell.columns import Prepared, dictionary, series_like, strata_codes
from microcell.compose import merge_small
from microcell.exceptions import SchemaError
from microcell.privacy import ON_CELLS, Finding
from microcell.recipe import Recipe


class Strata(NamedTuple):
    """Strata as they came and as cells keep to them."""

    codes: np.ndarray  # (n_records,) after merging
    before: np.ndarray  # (n_records,) as they came

    @property
    def n_before(self) -> int:
        """Number of strata as they came."""
        return int(self.before.max()) + 1

    def finding(self) -> Finding:
        """How many strata are kept apart, beside what was promised."""
        return Finding(
            promise=f"strata kept apart, of {self.n_before}",
            promised=None,
            found=int(self.codes.max()) + 1,
            records_failing=0,
            basis=ON_CELLS,
        )

    @property
    def n_merged(self) -> int:
        """Strata that share their records with another now."""
        pairs = np.unique(np.column_stack([self.codes, self.before]), axis=0)
        sizes = np.bincount(pairs[:, 0])
        return int(sizes[sizes > 1].sum())


def strata_of(
    prepared: Prepared, recipe: Recipe, units: np.ndarray | None
) -> Strata | None:
    """Stratum of each record; one that is too small is an error, unless merged."""
    if not recipe.strata:
        return None
    first = np.arange(len(prepared.X))
    if units is not None:
        first = np.unique(units, return_index=True)[1]
    merge = recipe.small_strata == "merge"
    frame = prepared.frame if units is None else prepared.frame[first.tolist()]
    people = "records" if units is None else f"values of {recipe.unit}"
    strata = strata_codes(frame, recipe.strata, 1 if merge else recipe.k, people)
    if units is not None:
        _refuse_crossing(prepared, recipe, units)
    codes = strata
    if merge:
        scaler = prepared.scaler(recipe.scale, recipe.importance)
        Z = scaler.fit_transform(prepared.X)
        Z = Z if units is None else cell_means(Z, units)
        codes = merge_small(Z, strata, recipe.k)
    if units is not None:
        codes, strata = codes[units], strata[units]
    return Strata(codes, strata)


def _refuse_crossing(prepared: Prepared, recipe: Recipe, units: np.ndarray) -> None:
    """Refuse units with records in two strata: no cell could hold them."""
    own = strata_codes(prepared.frame, recipe.strata)
    pairs = np.unique(np.column_stack([units, own]), axis=0)
    n_crossing = int(np.sum(np.bincount(pairs[:, 0]) > 1))
    if n_crossing:
        raise SchemaError(
            f"{n_crossing} value(s) of the unit {recipe.unit!r} have records in more "
            f"than one stratum of {list(recipe.strata)}, so that no cell could hold "
            "them.",
            column=recipe.unit,
            option="strata",
            hint="Choose strata that do not change within a unit.",
        )


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
        if any(isinstance(value, (list, dict, bytes)) for value in values):
            raise SchemaError(
                f"Column {name!r} is released as it is, but strata were merged, and "
                f"values of type {series.dtype} cannot be joined.",
                column=name,
                option="strata",
                hint="Make it a quasi-identifier, leave it out, or convert it to text.",
            )
        pairs = np.unique(np.column_stack([strata.codes, codes]), axis=0)
        joined: dict[int, list[Any]] = {}
        for stratum, code in pairs.tolist():
            joined.setdefault(stratum, []).append(values[code])
        words = np.array(
            [" | ".join(map(str, sorted(joined[s]))) for s in range(len(joined))],
            dtype=object,
        )
        common = series_like(series, words[strata.codes], nw.String())
        frame = frame.with_columns(common.alias(name))
    return frame
