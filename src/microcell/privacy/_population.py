"""Which records of a population a class of a release may be about.

A released value matches the population's values that it shows: an equal one; those
inside of an interval such as ``[30, 40]``, ``[30, 40)`` or ``(30, 40]``; those that
begin as a text before its stars, ``037**``, and all for ``*``; those of a set
``{a, b}``. Numbers are compared as numbers, also if they are text; a missing value
matches a missing value. A mean matches only who has exactly that value: release
intervals where a population is to be matched.
"""

import itertools
import re
from pathlib import Path
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl

from microcell._patterns import NUMBER
from microcell.exceptions import InputError, absent_column
from microcell.kernels.compiled import njit
from microcell.privacy._classes import PEOPLE, as_polars, count_classes
from microcell.privacy._view import View

INTERVAL = re.compile(r"^([\[(])\s*(.+?)\s*,\s*(.+?)\s*([\])])$")
MAX_CLASS_PARTS = 1000  # of a class whose values are sets


class Matches(NamedTuple):
    """Each class of a release beside the population that it matches."""

    released: np.ndarray  # (n_classes,) people of the class
    population: np.ndarray  # (n_classes,) records of the population that match it
    classes_of: np.ndarray  # (n_distinct,) classes that each distinct record matches


def load_population(population: Any) -> Any:
    """The population as a table: itself, or what a path leads to."""
    if isinstance(population, (str, Path)):
        from microcell.io import read_table

        return read_table(population)
    return population


def match_population(view: View, population: Any) -> Matches:
    """Count the population of each class of a view."""
    table = load_population(population)
    columns = list(nw.from_native(table, eager_only=True).columns)
    for name in view.known:
        if name not in columns:
            raise absent_column(name, "population", columns)
    classes = view.counts().frame
    counted = count_classes(as_polars(table, view.known), view.known).frame
    low, high, owner, ranks = _boxes(classes, counted, view.known)
    weights = counted[PEOPLE].to_numpy().astype(np.int64)
    narrow = int(np.argmin((high - low).sum(axis=0)))
    order = np.argsort(ranks[:, narrow], kind="stable")
    matched, hits = np.zeros(classes.height, np.int64), np.zeros(len(order), np.int64)
    count_in_boxes(
        ranks[order], weights[order], low, high, owner, narrow, matched, hits
    )
    return Matches(classes[PEOPLE].to_numpy().astype(np.int64), matched, hits)


def _boxes(classes: Any, counted: Any, names: Any) -> tuple[np.ndarray, ...]:
    """Classes as ranges of the ranks of the population's values, several for sets."""
    ranks = np.empty((counted.height, len(names)), dtype=np.int64)
    ranges: list[list[list[tuple[int, int]]]] = []
    for j, name in enumerate(names):
        shown = _texts(classes[name])
        values = _texts(counted[name])
        by_text = any(m.endswith("*") and m != "*" for m in shown if m is not None)
        found = np.array([v is not None for v in values])
        numeric = not by_text and all(_is_number(v) for v in values if v is not None)
        keys = [float(v) if numeric else v for v in values if v is not None]
        distinct, place = np.unique(np.array(keys), return_inverse=True)
        ranks[found, j], ranks[~found, j] = place, len(distinct)
        known = {m: _ranges(m, distinct, numeric) for m in set(shown)}
        ranges.append([known[m] for m in shown])
    low, high, owner = [], [], []
    for row in range(classes.height):
        parts = [column[row] for column in ranges]
        if np.prod([len(part) for part in parts]) > MAX_CLASS_PARTS:
            raise InputError(
                f"A class of the release shows sets with more than {MAX_CLASS_PARTS} "
                "combinations, too many to match a population.",
                hint="Release intervals instead.",
            )
        for box in itertools.product(*parts):
            low.append([start for start, _ in box])
            high.append([end for _, end in box])
            owner.append(row)
    shape = (-1, len(names))
    return (
        np.array(low, dtype=np.int64).reshape(shape),
        np.array(high, dtype=np.int64).reshape(shape),
        np.array(owner, dtype=np.int64),
        ranks,
    )


def _texts(values: pl.Series) -> list[str | None]:
    if values.dtype.is_float():
        values = values.fill_nan(None)
    if values.dtype == pl.String:
        values = values.str.strip_chars().replace("", None)
    return [None if v is None else str(v) for v in values.to_list()]


def _is_number(text: str) -> bool:
    return re.fullmatch(NUMBER, text) is not None


def _ranges(
    mark: str | None, distinct: np.ndarray, numeric: bool
) -> list[tuple[int, int]]:
    """Ranges of ranks that a released value matches; the last rank is missing."""
    n_values = len(distinct)
    if mark is None:
        return [(n_values, n_values + 1)]
    if mark == "*":
        return [(0, n_values + 1)]
    if n_values == 0:
        return []
    if mark.endswith("*"):
        return _between(distinct, mark.rstrip("*"), mark.rstrip("*") + "\U0010ffff")
    interval = INTERVAL.match(mark)
    if interval:
        ends = interval[2], interval[3]
        if not numeric or all(map(_is_number, ends)):
            start, end = (float(e) if numeric else e for e in ends)
            return _between(
                distinct, start, end, interval[1] == "(", interval[4] == ")"
            )
    if mark.startswith("{") and mark.endswith("}"):
        members = {member.strip() for member in mark[1:-1].split(",")}
        return [r for m in sorted(members) for r in _ranges(m, distinct, numeric)]
    if numeric and not _is_number(mark):
        return []
    value = float(mark) if numeric else mark
    return _between(distinct, value, value)


def _between(
    distinct: np.ndarray, start: Any, end: Any, above: bool = False, below: bool = False
) -> list[tuple[int, int]]:
    first = int(np.searchsorted(distinct, start, side="right" if above else "left"))
    last = int(np.searchsorted(distinct, end, side="left" if below else "right"))
    return [(first, last)] if first < last else []


@njit(cache=True, nogil=True)
def count_in_boxes(ranks, weights, low, high, owner, narrow, matched, hits):
    """Add the weights of the records in each box to its owner.

    Parameters
    ----------
    ranks : ndarray of shape (n_records, n_columns)
        In ascending order of the column `narrow`.
    matched, hits : ndarray
        OUT: weight of each owner, and boxes that each record is in.
    """
    column = ranks[:, narrow].copy()
    for box in range(low.shape[0]):
        first = np.searchsorted(column, low[box, narrow])
        last = np.searchsorted(column, high[box, narrow])
        for i in range(first, last):
            inside = True
            for j in range(ranks.shape[1]):
                if ranks[i, j] < low[box, j] or ranks[i, j] >= high[box, j]:
                    inside = False
                    break
            if inside:
                matched[owner[box]] += weights[i]
                hits[i] += 1
