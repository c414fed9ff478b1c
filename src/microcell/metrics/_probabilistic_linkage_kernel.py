"""Loops over all pairs of records, a row of pairs at a time, without checks.

Only `pair_weights` returns a table of all pairs, for the few records that can be
assigned optimally; the other loops need the memory of one row.

A pair of an original and a released record has an agreement pattern, the sum of the
`strides` of the columns on which their ranks differ by at most `reach`.
"""

from typing import NamedTuple

import numpy as np

from microcell.kernels.compiled import njit

MIN_SHARE_LEFT = 1e-9  # of a record: less than this is nothing


class Pairs(NamedTuple):
    """Two tables of ranks, and when a column of theirs agrees.

    Attributes
    ----------
    originals, released : ndarray of shape (n_features, n_classes)
        Ranks, one row per column; records of equal ranks are one class.
    original_copies, released_copies : ndarray of shape (n_classes,)
        How many records each class has.
    strides : ndarray of shape (n_features,)
        What the agreement of each column adds to the pattern's number.
    reach : int
        Largest difference of ranks that agree.
    """

    originals: np.ndarray
    released: np.ndarray
    original_copies: np.ndarray
    released_copies: np.ndarray
    strides: np.ndarray
    reach: int


@njit(cache=True, nogil=True)
def patterns_of_row(pairs, b, ranks, n, codes):
    """Fill `codes` with the patterns of released class b and the first `n` `ranks`."""
    record, strides, reach = pairs.released[:, b], pairs.strides, pairs.reach
    codes[:n] = 0
    for j in range(ranks.shape[0]):
        column, value, stride = ranks[j], record[j], strides[j]
        for a in range(n):
            codes[a] += stride if abs(column[a] - value) <= reach else np.int32(0)


@njit(cache=True, nogil=True)
def count_patterns(pairs, n_patterns):
    """How many pairs of records have each pattern."""
    originals, released = pairs.originals, pairs.released
    counts = np.zeros(n_patterns, dtype=np.int64)
    codes = np.empty(originals.shape[1], dtype=np.int32)
    for b in range(released.shape[1]):
        patterns_of_row(pairs, b, originals, codes.shape[0], codes)
        for a in range(codes.shape[0]):
            counts[codes[a]] += pairs.original_copies[a] * pairs.released_copies[b]
    return counts


@njit(cache=True, nogil=True)
def pair_weights(pairs, weights):
    """Weight of each pair, shape (n_released, n_originals)."""
    originals, released = pairs.originals, pairs.released
    table = np.empty((released.shape[1], originals.shape[1]))
    codes = np.empty(originals.shape[1], dtype=np.int32)
    for b in range(released.shape[1]):
        patterns_of_row(pairs, b, originals, codes.shape[0], codes)
        for a in range(codes.shape[0]):
            table[b, a] = weights[codes[a]]
    return table


@njit(cache=True, nogil=True)
def potentials(table, rows, columns):
    """Prices that prove an assignment of largest weight.

    Shortest distances in the graph of exchanges: forward along any pair at minus its
    weight, backward along an assigned pair at plus its weight. With whole weights all
    sums are exact.

    Parameters
    ----------
    table : ndarray of shape (n_rows, n_columns)
        Weights.
    rows, columns : ndarray of shape (n_assigned,)
        The assigned pairs.

    Returns
    -------
    of_rows, of_columns : ndarray
        of_rows[b] - of_columns[a] >= table[b, a], with equality on assigned pairs and
        on every pair of any other assignment of the same weight.
    """
    of_rows = np.zeros(table.shape[0])
    of_columns = np.full(table.shape[1], np.inf)
    changed = np.ones(table.shape[0], dtype=np.bool_)
    while changed.any():
        for b in range(table.shape[0]):
            if changed[b]:
                for a in range(table.shape[1]):
                    of_columns[a] = min(of_columns[a], of_rows[b] - table[b, a])
                changed[b] = False
        for i in range(rows.shape[0]):
            b, a = rows[i], columns[i]
            distance = of_columns[a] + table[b, a]
            if distance < of_rows[b]:
                of_rows[b] = distance
                changed[b] = True
    return of_rows, of_columns


@njit(cache=True, nogil=True)
def greedy_chances(pairs, levels, own_starts, own_originals):
    """Chance that greedy links join each released record and its own original.

    Levels of weight are served from the heaviest down. At its level a released class
    spreads what is left of it over the originals that are left, in proportion to what
    is left of each; an original that is asked for more than that serves all who ask in
    the same proportion, and they ask again elsewhere at the same level.

    Parameters
    ----------
    levels : ndarray of shape (n_patterns,)
        Place of each pattern's weight, the heaviest 0.
    own_starts, own_originals : ndarray
        Original classes of the records of released class b, in
        own_originals[own_starts[b]:own_starts[b + 1]].

    Returns
    -------
    chances : ndarray of shape (n_samples,)
        In the order of `own_originals`.
    """
    released, released_copies = pairs.released, pairs.released_copies
    original_copies = pairs.original_copies
    ranks = pairs.originals.copy()  # compacted: those of which something is left
    n_free = ranks.shape[1]
    left = original_copies.astype(np.float64)
    classes = np.arange(n_free)
    places = np.arange(n_free)
    wanted = released_copies.astype(np.float64)
    nothing = levels.max() + 1
    level_of = np.zeros(released.shape[1], dtype=np.int64)  # no better one is left
    rates = np.empty(released.shape[1])
    demand = np.empty(n_free)
    codes = np.empty(n_free, dtype=np.int32)
    chances = np.zeros(own_originals.shape[0])
    level = 0
    while level < nothing:
        asking = np.flatnonzero(level_of == level)
        while asking.shape[0] > 0:
            demand[:n_free] = 0.0
            for b in asking:
                patterns_of_row(pairs, b, ranks, n_free, codes)
                offered, below = 0.0, nothing
                for a in range(n_free):
                    place = levels[codes[a]]
                    if place == level:
                        offered += left[a]
                    elif place > level:
                        below = min(below, place)
                if offered == 0.0:
                    level_of[b] = below
                    continue
                rates[b] = wanted[b] / offered
                for a in range(n_free):
                    if levels[codes[a]] == level:
                        demand[a] += rates[b]
            asking = asking[level_of[asking] == level]
            for b in asking:
                patterns_of_row(pairs, b, ranks, n_free, codes)
                served = 0.0
                for a in range(n_free):
                    if levels[codes[a]] == level:
                        served += left[a] / max(1.0, demand[a])
                for i in range(own_starts[b], own_starts[b + 1]):
                    a = places[own_originals[i]]
                    if a >= 0 and levels[codes[a]] == level:
                        share = rates[b] * left[a] / max(1.0, demand[a])
                        copies = original_copies[own_originals[i]]
                        chances[i] += share / (copies * released_copies[b])
                wanted[b] -= rates[b] * served
                if wanted[b] < MIN_SHARE_LEFT:
                    level_of[b] = nothing
            asking = asking[level_of[asking] == level]
            n_before, n_free = n_free, 0
            for a in range(n_before):
                rest = left[a] * (1.0 - min(1.0, demand[a]))
                places[classes[a]] = -1
                if rest >= MIN_SHARE_LEFT:
                    places[classes[a]] = n_free
                    classes[n_free], left[n_free] = classes[a], rest
                    for j in range(ranks.shape[0]):
                        ranks[j, n_free] = ranks[j, a]
                    n_free += 1
        level = level_of.min() if level_of.shape[0] > 0 else nothing
    return chances
