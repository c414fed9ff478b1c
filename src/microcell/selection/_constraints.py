"""Constraints on the figures of a release: "linkage <= 5%", "k >= 10"."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from microcell.exceptions import InputError, ParameterError
from microcell.selection._figures import Figure

COMPARE = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "=": operator.eq,
}
SIGNS = {"==": "=", "≤": "<=", "≥": ">="}
SIDES = {"<=": "at most", "<": "below", ">=": "at least", ">": "above", "=": "of"}
# A name may hold signs, as in "t:pay<=50K <= 0.2": the last one counts.
PATTERN = re.compile(
    r"\s*(?P<name>.*[^<>=≤≥\s])\s*(?P<op><=|>=|==|=|<|>|≤|≥)"
    r"\s*(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(?P<percent>%?)\s*",
    re.IGNORECASE,
)
BETWEEN = re.compile(r"(?<=[\d%])\s*(?:[,;]|\s+and\s)\s*(?=\S)")


@dataclass(frozen=True)
class Constraint:
    """A limit of one figure.

    Attributes
    ----------
    name : str
        The figure, or a short name of it.
    op : {"<=", "<", ">=", ">", "="}
    value : float
        The limit; shares are between 0 and 1.

    Examples
    --------
    >>> limit = Constraint.parse("linkage <= 5%")
    >>> limit
    Constraint(name='linkage', op='<=', value=0.05)
    >>> limit.met_by({"linkage": 0.042}), limit.met_by({"linkage": 0.06})
    (True, False)
    >>> limit.met_by({})  # what was not measured is not met
    False
    """

    name: str
    op: str
    value: float

    forms: ClassVar[str] = "'linkage <= 5%', 't <= 0.2' or 'k >= 10'"

    def __post_init__(self) -> None:
        op = SIGNS.get(self.op, self.op)
        if op not in COMPARE:
            raise ParameterError(
                "where", f"compares by one of {list(COMPARE)}. Got {self.op!r} instead."
            )
        try:
            value = float(self.value)
        except (TypeError, ValueError):
            value = math.nan
        if isinstance(self.value, bool) or not math.isfinite(value):
            raise ParameterError(
                "where",
                f"needs a number as the limit of {self.name!r}. "
                f"Got {self.value!r} instead.",
            )
        object.__setattr__(self, "op", op)
        object.__setattr__(self, "value", value)

    @classmethod
    def parse(cls, text: str) -> Constraint:
        """Read a constraint as people write it."""
        found = PATTERN.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise ParameterError(
                "where", f"takes constraints like {cls.forms}. Got {text!r} instead."
            )
        value = float(found["number"])
        if found["percent"]:
            value /= 100
        return cls(found["name"].strip(), found["op"], value)

    def resolved(self, figure: Figure) -> Constraint:
        """The same constraint with the full name of its figure; its limit checked.

        Examples
        --------
        >>> from types import SimpleNamespace as Figure
        >>> linkage = Figure(name="distance_linkage_risk", label="", unit="share")
        >>> Constraint.parse("linkage <= 5").resolved(linkage)
        Traceback (most recent call last):
        ...
        microcell.exceptions.InputError: 'linkage <= 5': linkage is a share, from 0
        to 1. Did you mean 5%?
        """
        if figure.unit == "share" and not 0 <= self.value <= 1:
            guess = 1 < self.value <= 100
            raise InputError(
                f"'{self}': {self.name} is a share, from 0 to 1.",
                option="where",
                hint=f"Did you mean {self.value:g}%?" if guess else "",
            )
        return replace(self, name=figure.name)

    def met_by(self, figures: Mapping[str, float]) -> bool:
        """Whether a candidate's figures keep it; what it does not have, it does not."""
        found = figures.get(self.name, math.nan)
        return math.isfinite(found) and bool(COMPARE[self.op](found, self.value))

    def excess(self, figures: Mapping[str, float]) -> float:
        """How far figures are from the limit, as a share of it; 0 if they keep it.

        Examples
        --------
        >>> Constraint("t", "<=", 0.2).excess({"t": 0.25})
        0.249...
        >>> Constraint("t", "<=", 0.2).excess({})
        inf
        """
        if self.met_by(figures):
            return 0.0
        found = figures.get(self.name, math.nan)
        if not math.isfinite(found):
            return math.inf
        away = abs(found - self.value) / max(abs(self.value), 1e-9)
        return max(away, 1e-9)  # at a limit that excludes itself

    @property
    def upper(self) -> bool:
        """Whether it limits from above."""
        return self.op in ("<", "<=")

    @property
    def lower(self) -> bool:
        """Whether it limits from below."""
        return self.op in (">", ">=")

    def __str__(self) -> str:
        return f"{self.name} {self.op} {self.value:g}"


def as_constraints(where: Any) -> list[Constraint]:
    """Constraints from objects, texts, or a mapping of names to what they keep.

    Examples
    --------
    >>> [str(c) for c in as_constraints("linkage <= 5%, t <= 0.2 and k >= 10")]
    ['linkage <= 0.05', 't <= 0.2', 'k >= 10']
    >>> [str(c) for c in as_constraints({"linkage": "<= 5%", "k": (">=", 10)})]
    ['linkage <= 0.05', 'k >= 10']
    """
    if where is None:
        return []
    if isinstance(where, Constraint):
        return [where]
    if isinstance(where, str):
        return [Constraint.parse(text) for text in BETWEEN.split(where)]
    if isinstance(where, Mapping):
        return [_of_entry(name, kept) for name, kept in where.items()]
    if not isinstance(where, Iterable):
        raise ParameterError(
            "where",
            f"takes constraints like {Constraint.forms}. Got {where!r} instead.",
        )
    return [constraint for entry in where for constraint in as_constraints(entry)]


def _of_entry(name: str, kept: Any) -> Constraint:
    """A constraint from an entry of a mapping: "<= 5%" or ("<=", 0.05)."""
    if isinstance(kept, str) and PATTERN.fullmatch(f"it {kept}"):
        return replace(Constraint.parse(f"it {kept}"), name=name)
    if isinstance(kept, (tuple, list)) and len(kept) == 2:
        return Constraint(name, *kept)
    raise ParameterError(
        "where",
        f"maps {name!r} to {kept!r}, which says no side.",
        hint=f"Write {{{name!r}: '<= {kept}'}} or {{{name!r}: '>= {kept}'}}.",
    )
