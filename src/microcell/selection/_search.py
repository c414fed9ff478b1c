"""Search for the best candidate: the grid of a comparison, then k of the best few.

A line is a recipe at all k. Lines are run at some k of a grid first; then the gaps
beside the best k of the best lines are halved. Only candidates that were run count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any

from microcell.exceptions import InputError
from microcell.recipe import Recipe

BEST_LINES = 6  # whose k is bisected
SHARE_OF_GRID = 0.5  # of the budget, at most; the rest goes around the best
CLOSE = 1.4  # k with a smaller ratio are not told apart where both are good

Place = tuple[int, int]  # which line, and k
Key = tuple[float, float, int]  # how far limits are exceeded, the cost, and -k


class Search:
    """A search with a budget.

    Parameters
    ----------
    run : callable
        Takes recipes and returns their candidates, in order.
    order : callable
        Takes a candidate and gives its `Key`, by which candidates are ordered.
    lines : sequence of recipe
        Their k is replaced.
    enforced : mapping of int to sequence of recipe
        More lines, for limits that can be enforced, of the line of a number: they are
        run if that is good.
    ks : sequence of int
        Of the grid.
    k_range : pair of int
        Least and greatest k that may be tried.
    budget : int
        Candidates to run, at most.

    Attributes
    ----------
    done : dict of (line, k) to candidate
        All that were run, in order.
    """

    def __init__(
        self,
        run: Callable[[list[Recipe]], Sequence[Any]],
        order: Callable[[Any], Key],
        lines: Sequence[Recipe],
        enforced: Mapping[int, Sequence[Recipe]] | None = None,
        *,
        ks: Sequence[int],
        k_range: tuple[int, int],
        budget: int,
    ) -> None:
        self.run = run
        self.order = order
        self.lines = list(lines)
        self.enforced = enforced or {}
        self.ks = sorted(set(ks))
        self.k_range = k_range
        self.budget = budget
        self.done: dict[Place, Any] = {}

    def go(self) -> list[Any]:
        """Run the grid, then bisect; the candidates that were run."""
        middle = self.ks[len(self.ks) // 2]
        self._try([(line, middle) for line in range(len(self.lines))])
        lines = [*self._ranked(), *self._add_enforced()]
        if self._is_small(lines):
            self._try([(line, k) for k in self.ks for line in lines])
        else:
            self._try([(line, middle) for line in lines])
            half = self._ranked()[: max(BEST_LINES, len(lines) // 2)]
            self._try([(line, self._far_end(line)) for line in half])
        while len(self.done) < self.budget and self._bisect():
            pass
        return list(self.done.values())

    def _is_small(self, lines: Sequence[int]) -> bool:
        """Whether there is room for lines at all k of the grid."""
        return len(lines) * len(self.ks) <= SHARE_OF_GRID * self.budget

    def _add_enforced(self) -> range:
        """More lines for those that are good: all, or the better half of many."""
        good = self._ranked()
        if not self._is_small(good):
            good = good[: max(BEST_LINES, len(good) // 2)]
        n_before = len(self.lines)
        self.lines += chain(*(self.enforced.get(line, ()) for line in good))
        return range(n_before, len(self.lines))

    def _bisect(self) -> bool:
        """Halve gaps of the best lines, the best line first; whether there were any."""
        n_before = len(self.done)
        proposed = [
            [(line, k) for k in next_ks(self._keys(line), self.k_range)]
            for line in self._ranked()[:BEST_LINES]
        ]
        in_turn = [p for turn in zip_longest(*proposed) for p in turn if p is not None]
        self._try(in_turn)
        return len(self.done) > n_before

    def _try(self, places: Sequence[Place]) -> None:
        """Run what was not, as far as the budget goes."""
        new = {
            place: recipe
            for place in dict.fromkeys(places)
            if place not in self.done
            and (recipe := at_k(self.lines[place[0]], place[1])) is not None
        }
        few = dict(list(new.items())[: self.budget - len(self.done)])
        found = self.run(list(few.values())) if few else []
        self.done.update(zip(few, found, strict=True))

    def _keys(self, line: int) -> dict[int, Key]:
        """The keys of a line at the k where it gave a release."""
        keys = {k: self.order(c) for (own, k), c in self.done.items() if own == line}
        return {k: key for k, key in keys.items() if math.isfinite(key[0])}

    def _ranked(self) -> list[int]:
        """Lines that gave a release: by turns the best one, and that of the least cost.

        What costs little may keep all limits at another k.
        """
        keys = {line: self._keys(line) for line in {line for line, _ in self.done}}
        there = [line for line in sorted(keys) if keys[line]]
        best = sorted(there, key=lambda line: min(keys[line].values()))
        cheap = sorted(there, key=lambda line: min(k[1] for k in keys[line].values()))
        return list(dict.fromkeys(chain(*zip(best, cheap, strict=True))))

    def _far_end(self, line: int) -> int:
        """The end of the grid that may help: a smaller k where limits are kept."""
        kept = min(self._keys(line).values())[0] == 0
        return self.ks[0] if kept else self.ks[-1]


def at_k(line: Recipe, k: int) -> Recipe | None:
    """A line at one k, or None if there is no such recipe."""
    try:
        return replace(line, k=k)
    except InputError:
        return None


def next_ks(keys: Mapping[int, Key], k_range: tuple[int, int]) -> list[int]:
    """Values of k of a line that may be better than its best: beside that one.

    Between the best and a neighbour where limits begin to be kept, or towards both
    neighbours of a peak; beyond what was tried if the best is at an end.

    Examples
    --------
    >>> kept, exceeded = (0.0, 0.1, 0), (0.5, 0.05, 0)
    >>> next_ks({3: exceeded, 10: exceeded, 50: kept}, (2, 100))
    [22]
    >>> next_ks({25: exceeded}, (2, 40))
    [12, 40]
    """
    ks = sorted(keys)
    best = min(ks, key=lambda k: keys[k])
    below = max((k for k in ks if k < best), default=None)
    above = min((k for k in ks if k > best), default=None)
    alike = {k: (keys[k][0] == 0) == (keys[best][0] == 0) for k in ks}
    found = []
    for near, far, edge in ((below, above, k_range[0]), (above, below, k_range[1])):
        if near is None:
            if far is None or alike[far]:
                found.append(beyond(best, edge))
        elif not alike[near]:
            found.append(between(best, near))
        elif (
            far is not None
            and alike[far]
            and max(best, near) >= CLOSE * min(best, near)
        ):
            found.append(between(best, near))
    return [k for k in found if k is not None]


def between(k: int, near: int) -> int | None:
    """A k in the middle of two, by ratio, or None if they are neighbours.

    Examples
    --------
    >>> between(10, 5), between(25, 50), between(6, 5)
    (7, 35, None)
    """
    low, high = min(k, near), max(k, near)
    if high - low < 2:
        return None
    return min(max(round(math.sqrt(low * high)), low + 1), high - 1)


def beyond(k: int, edge: int) -> int | None:
    """A k of half or double, towards an edge, or None at the edge.

    Examples
    --------
    >>> beyond(10, 2), beyond(3, 2), beyond(50, 60), beyond(60, 60)
    (5, 2, 60, None)
    """
    if k == edge:
        return None
    return max(k // 2, edge) if edge < k else min(2 * k, edge)
