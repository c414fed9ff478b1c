"""What a report shows of a column before and after, under the rule of k.

No bin, quantile, category or count of missing values comes from fewer than k people,
and what is left over by those that are shown does not either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from microcell.report._people import People
from microcell.report._rulers import DAYS, digits, ruler_of

MAX_BINS = 20
MAX_SHOWN_CATEGORIES = 12
TAIL = 0.01  # of the records at each end, which have no bins of their own
SHOWN_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FINEST_PART = 1_000  # of the spread: the finest step of a quantile
REST = "other"  # what is left over
NOT_THERE = -1  # the code of what is missing


class Values(NamedTuple):
    """A column's numbers before and after, and how they are shown.

    Attributes
    ----------
    before, after : ndarray of shape (n_records,)
        NaN is missing; dates are microseconds. `before` is None where nothing may be
        told of it.
    moments : bool
        Whether they are dates, and no other numbers.
    of_day : bool
        Whether dates are times of day.
    """

    before: np.ndarray | None
    after: np.ndarray
    moments: bool = False
    of_day: bool = False


class Ordered:
    """The values of a column that are there, in ascending order.

    Attributes
    ----------
    values : ndarray of shape (n_there,)
    rows : ndarray of shape (n_there,)
        Record of each; any numbers if every record is a person.
    absent : ndarray of shape (n_records,)
        Where there is none.
    """

    def __init__(self, x: np.ndarray, people: People) -> None:
        self.people = people
        self.absent = np.isnan(x)
        self.rows = np.flatnonzero(~self.absent)
        self.values = x[self.rows]
        if people.units is None:
            self.values = np.sort(self.values)
        else:
            order = np.argsort(self.values, kind="stable")
            self.rows, self.values = self.rows[order], self.values[order]

    def between(self, low: float, high: float) -> np.ndarray:
        """Records with values from `low` to below `high`."""
        start, end = np.searchsorted(self.values, [low, high], side="left")
        return self.rows[start:end]

    def ends(self, tail: float = 0.0) -> tuple[float, float] | None:
        """Values at or beyond which k people lie at each end; None if there are not.

        With at least a share of `tail` of the records beyond.
        """
        first = self.people.until_enough(self.rows)
        last = self.people.until_enough(self.rows[::-1])
        if first < 0:
            return None
        least = int(tail * self.rows.size)
        low = self.values[max(first, least)]
        high = self.values[::-1][max(last, least)]
        return float(low), float(high)


def shown_numbers(values: Values, people: People) -> dict[str, Any]:
    """Missing share, mean, spread, quantiles and histogram of numbers or dates."""
    after = Ordered(values.after, people)
    before: Ordered | None = after  # of a column that is released as it is
    if values.before is not values.after:
        before = None if values.before is None else Ordered(values.before, people)
    decisive = after if before is None else before
    ruler = fitting_ruler(decisive, values)
    told = [_told(after, ruler)]
    told.append(told[0] if before is after else _told(before, ruler))
    both = dict(zip(("after", "before"), told, strict=True))
    shown: dict[str, Any] = {
        name: {side: both[side][name] for side in ("before", "after")}
        for name in ("missing", "mean", "sd")
    }
    shown["quantiles"] = [
        {"p": p} | {side: both[side]["quantiles"][i] for side in ("before", "after")}
        for i, p in enumerate(SHOWN_QUANTILES)
    ]
    if values.moments:
        shown["sd_unit"] = "hours" if values.of_day else "days"
    return shown | {"histogram": histogram_of(before, after, ruler)}


def fitting_ruler(column: Ordered, values: Values) -> Any:
    """Steps for a column; fractions that few people have do not make them finer."""
    fractions = column.values % (DAYS if values.moments else 1) != 0
    known = column.values
    if column.people.few(column.rows[fractions]):
        known = known[~fractions]
    return ruler_of(known, values.moments, values.of_day)


def _told(column: Ordered | None, ruler: Any) -> dict[str, Any]:
    """What is told of one side of a column."""
    if column is None:
        nothing = [None] * len(SHOWN_QUANTILES)
        return {"missing": None, "mean": None, "sd": None, "quantiles": nothing}
    mean, spread = moments_of(column)
    return {
        "missing": share_of(column.absent, column.people),
        "mean": None if mean is None else ruler.mean(mean),
        "sd": None if spread is None else ruler.spread(spread),
        "quantiles": quantiles_of(column, ruler),
    }


def share_of(mask: np.ndarray, people: People) -> float | None:
    """Share of records where something holds; None if it does for few, or all but few.

    Examples
    --------
    >>> absent = np.array([True, True, False, False, False])
    >>> share_of(absent, People(2, 5)), share_of(absent, People(3, 5))
    (0.4, None)
    """
    inside, outside = np.flatnonzero(mask), np.flatnonzero(~mask)
    if people.few(inside) or people.few(outside):
        return None
    return digits(inside.size / mask.size)


def moments_of(column: Ordered) -> tuple[float | None, float | None]:
    """Mean and standard deviation; None where a few people make up most of it."""
    if not column.people.enough(column.rows):
        return None, None
    values, rows = column.values, column.rows
    people, apart = column.people, np.abs(values - values[values.size // 2])
    mean = None if people.dominated(apart, rows) else float(values.mean())
    np.square(apart, out=apart)
    spread = None if people.dominated(apart, rows) else float(values.std())
    alike = values[0] == values[-1]  # of which rounding would make a spread
    return mean, 0.0 if alike else spread


def quantiles_of(column: Ordered, ruler: Any) -> list[Any]:
    """Each at the finest step at which k people are rounded to the same value."""
    ends = column.ends()
    if ends is None:
        return [None] * len(SHOWN_QUANTILES)
    last = column.values.size - 1
    return [
        _rounded(column, column.values[round(p * last)], ends, ruler)
        for p in SHOWN_QUANTILES
    ]


def _rounded(
    column: Ordered, value: float, ends: tuple[float, float], ruler: Any
) -> Any:
    low, high = ends
    if low >= high:  # all but a few have one value
        low, high = value - max(abs(value), 1.0), value
    for step in ruler.steps(low, high, FINEST_PART):
        bucket = ruler.bucket(step, value)
        if column.people.enough(column.between(bucket.low, bucket.high)):
            return bucket.shown
    return None


def histogram_of(
    before: Ordered | None, after: Ordered, ruler: Any
) -> dict[str, Any] | None:
    """Bins on a round grid, first and last open; None if there are no two of them."""
    decisive = after if before is None else before
    inner = decisive.ends(TAIL)
    if inner is None or inner[0] >= inner[1]:
        return None
    steps = ruler.steps(*inner, 10 * MAX_BINS)
    fitting = [s for s in steps if ruler.n_edges(s, *inner) <= MAX_BINS - 1]
    if not fitting:
        return None
    edges = merged_edges(decisive, ruler.edges(fitting[0], *inner))
    if edges.size == 0:
        return None
    return {
        "edges": [ruler.text(fitting[0], edge) for edge in edges],
        "positions": [float(edge) for edge in edges],
        "before": None if before is None else _shares(before, edges),
        "after": _shares(after, edges),
    }


def merged_edges(column: Ordered, edges: np.ndarray) -> np.ndarray:
    """Edges of bins that were merged with their neighbours until each has k people.

    Parameters
    ----------
    edges : ndarray
        Ascending; a value on an edge is in the bin above it.
    """
    enough = column.people.enough
    kept = [-np.inf]
    for edge in edges:
        if enough(column.between(kept[-1], edge)):
            kept.append(edge)
    while len(kept) > 1 and not enough(column.between(kept[-1], np.inf)):
        kept.pop()
    return np.array(kept[1:])


def _shares(column: Ordered, edges: np.ndarray) -> list[float | None]:
    """Share of the records in each bin; what few miss is counted in the largest."""
    places = np.searchsorted(column.values, edges, side="left")
    counts = np.diff([0, *places, column.values.size])
    missing = np.flatnonzero(column.absent)
    if column.people.few(missing):
        counts[counts.argmax()] += missing.size
    return [digits(count / max(counts.sum(), 1)) for count in counts]


def shown_categories(
    before: np.ndarray | None,
    after: np.ndarray,
    labels: Sequence[str],
    people: People,
    n_values: int | None = None,
) -> dict[str, Any]:
    """Missing share and shares of the categories that k people have.

    Parameters
    ----------
    before, after : ndarray of shape (n_records,)
        Codes from 0 to len(labels) - 1; -1 is missing.
    labels : sequence of str
        What each code stands for.
    n_values : int, optional
        Codes from here on are groups, which a release has and the original has not.
    """
    decisive = after if before is None else before
    n_values = len(labels) if n_values is None else n_values
    groups = _groups_of(after, n_values, len(labels), people)
    codes, told = frequent_codes(
        decisive, n_values, people, MAX_SHOWN_CATEGORIES - len(groups)
    )
    sides = {"before": before, "after": after}
    shares = {side: _shares_of_codes(x, len(labels)) for side, x in sides.items()}
    entries = [
        {"label": str(labels[code])}
        | {side: _digits_at(share, [1 + code]) for side, share in shares.items()}
        for code in (*codes, *groups)
    ]
    named = {0, *(1 + code for code in (*codes, *groups))} - (set() if told else {0})
    rest = [place for place in range(len(labels) + 1) if place not in named]
    left = {side: _digits_at(share, rest) for side, share in shares.items()}
    if any(left.values()):
        entries.append({"label": REST, **left})
    return {
        "missing": {
            side: None if x is None or not told else _digits_at(shares[side], [0])
            for side, x in sides.items()
        },
        "categories": entries,
        "same": None if before is None else share_of(before == after, people),
    }


def _shares_of_codes(x: np.ndarray | None, n_codes: int) -> np.ndarray | None:
    """Share of what is missing, and of each code."""
    return None if x is None else np.bincount(x + 1, minlength=n_codes + 1) / x.size


def _digits_at(shares: np.ndarray | None, places: list[int]) -> float | None:
    return None if shares is None else digits(float(shares[places].sum()))


def frequent_codes(
    codes: np.ndarray, n_codes: int, people: People, most: int
) -> tuple[list[int], bool]:
    """Codes that may be named, most frequent first, and whether what is missing may.

    Those that are left have k people together, or there are none of them: who sees the
    named ones knows how many are not. What few miss is left with them.

    Examples
    --------
    >>> codes = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 3])
    >>> frequent_codes(codes, 4, People(2, 10), 12)
    ([0, 1], True)
    """
    counts = people.by_code(codes + 1, n_codes + 1)
    often = np.lexsort([np.arange(n_codes), -counts[1:]])
    named = [int(code) for code in often[:most] if counts[1 + code] >= people.k]
    told = not 0 < counts[0] < people.k
    rest = np.flatnonzero(~np.isin(codes, [*named, *([NOT_THERE] if told else [])]))
    while named and people.few(rest):
        rest = np.concatenate([rest, np.flatnonzero(codes == named.pop())])
    return named, told and not people.few(rest)


def _groups_of(
    after: np.ndarray, n_values: int, n_codes: int, people: People
) -> list[int]:
    """Groups that k people are released with, most frequent first."""
    if n_codes == n_values:
        return []
    counts = people.by_code(after + 1, n_codes + 1)[1 + n_values :]
    often = np.lexsort([np.arange(counts.size), -counts])
    found = [n_values + int(g) for g in often if counts[g] >= people.k]
    return found[: MAX_SHOWN_CATEGORIES // 2]
