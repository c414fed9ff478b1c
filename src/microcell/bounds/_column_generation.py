"""A lower bound of SSE from prices of records that no set of k undercuts.

Take all sets of k records and cover each record once, by shares of sets if need be: no
partition is cheaper. The dual of this linear programme gives each record a price, and
asks that no set of k loses less than the prices of its records. Sets are added as
prices find them (column generation), and the value that counts is the one that a search
through all sets has proven.
"""

import math
import time
from typing import NamedTuple

import numpy as np

from microcell._progress import report
from microcell.bounds._neighbour_bound import balanced_multipliers, power_neighbours
from microcell.bounds._prices import interior_prices
from microcell.bounds._pricing_kernel import (
    costs_of_sets,
    half_stars,
    search_roots,
    sets_around,
)
from microcell.kernels.codes import Codes
from microcell.kernels.threads import in_slices, one_thread_for_products

PRICING_TOLERANCE = 1e-5  # of the value of the linear programme
# Branches of a root, and candidates that are compared with each other, at most.
EFFORTS = ((1_000, 200), (100_000, 2_000), (10_000_000, 4_000))
_MOST_ROUNDS = 100
_FAR = 0.05
_ROOTS_AT_ONCE = 64
_KEPT_SETS = 4  # of a root
_STEP = "bounding the loss"


class ColumnBound(NamedTuple):
    """What column generation has found.

    Attributes
    ----------
    bound : float
        No partition has a smaller SSE; rounding is taken off.
    prices : ndarray of shape (n_samples,)
        The multipliers of the bound.
    sets : ndarray of shape (n_sets, k)
        Sets that were tried, rows ascending.
    costs : ndarray of shape (n_sets,)
        SSE of each.
    weights : ndarray of shape (n_sets,)
        How much of each the last solution takes; 0 for those that came later.
    is_close : bool
        Whether the bound is as high as the linear programme can bring it, but for
        `PRICING_TOLERANCE` of it.
    """

    bound: float
    prices: np.ndarray
    sets: np.ndarray
    costs: np.ndarray
    weights: np.ndarray
    is_close: bool


def column_bound(
    X: np.ndarray,
    codes: Codes,
    k: int,
    *,
    labels: np.ndarray | None = None,
    seconds: float | None = None,
) -> ColumnBound:
    """Lower bound of the SSE of all partitions of X into cells of at least k.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        At least 2 k records; measured columns first, then codes.
    codes : Codes
    k : int
        At least 2.
    labels : ndarray of shape (n_samples,), optional
        A good partition, whose cells are tried as sets from the start.
    seconds : float, optional
        When to stop with the best bound so far, after the round that is under way; by
        default when it gains no more.

    Returns
    -------
    found : ColumnBound
    """
    ends = math.inf if seconds is None else time.monotonic() + seconds
    bound, q = balanced_multipliers(X, codes, k)
    centre = feasible_prices(X, codes, q, k)
    width = 0.5 * np.abs(centre) + 0.25 * np.abs(centre).mean()
    rows = np.arange(X.shape[0])[:, None]
    sets = unique_sets(around(X, codes, centre, rows, k))
    if labels is not None:
        sets = unique_sets(np.vstack([sets, windows_of_cells(labels, k)]))
    costs, weights = set_costs(X, codes, sets), np.zeros(len(sets))
    best_prices, tolerance, effort, is_close = centre, 1e-2, 0, False
    for done in range(_MOST_ROUNDS):
        report(done, None, _STEP)
        with one_thread_for_products():
            prices, weights, at_limit = interior_prices(
                sets, costs, best_prices - width, best_prices + width, tolerance
            )
        value = float(prices.sum())
        threshold = k * k / len(X) * 0.1 * PRICING_TOLERANCE * max(value, 0.0)
        taken = sets[weights > 1e-3]
        near = around(X, codes, prices, taken, k)
        asked = prices
        if value - bound > _FAR * value:  # halfway finds better sets, and sooner
            asked = 0.5 * (prices + best_prices)
        proven, cheaper = priced(X, codes, asked, k, threshold, EFFORTS[effort], ends)
        if proven > bound:
            bound, best_prices = proven, asked
        held = at_limit > 1e-3
        width[held] *= 3
        if value - bound <= PRICING_TOLERANCE * value and not held.any():
            is_close = True
            break
        n_before = len(sets)
        sets, costs, weights = thinned(sets, costs, weights, prices, 8 * len(X))
        kept = len(sets)
        more = np.vstack([near, cheaper])
        sets, costs, weights = joined(X, codes, sets, costs, weights, more)
        n_new = len(sets) - kept
        is_stuck = n_new == 0 and kept == n_before and not held.any()
        is_tried = tolerance <= 1e-7 and effort == len(EFFORTS) - 1
        if time.monotonic() >= ends or (is_stuck and is_tried):
            break
        gap = (value - proven) / max(value, np.finfo(np.float64).tiny)
        tolerance = min(tolerance, max(1e-7, 0.1 * gap))
        if is_stuck:
            tolerance = max(1e-7, 0.1 * tolerance)
        if len(cheaper) < 0.05 * len(X):
            effort = max(effort, 1)
        if is_stuck:
            effort = len(EFFORTS) - 1
    return ColumnBound(bound, best_prices, sets, costs, weights, is_close)


