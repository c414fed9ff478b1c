"""What is left to learn: associations, cells, models."""

from __future__ import annotations

from typing import Any

import numpy as np

from microcell.metrics import association_matrix
from microcell.report._columns import Column
from microcell.report._geometry import Geometry
from microcell.report._people import sample_rows
from microcell.report._risk import first_of_classes
from microcell.report._rulers import digits

MOST_ASSOCIATED = 20  # columns
MOST_PAIRED = 200_000  # records
MOST_CELLS = 2_000  # in the picture


def associations(columns: list[Column]) -> dict[str, Any] | None:
    """How strongly columns go together before and after, and the largest change."""
    compared = [c for c in columns if c.comparable and c.before is not None]
    compared = compared[:MOST_ASSOCIATED]
    if len(compared) < 2 or all(c.role != "quasi-identifier" for c in compared):
        return None
    rows = sample_rows(compared[0].after.size, MOST_PAIRED)
    nominal = [j for j, c in enumerate(compared) if not c.measured]
    sides = [
        np.column_stack([c.numbers(side(c))[rows] for c in compared])
        for side in (lambda c: c.before, lambda c: c.after)
    ]
    before, after = (association_matrix(X, nominal=nominal) for X in sides)
    return {
        "names": [c.name for c in compared],
        "before": _matrix(before),
        "after": _matrix(after),
        "largest_change": digits(float(np.abs(after - before).max())),
    }


def _matrix(values: np.ndarray) -> list[list[float | None]]:
    return [[digits(float(value)) for value in row] for row in values]


def picture_of_cells(geometry: Geometry, classes: np.ndarray) -> dict[str, Any] | None:
    """Classes of the release on their two principal axes; nothing of the original."""
    first = first_of_classes(classes)
    if first.size < 2:
        return None
    (points,) = geometry.expanded(geometry.Z_released[first])
    sizes = np.bincount(classes)
    weights = sizes / sizes.sum()
    points = points - weights @ points
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
    shown = order[_evenly(order.size, MOST_CELLS)]
    shares = [*(variances[::-1][:2] / total), 0.0]
    return {
        "x": [digits(float(x)) for x in places[shown, 0]],
        "y": [digits(float(y)) for y in places[shown, 1]],
        "records": [int(size) for size in sizes[shown]],
        "explained": [digits(float(max(share, 0))) for share in shares[:2]],
        "shown": int(shown.size),
        "of": int(first.size),
    }


def _evenly(n: int, most: int) -> np.ndarray:
    """Places from first to last, evenly spaced, all if they are not more."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).astype(np.int64))
