"""Which candidate to take, which limit is in the way, and how to say it.

Plain functions of candidates that were run: nothing here runs one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from microcell.selection._constraints import SIDES, Constraint
from microcell.selection._figures import Figure


class Limit(NamedTuple):
    """A constraint on a known figure, and the name by which it was asked for."""

    constraint: Constraint
    said: str
    figure: Figure

    def __str__(self) -> str:
        value = shown(self.constraint.value, self.figure.unit)
        name = in_words(self.said, self.figure)
        return f"{name} {SIDES[self.constraint.op]} {value}"


class Objective(NamedTuple):
    """What is sought: the least or the highest of a figure."""

    figure: Figure
    said: str
    least: bool

    def cost(self, figures: Mapping[str, float]) -> float:
        """Less is better; infinite if it was not measured."""
        found = figures.get(self.figure.name, math.nan)
        if not math.isfinite(found):
            return math.inf
        return found if self.least else -found

    def __str__(self) -> str:
        side = "least" if self.least else "highest"
        return f"{side} {in_words(self.said, self.figure)}"


def in_words(said: str, figure: Figure) -> str:
    """A figure as it was asked for, without a colon."""
    return figure.label if ":" in said else said


def order_of(
    candidate: Any, limits: Sequence[Limit], objective: Objective
) -> tuple[float, float, int]:
    """What candidates are ordered by: limits kept, then cost, then the larger k.

    Among those that do not keep all limits, what exceeds them least is first; one that
    failed, or was not measured, cannot be chosen.
    """
    excess = sum(limit.constraint.excess(candidate.figures) for limit in limits)
    cost = objective.cost(candidate.figures)
    return excess if math.isfinite(cost) else math.inf, cost, -candidate.recipe.k


def feasible(
    candidates: Sequence[Any], limits: Sequence[Limit], objective: Objective
) -> list[Any]:
    """Candidates that keep all limits, the best first."""
    keyed = [(order_of(c, limits, objective), c) for c in candidates]
    return [c for key, c in sorted(keyed, key=lambda pair: pair[0]) if key[0] == 0]


def binding(
    candidates: Sequence[Any], limits: Sequence[Limit], objective: Objective
) -> list[tuple[Limit, ...]]:
    """The smallest sets of limits without which a candidate could be chosen.

    Empty if none could be chosen without any limit.
    """
    for size in range(1, len(limits) + 1):
        sets = [
            left_out
            for left_out in combinations(limits, size)
            if feasible(candidates, others(limits, left_out), objective)
        ]
        if sets:
            return sets
    return []


def nearest(
    candidates: Sequence[Any],
    limits: Sequence[Limit],
    left_out: Sequence[Limit],
    objective: Objective,
) -> Any:
    """Of the candidates that keep the other limits, that which exceeds these least."""
    able = feasible(candidates, others(limits, left_out), objective)
    return min(able, key=lambda c: order_of(c, left_out, objective))


def others(limits: Sequence[Limit], left_out: Sequence[Limit]) -> list[Limit]:
    """Limits without some of them."""
    return [limit for limit in limits if limit not in left_out]


def shown(value: float, unit: str, beside: float | None = None) -> str:
    """A figure as a sentence has it, with digits enough to differ from a limit.

    Examples
    --------
    >>> shown(0.12345, "share"), shown(0.2, "number"), shown(7.0, "count")
    ('12.3 %', '0.2', '7')
    >>> shown(0.20004, "number", beside=0.2), shown(0.05, "share", beside=0.05)
    ('0.20004', '5 %')
    """
    for digits in range(3, 16):
        text = _in_unit(value, unit, digits)
        if beside is None or value == beside or text != _in_unit(beside, unit, digits):
            break
    return text


def _in_unit(value: float, unit: str, digits: int) -> str:
    if unit == "share":
        return f"{100 * value:.{digits}g} %"
    if unit == "count" and float(value).is_integer():
        return f"{value:.0f}"
    return f"{value:.{digits}g}{' s' if unit == 'seconds' else ''}"


def listed(parts: Sequence[str], word: str = "and") -> str:
    """Parts of a sentence one after the other.

    Examples
    --------
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def with_k(label: str) -> str:
    """A candidate's label inside a sentence.

    Examples
    --------
    >>> with_k("vmdav gamma=0.9, k=5")
    'vmdav gamma=0.9 with k=5'
    """
    return label.replace(", k=", " with k=")