def feasible_prices(X: np.ndarray, codes: Codes, q: np.ndarray, k: int) -> np.ndarray:
    """Prices that the neighbours' bound proves: half of what each record pays."""
    rows, distances, _ = power_neighbours(X, codes, q, k - 1)
    return ((k - 1) * q + (distances - q[rows]).sum(axis=1)) / (2 * k)


def windows_of_cells(labels: np.ndarray, k: int) -> np.ndarray:
    """The cells, as sets of k: each k records of a cell that follow each other."""
    order = np.argsort(labels, kind="stable")
    cells = np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)
    windows = [
        cell[(np.arange(len(cell))[:, None] + np.arange(k)) % len(cell)]
        for cell in cells
    ]
    return np.vstack(windows)


def unique_sets(sets: np.ndarray, n_known: int = 0) -> np.ndarray:
    """Sets with ascending rows, each once; the first `n_known` keep their places."""
    sets = np.sort(sets, axis=1)
    first = np.unique(sets, axis=0, return_index=True)[1]
    return np.vstack([sets[:n_known], sets[np.sort(first[first >= n_known])]])


def thinned(
    sets: np.ndarray,
    costs: np.ndarray,
    weights: np.ndarray,
    prices: np.ndarray,
    most: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The sets that are cheapest at these prices, of far more than `most`."""
    if len(sets) <= 1.5 * most:
        return sets, costs, weights
    above = costs - prices[sets].sum(axis=1)
    keep = above <= np.partition(above, most)[most]
    return sets[keep], costs[keep], weights[keep]


def joined(
    X: np.ndarray,
    codes: Codes,
    sets: np.ndarray,
    costs: np.ndarray,
    weights: np.ndarray,
    more: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sets, their costs and weights, with more of them, which no cover takes yet."""
    n_known = len(sets)
    sets = unique_sets(np.vstack([sets, more]), n_known)
    costs = np.concatenate([costs, set_costs(X, codes, sets[n_known:])])
    return sets, costs, np.concatenate([weights, np.zeros(len(sets) - n_known)])


def set_costs(X: np.ndarray, codes: Codes, sets: np.ndarray) -> np.ndarray:
    """What each set loses: its SSE."""
    costs = np.empty(len(sets))
    costs_of_sets(X, codes, sets, costs)
    return costs


def around(
    X: np.ndarray, codes: Codes, prices: np.ndarray, starts: np.ndarray, k: int
) -> np.ndarray:
    """Sets that are cheap at these prices, near those that a search starts from."""
    sets = np.empty((len(starts), k), dtype=np.int64)

    def search(some: slice) -> None:
        sets_around(X, codes, prices, starts[some], sets[some])

    in_slices(search, len(starts), _ROOTS_AT_ONCE)
    return sets


def priced(
    X: np.ndarray,
    codes: Codes,
    prices: np.ndarray,
    k: int,
    threshold: float,
    effort: tuple[int, int] = EFFORTS[-1],
    ends: float = math.inf,
) -> tuple[float, np.ndarray]:
    """The bound that these prices prove, and sets that cost less than their prices.

    A cover takes sets of each root with a weight of at most 1, and n / k in all: the
    n / k least values of the roots are the most that can be missing.

    Rounding: a squared distance is right to n_features + 3 units, and values are sums
    of fewer than k^2 terms. Candidates are within 2 k of the largest q of their root,
    so within 8 k of each other, and no term is larger.

    Returns
    -------
    bound : float
        Minus infinity if the time was over before all roots were searched.
    sets : ndarray of shape (n_sets, k)
    """
    n_samples = X.shape[0]
    q, roots = prices * (k / (k - 1)), np.arange(n_samples)
    least, n_found = np.full(n_samples, -np.inf), np.zeros(n_samples, dtype=np.int64)
    sets = np.empty((n_samples, _KEPT_SETS, k), dtype=np.int64)
    halves = np.empty((n_samples, k))

    def halve(some: slice) -> None:
        half_stars(X, codes, q, roots[some], halves[some])

    def search(some: slice) -> None:
        if time.monotonic() < ends:
            search_roots(
                X, codes, q, halves, threshold, effort,
                roots[some], least[some], sets[some], n_found[some],
            )  # fmt: skip

    in_slices(halve, n_samples, _ROOTS_AT_ONCE)
    in_slices(search, n_samples, _ROOTS_AT_ONCE)
    found = sets[np.arange(_KEPT_SETS) < n_found[:, None]]
    if np.isinf(least).any():
        return -math.inf, found
    unit = float(np.finfo(np.float64).eps)
    largest = float(np.abs(q).max())
    least = (
        np.minimum(least, 0.0) - (X.shape[1] + k * k + 8) * unit * 8 * k**3 * largest
    )
    missing = np.sort(least)[: -(-n_samples // k)]
    rounding = 4 * unit * math.fsum(np.abs(prices))
    return math.fsum(prices) + math.fsum(missing) / k - rounding, found
