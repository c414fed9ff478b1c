"""The shape of a column: a histogram, or its most frequent values, under the rule of k.

No value that fewer than k people have is in it. Bins begin and end at round numbers or
dates; the first and the last hold all that lies beyond, so that nobody's extreme shows.
Bins of fewer than k people are merged with their neighbours, and each part of a merged
one gets an equal share of its records: the grid stays even, and tells nothing of few.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from microcell.columns import ENCODERS
from microcell.inspection._column import Column
from microcell.report import (
    CALENDAR_STEPS,
    TAIL,
    Calendar,
    Ordered,
    People,
    Values,
    fitting_ruler,
    frequent_codes,
    merged_edges,
    microseconds_of,
)

MAX_EVEN_BINS = 24
MAX_BARS = 12


def column_shape(
    column: Column, kind: str | None, k: int, people: np.ndarray | None = None
) -> dict[str, Any] | None:
    """How the values of a column are distributed, as plain data.

    Parameters
    ----------
    column : Column
    kind : str or None
        How it would be masked: numbers and dates have histograms, unless they are
        categories.
    k : int
        Least number of people of whom something is told.
    people : ndarray of shape (n_records,), optional
        Whose record each is, -1 if nobody's; by default every record is a person.

    Returns
    -------
    shape : dict or None
        ``{"form": "numbers" or "dates", "low", "high", "counts", "edges"}``, where
        edges are texts, one more than counts, and counts of merged bins may have
        fractions; or ``{"form": "categories", "bars": [{"value", "count"}], "other",
        "n_other"}``, where other records have values of which there are n_other. None
        of a column whose values cannot be told apart.

    Examples
    --------
    >>> ages = Column("age", codes=np.arange(100), values=pl.Series(range(100)),
    ...               counts=np.ones(100, np.int64))
    >>> shape = column_shape(ages, "numeric", k=5)
    >>> shape["low"], shape["high"], shape["counts"][:3], shape["edges"][:3]
    (0.0, 100.0, [5, 5, 5], ['0', '5', '10'])
    """
    if not column.codes.size:
        return None
    crowd = People(k, column.n_records, _numbered(people))
    if column.n_distinct and (kind is None or ENCODERS[kind].measured):
        shape = _histogram(column, crowd)
        if shape is not None:
            return shape
    return _categories(column, crowd)


def _numbered(people: np.ndarray | None) -> np.ndarray | None:
    """Numbers from 0; whoever is not known is taken for one person."""
    return None if people is None else people - min(int(people.min(initial=0)), 0)


def _histogram(column: Column, people: People) -> dict[str, Any] | None:
    """An even grid of bins; None of what is no number, or too alike for two bins."""
    dtype = column.values.dtype
    dates = dtype in (pl.Date, pl.Datetime, pl.Time)
    if not (dtype.is_numeric() or dates):
        return None
    numbers = column.values.to_physical().cast(pl.Float64).to_numpy()
    if dates:
        numbers = numbers * microseconds_of(dtype)
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return None
    numbers = np.clip(numbers, finite.min(), finite.max())
    x = np.append(numbers, np.nan)[column.codes]
    ordered = Ordered(x, people)
    ends = ordered.ends(TAIL)
    if ends is None or not ends[0] < ends[1]:
        return None
    ruler = fitting_ruler(ordered, Values(x, x, dates, dtype == pl.Time))
    step = _step(ruler, ends)
    if step is None:
        return None
    inner = ruler.edges(step, *ends)
    counts = _even_counts(ordered, inner, merged_edges(ordered, inner))
    edges = _with_outer(ruler, step, inner, ends)
    texts = [ruler.text(step, edge) for edge in edges]
    low, high = (texts[0], texts[-1]) if dates else (float(edges[0]), float(edges[-1]))
    return {
        "form": "dates" if dates else "numbers",
        "low": low,
        "high": high,
        "counts": [_count(count) for count in counts.tolist()],
        "edges": texts,
    }


def _step(ruler: Any, ends: tuple[float, float]) -> Any:
    """The finest step that gives few enough bins, and at least two; or None."""
    for step in ruler.steps(*ends, 10 * MAX_EVEN_BINS):
        if ruler.n_edges(step, *ends) > MAX_EVEN_BINS:
            continue  # too many to be made
        if 0 < ruler.edges(step, *ends).size < MAX_EVEN_BINS:
            return step
    return None


def _even_counts(ordered: Ordered, inner: np.ndarray, merged: np.ndarray) -> np.ndarray:
    """Records of each bin between inner edges, alike in what was merged."""
    places = np.searchsorted(ordered.values, merged, side="left")
    together = np.diff([0, *places, ordered.values.size])
    group = np.searchsorted(merged, np.r_[-np.inf, inner], side="right")
    return together[group] / np.bincount(group)[group]


def _with_outer(
    ruler: Any, step: Any, inner: np.ndarray, ends: tuple[float, float]
) -> np.ndarray:
    """Edges with the round ones around both ends."""
    length = CALENDAR_STEPS[step] if isinstance(step, Calendar) else step.size
    wide = ruler.edges(step, ends[0] - 2 * length, ends[1] + 2 * length)
    return np.r_[wide[wide < inner[0]].max(), inner, wide[wide > inner[-1]].min()]


def _count(value: float) -> float:
    return int(value) if value == int(value) else round(value, 3)


def _categories(column: Column, people: People) -> dict[str, Any]:
    """The most frequent values, and how many records have others."""
    named, _ = frequent_codes(column.codes, column.n_distinct, people, MAX_BARS)
    counts = column.counts
    return {
        "form": "categories",
        "bars": [
            {"value": str(column.values[code]), "count": int(counts[code])}
            for code in named
        ],
        "other": int(counts.sum() - counts[named].sum()),
        "n_other": column.n_distinct - len(named),
    }