def found_by(candidate: Any, limit: Limit) -> str:
    """What a candidate has of a limited figure."""
    value = candidate.figures.get(limit.figure.name, math.nan)
    if not math.isfinite(value):
        return "not measured"
    return shown(value, limit.figure.unit, limit.constraint.value)


def why(
    best: Any, n_met: int, n_run: int, limits: Sequence[Limit], objective: Objective
) -> str:
    """One sentence about the choice."""
    figure = objective.figure
    value = shown(best.figures[figure.name], figure.unit)
    kept = [f"{limit} ({found_by(best, limit)})" for limit in limits]
    return (
        f"{with_k(best.label)} has the {objective} ({value}) among the {n_met} of "
        f"{n_run} candidates{f' with {listed(kept)}' if kept else ''}."
    )


def no_candidate(
    candidates: Sequence[Any], limits: Sequence[Limit], objective: Objective
) -> tuple[str, str]:
    """Why none can be chosen, and the way out."""
    asked = listed([str(limit) for limit in limits])
    words = [f"None of the {len(candidates)} candidates has {asked}."]
    ways = []
    for left_out in binding(candidates, limits, objective):
        n_able = len(feasible(candidates, others(limits, left_out), objective))
        near = nearest(candidates, limits, left_out, objective)
        reached = [
            f"{limit.said} {found_by(near, limit)} instead of {limit.constraint.op} "
            f"{shown(limit.constraint.value, limit.figure.unit)}"
            for limit in left_out
        ]
        words.append(
            f"Without the limit of {listed([limit.said for limit in left_out])} "
            f"{n_able} candidate{'s' * (n_able > 1)} would do; nearest comes "
            f"{with_k(near.label)}, with {listed(reached)}."
        )
        ways.append(listed([f"'{_allowed(near, limit)}'" for limit in left_out]))
    hint = f"Allow {listed(ways, 'or')}" if ways else "Allow more"
    return " ".join(words), f"{hint}; or let it try more methods, k or candidates."


def _allowed(near: Any, limit: Limit) -> str:
    """A limit that the nearest candidate keeps, rounded to its advantage."""
    found = near.figures.get(limit.figure.name, math.nan)
    if not math.isfinite(found):
        return f"no {limit.said}"
    up = limit.constraint.upper or (
        limit.constraint.op == "=" and found > limit.constraint.value
    )
    scale, unit = (100.0, "%") if limit.figure.unit == "share" else (1.0, "")
    value = rounded(found, up=up, scale=scale)
    return f"{limit.said} {'<=' if up else '>='} {value:g}{unit}"


def rounded(value: float, *, up: bool, scale: float = 1.0) -> float:
    """A value times its scale, in two digits, that is not below it, or not above.

    Examples
    --------
    >>> rounded(0.2312, up=True), rounded(23.12, up=False), rounded(7.0, up=True)
    (0.24, 23.0, 7.0)
    >>> rounded(0.07, up=True, scale=100.0)  # although 100 * 0.07 is above 7
    7.0
    """
    if value == 0:
        return 0.0
    power = math.floor(math.log10(abs(scale * value))) - 1
    first = math.floor(scale * value / 10.0**power)
    around = [
        round(step * 10.0**power, max(0, -power))
        for step in range(first - 1, first + 3)
    ]
    if up:
        return min(r for r in around if r / scale >= value)
    return max(r for r in around if r / scale <= value)
