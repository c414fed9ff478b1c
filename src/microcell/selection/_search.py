"""Search among settings of a release: a coarse grid, then around the best.

Figures change almost evenly with k, never quite. So what lies between two k that were
run is guessed, as a guide to what is run next and to nothing more: only candidates that
were run can be chosen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

TOP = 4  # families around whose best the search goes on
GUESSES = 16  # between two k, where figures are guessed
SHARE_OF_GRID = 0.5  # of the budget, at most; the rest goes around the best
PARAMETER_DIGITS = 3  # of parameters between those of a grid
CLOSE = 1.4  # numbers with a smaller ratio are not told apart
LINES = 2  # of a family, that differ in parameters, for which k is refined


@dataclass(frozen=True)
class Setting:
    """What one candidate is made with.

    Attributes
    ----------
    method : str
    k : int
    parameters : tuple of (name, value)
        Those of the method that differ from their defaults.
    promises : tuple of Promise
        What is enforced besides what the recipe promises.
    enforce : str or None
        How; None leaves it to the recipe.
    """

    method: Any
    k: int
    parameters: tuple[tuple[str, Any], ...] = ()
    promises: tuple[Any, ...] = ()
    enforce: str | None = None

    @property
    def family(self) -> Setting:
        """The setting but for k and parameters."""
        return replace(self, k=0, parameters=())

    @property
    def line(self) -> Setting:
        """The setting but for k."""
        return replace(self, k=0)

    def with_parameter(self, name: str, value: Any) -> Setting:
        """The setting with another value of a parameter."""
        own = {**dict(self.parameters), name: value}
        return replace(self, parameters=tuple(sorted(own.items())))


class Search:
    """A search with a budget.

    Parameters
    ----------
    run : callable
        Takes a list of settings and returns their candidates, in order.
    order : callable
        Takes figures and k and gives what candidates are ordered by, a tuple whose
        first entry is 0 if all limits are kept.
    aims : callable
        Takes figures and gives what is traded off, a tuple in which low is good.
    ks : sequence of int
        To begin with.
    k_range : pair of int
        Least and greatest k that may be tried.
    grids : callable
        Gives the values to try of each parameter of a method, {name: values}.
    defaults : callable
        Gives the default of each parameter of a method, {name: value}.
    able : callable
        Whether a setting can be run at all.
    budget : int
        Candidates to run, at most.

    Attributes
    ----------
    done : dict of Setting to candidate
        All that were run, in order.
    """

    def __init__(
        self,
        run: Callable[[list[Setting]], Sequence[Any]],
        order: Callable[[Mapping[str, float], int], tuple],
        *,
        aims: Callable[[Mapping[str, float]], tuple],
        ks: Sequence[int],
        k_range: tuple[int, int],
        grids: Callable[[Any], Mapping[str, Sequence[Any]]],
        defaults: Callable[[Any], Mapping[str, Any]],
        able: Callable[[Setting], bool] = lambda setting: True,
        budget: int,
    ) -> None:
        self.run = run
        self.order = order
        self.aims = aims
        self.ks = sorted(set(ks))
        self.k_range = k_range
        self.grids = grids
        self.defaults = defaults
        self.able = able
        self.budget = budget
        self.done: dict[Setting, Any] = {}

    def go(self, families: Sequence[Setting]) -> None:
        """Run the coarse grid of some families, then around the best."""
        self._coarse(families)
        self.refine()

    def refine(self) -> None:
        """Run other k and parameters around the best, until nothing is left to try.

        With another `order`, the search goes on towards something else.
        """
        while self.left and (proposed := self._around_the_best()):
            self._try(proposed)

    @property
    def left(self) -> int:
        """Candidates that may still be run."""
        return self.budget - len(self.done)

    def _try(self, settings: Sequence[Setting]) -> None:
        new = self._new(settings)[: self.left]
        self.done.update(zip(new, self.run(new) if new else [], strict=True))

    def _new(self, settings: Sequence[Setting]) -> list[Setting]:
        """Those that were not run and can be."""
        distinct = dict.fromkeys(settings)
        return [s for s in distinct if s not in self.done and self.able(s)]

    def _key(self, setting: Setting) -> tuple:
        return self.order(self._figures(setting), setting.k)

    def _figures(self, setting: Setting) -> Mapping[str, float]:
        candidate = self.done[setting]
        return candidate.figures if candidate.error is None else {}

    def _coarse(self, families: Sequence[Setting]) -> None:
        """All families at all k; where those are too many, what is promising.

        Methods are run at the middle k. Limits are enforced for those that are good
        without. Families that no other beats in all aims are run at another k: a
        larger one if limits are not kept, a smaller one if they are.
        """
        middle = self.ks[len(self.ks) // 2]
        plain = [family for family in families if not family.promises]
        self._try([replace(family, k=middle) for family in plain])
        alive = [s for s in self.done if math.isfinite(self._key(s)[0])]
        n_alive = len({s.method for s in alive})
        share = n_alive / max(1, len(plain))
        if share * len(families) * len(self.ks) <= SHARE_OF_GRID * self.budget:
            good = {s.method for s in alive}
            whole = [f for f in families if f.method in good]
            self._try([replace(f, k=k) for k in self.ks for f in whole])
            return
        cheap = sorted(alive, key=lambda s: self._key(s)[1])[: max(TOP, n_alive // 2)]
        good = {s.method for s in cheap}
        enforced = [f for f in families if f.promises and f.method in good]
        self._try([replace(family, k=middle) for family in enforced])
        at_middle = [replace(f, k=middle) for f in (*plain, *enforced)]
        own = [s for s in at_middle if s in self.done]
        second = self._promising([s for s in own if not s.promises])
        cheap = sorted((s for s in own if s.promises), key=self._key)
        second += cheap[: max(TOP, len(cheap) // 2)]
        self._try([self._second(s) for s in second])

    def _second(self, setting: Setting) -> Setting:
        """The setting at the far end of the k that may help."""
        kept = self._key(setting)[0] == 0
        return replace(setting, k=self.ks[0] if kept else self.ks[-1])

    def _promising(self, settings: Sequence[Setting]) -> list[Setting]:
        """Those that no other beats in all aims, and the next best up to half."""
        left = [s for s in settings if math.isfinite(self._key(s)[0])]
        half = max(TOP, len(left) // 2)
        chosen: list[Setting] = []
        while left and len(chosen) < half:
            aims = {s: self.aims(self._figures(s)) for s in left}
            front = [s for s in left if not any(beats(aims[o], aims[s]) for o in left)]
            chosen += sorted(front, key=self._key)
            left = [s for s in left if s not in chosen]
        return chosen

    def _ranked(self) -> list[Setting]:
        """Families in the order of what they seem to reach, between k that were run."""
        best: dict[Setting, tuple] = {}
        for line in {s.line: None for s in self.done}:
            key = self._seems(line)[0]
            if math.isfinite(key[0]):
                best[line.family] = min(key, best.get(line.family, key))
        return sorted(best, key=lambda family: best[family])

    def _run_of(self, line: Setting) -> list[Setting]:
        """The settings of a line that gave a release, by k."""
        own = [s for s in self.done if s.line == line]
        return sorted(
            (s for s in own if math.isfinite(self._key(s)[0])), key=lambda s: s.k
        )

    def _seems(self, line: Setting) -> tuple[tuple, int | None]:
        """The best that a line seems to reach, and the k where that was not run."""
        own = self._run_of(line)
        found: list[tuple[tuple, int | None]] = [(self._key(s), None) for s in own]
        for low, high in pairwise(own):
            for step in range(1, GUESSES):
                share = step / GUESSES
                k = round(low.k * (high.k / low.k) ** share)
                if low.k < k < high.k:
                    ends = self._figures(low), self._figures(high)
                    found.append((self.order(mixed(*ends, share), k), k))
        return min(found, key=lambda pair: pair[0], default=((math.inf,), None))

    def _around_the_best(self) -> list[Setting]:
        """What to run next: for the best families another k, other parameters."""
        proposed = []
        for family in self._ranked()[:TOP]:
            own = [s for s in self.done if s.family == family]
            best = min(own, key=self._key)
            ks = self._new(self._ks_of_lines(own))
            proposed.append(ks or self._other_values(best))
        turns = max(map(len, proposed), default=0)
        in_turn = [p[i] for i in range(turns) for p in proposed if i < len(p)]
        return self._new(in_turn)

    def _ks_of_lines(self, own: Sequence[Setting]) -> list[Setting]:
        """Another k for the lines of a family that seem best."""
        seems = {s.line: self._seems(s.line) for s in own}
        proposed = []
        for line in sorted(seems, key=lambda one: seems[one][0])[:LINES]:
            guess = seems[line][1]
            if guess is not None:
                proposed.append(replace(line, k=guess))
            elif there := self._run_of(line):
                proposed += self._other_ks(min(there, key=self._key))
        return proposed

    def _other_ks(self, best: Setting) -> list[Setting]:
        """Between the best k of a line and its neighbours, where a better one can be.

        If the line was run at one k alone, others of the family say where to look.
        """
        line = {s.k: s for s in self._run_of(best.line)}
        alone = len(line) < 2
        if alone:
            own = [s for s in self.done if s.family == best.family and s.k != best.k]
            line |= {s.k: s for s in own if math.isfinite(self._key(s)[0])}
        below = max((k for k in line if k < best.k), default=None)
        above = min((k for k in line if k > best.k), default=None)
        kept = {k: self._key(s)[0] == 0 for k, s in line.items()}
        ks = []
        for near, far, edge in (
            (below, above, self.k_range[0]),
            (above, below, self.k_range[1]),
        ):
            alike = far is None or kept[far] == kept[best.k]
            if near is None:  # go on beyond what was tried
                if alike:
                    ks.append(beyond(best.k, edge))
            elif kept[near] != kept[best.k]:
                ks.append(between(best.k, near) or (near if alone else None))
            elif far is not None and alike and apart(best.k, near):  # a peak
                ks.append(between(best.k, near))
        return [replace(best, k=k) for k in ks if k is not None]

    def _other_values(self, best: Setting) -> list[Setting]:
        """Values of a grid at the best k; then values beside the best one."""
        proposed = []
        own = {**self.defaults(best.method), **dict(best.parameters)}
        for name, grid in self.grids(best.method).items():
            tried = {
                own[name],
                *(
                    dict(s.parameters).get(name, self.defaults(s.method)[name])
                    for s in self.done
                    if s.family == best.family and s.k == best.k
                ),
            }
            values = [v for v in grid if v not in tried]
            if not values and all(is_number(v) for v in tried):
                values = beside(own[name], sorted(tried))
            proposed += [best.with_parameter(name, v) for v in values]
        return proposed


def beats(one: tuple, other: tuple) -> bool:
    """Whether one is no worse in all aims and better in one.

    Examples
    --------
    >>> beats((1, 2), (1, 3)), beats((1, 2), (1, 2)), beats((1, 4), (2, 3))
    (True, False, False)
    """
    return one != other and all(a <= b for a, b in zip(one, other, strict=True))


def mixed(
    low: Mapping[str, float], high: Mapping[str, float], share: float
) -> dict[str, float]:
    """Figures between those of two candidates.

    Examples
    --------
    >>> mixed({"loss": 0.1, "t": 0.4}, {"loss": 0.3}, 0.5)
    {'loss': 0.2}
    """
    return {n: (1 - share) * low[n] + share * high[n] for n in low if n in high}


def is_number(value: Any) -> bool:
    """Whether a value can be refined.

    Examples
    --------
    >>> is_number(0.2), is_number(True), is_number("strict"), is_number(None)
    (True, False, False, False)
    """
    return isinstance(value, (int, float)) and not isinstance(value, bool)


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


def apart(one: float, other: float) -> bool:
    """Whether two numbers above 0 are worth telling apart.

    Examples
    --------
    >>> apart(10, 12), apart(5, 10)
    (False, True)
    """
    return max(one, other) / min(one, other) >= CLOSE


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


def beside(value: float, tried: Sequence[float]) -> list[float]:
    """Values halfway to the neighbours of one that were tried.

    Examples
    --------
    >>> beside(4.0, [2.0, 4.0, 8.0]), beside(0.0, [0.0, 0.1]), beside(2, [2, 3])
    ([2.83, 5.66], [0.05], [])
    """
    lower = [v for v in tried if v < value][-1:]
    upper = [v for v in tried if v > value][:1]
    found = []
    for near in lower + upper:
        low, high = min(near, value), max(near, value)
        if low > 0 and not apart(low, high):
            continue
        middle: float = math.sqrt(low * high) if low > 0 else (low + high) / 2
        if all(isinstance(v, int) for v in tried):
            middle = round(middle)
        else:
            middle = float(f"{middle:.{PARAMETER_DIGITS}g}")
        if middle not in tried:
            found.append(middle)
    return found
