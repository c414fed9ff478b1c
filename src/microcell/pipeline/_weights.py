"""Sampling weights: how many people each record stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw
import numpy as np

from microcell.aggregate import votes_of
from microcell.columns import Marks, as_marks, is_missing, read_text
from microcell.exceptions import InputError, SchemaError
from microcell.privacy import Finding
from microcell.recipe import APART, WEIGHTED, Recipe, representatives_of

if TYPE_CHECKING:
    from microcell.pipeline._masking import Cells

MAX_SHARE_OF_A_CELL = 0.7  # share of its weight from which a person dominates a cell
NEARLY_ALL_OF_A_CELL = 0.9  # from which what is released of it is that person's
# What is counted of the weights of a part of a table.
WEIGHTS_MISSING, WEIGHTS_WRONG, BELOW_ONE = "missing", "wrong", "below one"


def weights_of(
    frame: Any, name: str, marks: Marks | Sequence[str] = (), decimal: str | None = None
) -> np.ndarray:
    """Weight of each record, of a narwhals dataframe; see `read_weights`."""
    weights, counted = read_weights(frame, name, marks, decimal)
    refuse_weights(name, counted)
    return weights


def read_weights(
    frame: Any,
    name: str,
    marks: Marks | Sequence[str] = (),
    decimal: str | None = None,
    units: np.ndarray | None = None,
) -> tuple[np.ndarray, Counter[str]]:
    """Weight of each record of a part, and what is wrong with them, which adds up."""
    series, counted = frame[name], Counter[str]()
    n_missing = int(is_missing(series, as_marks(marks).also("")).sum())
    if n_missing:
        return np.ones(len(series)), Counter({WEIGHTS_MISSING: n_missing})
    if series.dtype == nw.String:
        series = read_text(series, "numeric", decimal=decimal)
    if not series.dtype.is_numeric():
        raise _refusal(name, "it holds no numbers", "Name a column of numbers.")
    weights = series.cast(nw.Float64()).to_numpy().astype(np.float64)
    counted[WEIGHTS_WRONG] = int(np.sum(~(np.isfinite(weights) & (weights > 0))))
    below = np.flatnonzero(weights < 1)
    counted[BELOW_ONE] = below.size if units is None else np.unique(units[below]).size
    return weights, counted


def refuse_weights(name: str, counted: Counter[str]) -> None:
    """Refuse weights that are missing or no numbers of people."""
    if counted[WEIGHTS_MISSING]:
        n_missing = counted[WEIGHTS_MISSING]
        raise _refusal(name, f"{n_missing} record(s) have none", "Fill them.")
    if counted[WEIGHTS_WRONG]:
        raise _refusal(
            name,
            f"{counted[WEIGHTS_WRONG]} record(s) have one that is not positive and "
            "finite",
            "Correct them, or leave those records out.",
        )


def said_of_weights(
    name: str, counted: Counter[str], k: int, by_unit: bool
) -> list[str]:
    """What is to be said of weights; counts below k are not told."""
    n_below = counted[BELOW_ONE]
    if not n_below:
        return []
    count = n_below if n_below >= k else f"fewer than {k}"
    return [
        f"{count} {'people' if by_unit else 'records'} have a weight below 1 in "
        f"{name!r}, as if they stood for less than one person"
    ]


def _refusal(name: str, why: str, hint: str) -> SchemaError:
    return SchemaError(
        f"Column {name!r} holds the sampling weights, but {why}.",
        column=name,
        option="weights",
        hint=hint,
    )


def heaviest_shares(
    cells: np.ndarray, weights: np.ndarray, units: np.ndarray | None = None
) -> np.ndarray:
    """Share of the person with most weight in each cell.

    Examples
    --------
    >>> heaviest_shares(np.array([0, 0, 1, 1]), np.array([3.0, 1.0, 2.0, 2.0]))
    array([0.75, 0.5 ])
    """
    if units is not None:
        pairs, which = np.unique(
            np.column_stack([cells, units]), axis=0, return_inverse=True
        )
        cells, weights = pairs[:, 0], np.bincount(which.ravel(), weights=weights)
    heaviest = np.zeros(int(cells.max()) + 1)
    np.maximum.at(heaviest, cells, weights)
    return heaviest / np.bincount(cells, weights=weights)


class Dominated(NamedTuple):
    """Cells in which one person has nearly all of the weight, and most of it."""

    nearly_all: int = 0
    most: int = 0

    @classmethod
    def of(cls, shares: np.ndarray) -> Dominated:
        """Those among some cells, by `heaviest_shares`."""
        told = int(np.sum(shares > NEARLY_ALL_OF_A_CELL))
        return cls(told, int(np.sum(shares > MAX_SHARE_OF_A_CELL)))


def dominated_cells(found: Dominated, name: str | None) -> list[str]:
    """What is to be decided of cells in which one person has most of the weight.

    What is released of such a cell is nearly that person's own.

    Parameters
    ----------
    found : Dominated
    name : str or None
        The column of weights; None where each record weighs the same.

    Raises
    ------
    InputError
        If a person has nearly all of the weight of a cell.
    """
    of = "records" if name is None else f"weight in {name!r}"
    way_out = "put the records of each person into one, or raise k"
    if name is not None:
        way_out = "trim the largest weights, raise k, or leave weights out"
    if found.nearly_all:
        raise InputError(
            f"In {found.nearly_all} cell(s) one person has more than "
            f"{100 * NEARLY_ALL_OF_A_CELL:.0f} % of the {of}, so what is "
            "released of the cell would be that person's values.",
            column=name,
            option="unit" if name is None else "weights",
            hint=f"{way_out[0].upper()}{way_out[1:]}.",
        )
    if not found.most:
        return []
    return [
        f"in {found.most} cell(s) one person has more than "
        f"{100 * MAX_SHARE_OF_A_CELL:.0f} % of the {of}, and what is released "
        f"of the cell is close to that person's values: {way_out}"
    ]


def dominated_in(
    cells: Cells,
    kinds: Mapping[str, str],
    recipe: Recipe,
    weights: np.ndarray | None,
    units: np.ndarray | None,
) -> Dominated:
    """Cells that one person decides, where rows or their weights say anything.

    A person with many records weighs as much as their records do together; with one
    vote in each cell, as much as they do on average.
    """
    one_vote = recipe.unit_records == APART
    if weights is None:
        if units is None or one_vote:
            return Dominated()
        weights = np.ones(len(units))
    shown, names = representatives_of(recipe, kinds), list(kinds)
    shares = []
    for labels, block in zip(cells.labels.T, cells.blocks, strict=True):
        if any(shown[names[j]] in WEIGHTED for j in block):
            votes = votes_of(labels, units) if one_vote and units is not None else 1.0
            shares.append(heaviest_shares(labels, votes * weights, units))
    return Dominated.of(np.concatenate(shares)) if shares else Dominated()


def dominance_of(classes: np.ndarray, weights: Any) -> Finding:
    """How much of the weight of a class one record has, as a check of a file says it.

    Examples
    --------
    >>> print(dominance_of(np.array([0, 0, 1, 1]), np.array([3.0, 1.0, 2.0, 2.0])))
    largest share of the weight of a class: promised 0.9, found 0.75
    """
    shares = heaviest_shares(classes, weights)
    failing = np.bincount(classes)[shares > NEARLY_ALL_OF_A_CELL]
    return Finding(
        promise="largest share of the weight of a class",
        promised=NEARLY_ALL_OF_A_CELL,
        found=float(shares.max()),
        records_failing=int(failing.sum()),
    )


def unit_weights(
    classes: np.ndarray, weights: np.ndarray, units: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Class and weight of each person: a unit counts once, with its mean weight.

    A unit with records in several classes counts once in each.

    Examples
    --------
    >>> units = np.array([0, 0, 1])
    >>> unit_weights(np.array([0, 0, 1]), np.array([2.0, 4.0, 5.0]), units)
    (array([0, 1]), array([3., 5.]))
    """
    if units is None:
        return classes, weights
    means = np.bincount(units, weights=weights) / np.bincount(units)
    pairs = np.unique(np.column_stack([classes, units]), axis=0)
    return pairs[:, 0], means[pairs[:, 1]]
