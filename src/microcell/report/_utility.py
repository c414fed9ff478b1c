"""What is left to learn: associations, cells, models."""

from __future__ import annotations

from typing import Any

import numpy as np

from microcell.metrics import association_matrix, rounded_joint
from microcell.report._columns import Column
from microcell.report._geometry import Geometry
from microcell.report._people import People, first_rows
from microcell.report._risk import first_of_classes
from microcell.report._rulers import decimals, digits
from microcell.report._shown import NOT_THERE, frequent_codes

MAX_ASSOCIATED_COLUMNS = 20  # columns
MAX_PAIRED_RECORDS = 200_000  # records
MAX_PICTURED_CELLS = 2_000  # in the picture


def associations(columns: list[Column], people: People) -> dict[str, Any] | None:
    """How strongly columns go together before and after, and the largest change.

    What one person far from all others has in another column could be computed from
    the association of both, and so could what the only one of a category has. Columns
    in which fewer than k people make up most of the spread are left out, and rare
    categories count as one.
    """
    rows = first_rows(people.n_records, MAX_PAIRED_RECORDS)
    people = people.among(rows)
    found: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    compared: list[Any] = []
    for column in columns:
        if len(compared) < MAX_ASSOCIATED_COLUMNS and column.comparable:
            sides = _sides(column, rows, people)
            if sides is not None:
                found[column.name] = sides
                compared.append(column)
    if len(compared) < 2 or all(c.role != "quasi-identifier" for c in compared):
        return None
    nominal = [j for j, c in enumerate(compared) if not c.measured]
    before, after = (
        association_matrix(np.column_stack(side), nominal=nominal)
        for side in zip(*found.values(), strict=True)
    )
    hidden = _pairs_of_few([side for side, _ in found.values()], nominal, people)
    before[hidden] = after[hidden] = np.nan
    before, after = (np.vectorize(rounded_joint)(m, rows.size) for m in (before, after))
    changes = np.abs(after - before)[~hidden & ~np.eye(len(compared), dtype=bool)]
    if changes.size == 0:
        return None
    return {
        "names": [*found],
        "before": _matrix(before),
        "after": _matrix(after),
        "largest_change": rounded_joint(float(changes.max()), rows.size),
    }


def _sides(
    column: Column, rows: np.ndarray, people: People
) -> tuple[np.ndarray, np.ndarray] | None:
    """A column before and after, with rare categories as one; None if few decide."""
    if column.before is None:
        return None
    before, after = column.before[rows], column.after[rows]
    if not column.measured:
        named, told = frequent_codes(before, column.n_values, people, column.n_values)
        rest = len(column.labels)
        before = column.numbers(_with_rest(before, named, rest, rest, told))
        after = column.numbers(_with_rest(after, named, column.n_values, rest, told))
        if np.unique(before[~np.isnan(before)]).size < 2:
            return None
    there = np.flatnonzero(~np.isnan(before))
    return (before, after) if _even(before, there, people, column.measured) else None


def _with_rest(
    codes: np.ndarray, named: list[int], groups: int, rest: int, told: bool
) -> np.ndarray:
    """Codes that are named and those of groups; all others are the rest."""
    kept = np.isin(codes, named) | (codes >= groups)
    return np.where(kept | (told & (codes == NOT_THERE)), codes, rest)


def _even(x: np.ndarray, there: np.ndarray, people: People, measured: bool) -> bool:
    """Whether k people have each category, or fewer do not make up the spread."""
    if not people.enough(there):
        return False
    values = x[there]
    if measured:
        apart = (values - np.median(values)) ** 2
        return not people.dominated(apart, there)
    codes = np.unique(values, return_inverse=True)[1]
    counts = people.among(there).by_code(codes, 0)
    return bool(counts.min() >= people.k)


def _pairs_of_few(
    columns: list[np.ndarray], nominal: list[int], people: People
) -> np.ndarray:
    """Pairs of columns that few people have both of, or few decide about."""
    hidden = np.zeros((len(columns), len(columns)), dtype=bool)
    gaps = [np.isnan(x) for x in columns]
    for i, x in enumerate(columns):
        for j in range(i):
            if not (gaps[i].any() or gaps[j].any()):
                continue
            there = np.flatnonzero(~(gaps[i] | gaps[j]))
            hidden[i, j] = hidden[j, i] = not (
                _even(x, there, people, i not in nominal)
                and _even(columns[j], there, people, j not in nominal)
            )
    return hidden


def _matrix(values: np.ndarray) -> list[list[float | None]]:
    return [[decimals(float(value)) for value in row] for row in values]


def picture_of_cells(
    geometry: Geometry,
    classes: np.ndarray,
    cell_sizes: np.ndarray | None = None,
    n_classes: int | None = None,
) -> dict[str, Any] | None:
    """Classes of the release on their two principal axes; nothing of the original.

    Parameters
    ----------
    geometry : Geometry
    classes : ndarray of shape (n_records,)
        Equivalence class of each record that it has.
    cell_sizes : ndarray of shape (n_records,), optional
        Records in the cell of each, and
    n_classes : int, optional
        classes of the release, where these records are a sample.
    """
    first = first_of_classes(classes)
    if first.size < 2:
        return None
    sizes = np.bincount(classes)
    weights = sizes / sizes.sum()
    sizes = sizes if cell_sizes is None else cell_sizes[first]
    points = geometry.released_points(first, weights)
    variances, axes = np.linalg.eigh((points * weights[:, None]).T @ points)
    total = float(variances.clip(0).sum())
    if total <= 0:
        return None
    axes = axes[:, ::-1][:, :2]
    largest = np.abs(axes).argmax(axis=0)
    axes = axes * np.sign(axes[largest, np.arange(axes.shape[1])])
    places = points @ axes
    if places.shape[1] == 1:
        places = np.column_stack([places, np.zeros(len(places))])
    order = np.lexsort([places[:, 1], places[:, 0]])
    shown = order[_evenly(order.size, MAX_PICTURED_CELLS)]
    shares = [*(variances[::-1][:2] / total), 0.0]
    return {
        "x": [digits(float(x)) for x in places[shown, 0]],
        "y": [digits(float(y)) for y in places[shown, 1]],
        "records": [int(size) for size in sizes[shown]],
        "explained": [digits(float(max(share, 0))) for share in shares[:2]],
        "shown": int(shown.size),
        "of": int(first.size if n_classes is None else n_classes),
    }


def _evenly(n: int, most: int) -> np.ndarray:
    """Places from first to last, evenly spaced, all if they are not more."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).astype(np.int64))
