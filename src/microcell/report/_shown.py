"""What a report shows of a column before and after, under the rule of k.

No bin, quantile, category or count of missing values comes from fewer than k people,
and what is left over by those that are shown does not either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from microcell.report._people import People
from microcell.report._rulers import digits, ruler_of

MOST_BINS = 20
MOST_CATEGORIES = 12
TAIL = 0.01  # of the records at each end, which have no bins of their own
SHOWN_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FINEST_PART = 1_000  # of the spread: the finest step of a quantile
REST = "other"  # what is left over
NOT_THERE = -1  # the code of what is missing


class Values(NamedTuple):
    """A column's numbers before and after, and how they are shown.

    Attributes
    ----------
    kind : str
        "date", or else numbers.
    before, after : ndarray of shape (n_records,)
        NaN is missing; dates are microseconds. `before` is None where nothing may be
        told of it.
    of_day : bool
        Whether dates are times of day.
    """

    kind: str
    before: np.ndarray | None
    after: np.ndarray
    of_day: bool = False


def shown_numbers(values: Values, people: People) -> dict[str, Any]:
    """Missing share, mean, spread, quantiles and histogram of numbers or dates."""
    sides = {"before": values.before, "after": values.after}
    decisive = values.after if values.before is None else values.before
    ruler = ruler_of(values.kind, decisive, values.of_day)
    moments = {side: moments_of(x, people) for side, x in sides.items()}
    quantiles = {side: quantiles_of(x, people, ruler) for side, x in sides.items()}
    return {
        "missing": {
            side: None if x is None else missing_share(np.isnan(x), people)
            for side, x in sides.items()
        },
        "mean": {
            side: None if m is None else ruler.mean(m)
            for side, (m, _) in moments.items()
        },
        "sd": {
            side: None if s is None else ruler.spread(s)
            for side, (_, s) in moments.items()
        },
        "quantiles": [
            {"p": p, "before": quantiles["before"][i], "after": quantiles["after"][i]}
            for i, p in enumerate(SHOWN_QUANTILES)
        ],
        "histogram": histogram_of(values, people, ruler),
    }


def missing_share(absent: np.ndarray, people: People) -> float | None:
    """Share of records without a value; None if few miss it, or all but few."""
    missing, there = np.flatnonzero(absent), np.flatnonzero(~absent)
    if people.few(missing) or people.few(there):
        return None
    return digits(missing.size / absent.size)


def moments_of(
    x: np.ndarray | None, people: People
) -> tuple[float | None, float | None]:
    """Mean and standard deviation; None where a few people make up most of it."""
    if x is None:
        return None, None
    rows = np.flatnonzero(~np.isnan(x))
    if not people.enough(rows):
        return None, None
    known = x[rows]
    apart = np.abs(known - np.median(known))
    mean = None if people.dominated(apart, rows) else float(known.mean())
    spread = None if people.dominated(apart**2, rows) else float(known.std())
    return mean, spread


def inner_range(order: np.ndarray, x: np.ndarray, people: People) -> Any:
    """Ends of the range that bins divide, or None; k people lie at or beyond each.

    Parameters
    ----------
    order : ndarray
        Records that have a value, sorted by it.
    """
    lowest = people.until_enough(order)
    highest = people.until_enough(order[::-1])
    if lowest < 0:
        return None
    tail = int(TAIL * order.size)
    low = x[order[max(lowest, tail)]]
    high = x[order[::-1][max(highest, tail)]]
    return (float(low), float(high)) if low < high else None


def sorted_records(x: np.ndarray) -> np.ndarray:
    """Records that have a value, sorted by it."""
    order = np.argsort(x, kind="stable")
    return order[: x.size - int(np.isnan(x).sum())]


def quantiles_of(x: np.ndarray | None, people: People, ruler: Any) -> list[Any]:
    """Each at the finest step at which k people are rounded to the same value."""
    if x is None:
        return [None] * len(SHOWN_QUANTILES)
    order = sorted_records(x)
    if order.size == 0:
        return [None] * len(SHOWN_QUANTILES)
    first, last = (people.until_enough(rows) for rows in (order, order[::-1]))
    if first < 0:
        return [None] * len(SHOWN_QUANTILES)
    ordered = x[order]
    ends = ordered[first], ordered[::-1][last]
    at = [round(p * (order.size - 1)) for p in SHOWN_QUANTILES]
    return [_rounded(ordered, order, place, ends, people, ruler) for place in at]


def _rounded(
    ordered: np.ndarray,
    order: np.ndarray,
    place: int,
    ends: tuple[float, float],
    people: People,
    ruler: Any,
) -> Any:
    value, (low, high) = ordered[place], ends
    if low >= high:  # all but a few have one value
        low, high = value - max(abs(value), 1.0), value
    for step in ruler.steps(low, high, FINEST_PART):
        bucket = ruler.bucket(step, value)
        start, end = np.searchsorted(ordered, [bucket.low, bucket.high], side="left")
        if people.enough(order[start:end]):
            return bucket.shown
    return None


def histogram_of(values: Values, people: People, ruler: Any) -> dict[str, Any] | None:
    """Bins on a round grid, first and last open; None if there are no two of them."""
    decisive = values.after if values.before is None else values.before
    order = sorted_records(decisive)
    inner = inner_range(order, decisive, people)
    if inner is None:
        return None
    steps = ruler.steps(*inner, 10 * MOST_BINS)
    fitting = [s for s in steps if ruler.n_edges(s, *inner) <= MOST_BINS - 1]
    if not fitting:
        return None
    edges = ruler.edges(fitting[0], *inner)
    edges = merged_edges(decisive[order], order, edges, people)
    if edges.size == 0:
        return None
    return {
        "edges": [ruler.text(fitting[0], edge) for edge in edges],
        "positions": [float(edge) for edge in edges],
        "before": _shares(values.before, edges, people),
        "after": _shares(values.after, edges, people),
    }


def merged_edges(
    ordered: np.ndarray, order: np.ndarray, edges: np.ndarray, people: People
) -> np.ndarray:
    """Edges of bins that were merged with their neighbours until each has k people.

    Parameters
    ----------
    ordered, order : ndarray
        Sorted values, and the records that they are of.
    edges : ndarray
        Ascending; a value on an edge is in the bin above it.
    """
    kept, start = [], 0
    for edge in edges:
        end = int(np.searchsorted(ordered, edge, side="left"))
        if people.enough(order[start:end]):
            kept.append(edge)
            start = end
    while kept and not people.enough(order[start:]):
        kept.pop()
        start = int(np.searchsorted(ordered, kept[-1], side="left")) if kept else 0
    return np.array(kept)


def _shares(
    x: np.ndarray | None, edges: np.ndarray, people: People
) -> list[float | None] | None:
    """Share of the records in each bin; what few miss is counted in the largest."""
    if x is None:
        return None
    absent = np.isnan(x)
    bins = np.searchsorted(edges, x[~absent], side="right")
    counts = np.bincount(bins, minlength=edges.size + 1)
    if people.few(np.flatnonzero(absent)):
        counts[counts.argmax()] += int(absent.sum())
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
        decisive, n_values, people, MOST_CATEGORIES - len(groups)
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
        "same": None if before is None else digits(float(np.mean(before == after))),
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
    return found[: MOST_CATEGORIES // 2]
