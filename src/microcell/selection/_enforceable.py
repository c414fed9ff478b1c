"""Limits that a release can be made to keep, instead of hoping that it does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from microcell.exceptions import InputError
from microcell.pipeline import promises_of
from microcell.privacy import (
    AlphaAnonymity,
    KAnonymity,
    Promise,
    PSensitivity,
    TCloseness,
)
from microcell.recipe import Recipe
from microcell.selection._choice import Limit
from microcell.selection._constraints import Constraint

UNREACHED_RECORDS = 10**9  # records that no table in memory has
BELOW = 1 - 1e-9  # of a limit that excludes itself


def promise_for(constraint: Constraint) -> Promise | None:
    """The promise that makes a release keep a limit, if there is one.

    Examples
    --------
    >>> promise_for(Constraint("t_distance_max:pay", "<=", 0.2))
    TCloseness(t=0.2, column='pay', distance='auto', order=None, hierarchy=None)
    >>> promise_for(Constraint("p_sensitivity", ">=", 3))
    PSensitivity(p=3, column=None)
    >>> promise_for(Constraint("relative_loss", "<=", 0.1)) is None
    True
    """
    name, _, suffix = constraint.name.partition(":")
    column = suffix or None
    value = constraint.value
    if constraint.upper:
        most = value if constraint.op == "<=" else value * BELOW
        if name == "t_distance_max" and 0 <= most <= 1:
            return TCloseness(most, column)
        if name == "largest_share_max" and 0 < most < 1:
            return AlphaAnonymity(most, column)
        if name == "homogeneous_records" and 0 <= most < 1:
            return PSensitivity(2, column)  # then no cell is uniform
    if constraint.lower and name == "p_sensitivity":
        least = math.ceil(value) if constraint.op == ">=" else math.floor(value) + 1
        if least >= 2:
            return PSensitivity(least, column)
    return None


def enforcing(base: Recipe, limits: Sequence[Limit]) -> list[Recipe]:
    """The recipe with promises that keep limits, in each way that its cells can.

    Cells of any method can be merged; those of MDAV can also be built for t-closeness
    or p-sensitivity.
    """
    every = dict.fromkeys(promise_for(limit.constraint) for limit in limits)
    promises = [p for p in every if p is not None and p not in base.promises]
    if not promises:
        return []
    ways = ["merge"]
    if base.method_name == "mdav":
        if any(isinstance(promise, TCloseness) for promise in promises):
            ways += ["t-first", "k-first"]
        if any(isinstance(promise, PSensitivity) for promise in promises):
            ways.append("p-first")
    made = []
    for way in ways:
        try:
            made.append(
                replace(base, promises=(*base.promises, *promises), enforce=way)
            )
        except InputError:  # the recipe says that the two do not go together
            continue
    return made


def promises_k(recipe: Recipe) -> bool:
    """Whether a recipe's method promises that whole records are k-anonymous.

    Examples
    --------
    >>> from microcell import Schema
    >>> schema = Schema(["age", "pay"])
    >>> promises_k(Recipe(schema, k=5))
    True
    >>> promises_k(Recipe(schema, k=5, method="individual-ranking"))
    False
    """
    names = set(recipe.schema.quasi_identifiers)
    return any(
        isinstance(promise, KAnonymity)
        and promise.promised
        and set(promise.columns or names) >= names
        for promise in promises_of(recipe.plan, recipe, ())
    )


def k_allowed(limits: Sequence[Limit]) -> tuple[int, int]:
    """The least and the greatest k by limits: of k itself, and of the highest risk.

    What is promised counts. A smaller k might be kept by luck, and the recipe would
    not say so.

    Examples
    --------
    >>> from types import SimpleNamespace as Figure
    >>> risk = Figure(name="prosecutor_max_risk", unit="share")
    >>> k_allowed([Limit(Constraint("prosecutor_max_risk", "<=", 0.1), "risk", risk)])
    (10, 1000000000)
    """
    least, most = 2, UNREACHED_RECORDS
    for constraint, _, figure in limits:
        op, value = constraint.op, constraint.value
        if figure.name == "k" and (constraint.lower or op == "="):
            least = max(least, math.floor(value) + 1 if op == ">" else math.ceil(value))
        if figure.name == "k" and (constraint.upper or op == "="):
            most = min(most, math.ceil(value) - 1 if op == "<" else math.floor(value))
        if figure.name == "prosecutor_max_risk" and constraint.upper and value > 0:
            whole = math.ceil(round(1 / value, 9))
            least = max(least, whole + (op == "<" and whole * value == 1))
    return least, most
