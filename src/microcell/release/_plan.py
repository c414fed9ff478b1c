"""From a recipe and the kinds of columns to the plan that masks the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from microcell.aggregate import AGGREGATES, ByColumn, Interval, Median, Mode, Observed
from microcell.compose._by_stratum import ByStratum
from microcell.compose._by_unit import ByUnit
from microcell.compose._enforce import Enforce
from microcell.exceptions import InputError, Option
from microcell.prepare import Options, Prepared
from microcell.privacy import CellModel, KAnonymity, Promise
from microcell.release._recipe import Recipe


@dataclass(frozen=True)
class Groups:
    """What is known of the records beside their quasi-identifiers.

    Attributes
    ----------
    strata : ndarray of shape (n_records,), optional
        Records of different strata may not share a cell.
    units : ndarray of shape (n_records,), optional
        Whose record it is; all records of a unit share a cell.
    values : list of (CellModel, ndarray)
        Promises about cells, and the codes of the values that each is about.
    """

    strata: np.ndarray | None = None
    units: np.ndarray | None = None
    values: list[tuple[CellModel, np.ndarray]] = field(default_factory=list)

    @property
    def given(self) -> bool:
        """Whether there is anything to keep to."""
        return not (self.strata is None and self.units is None and not self.values)


def column_options(recipe: Recipe) -> dict[str, Options]:
    """What a recipe declares of each quasi-identifier beside its kind."""
    return {
        name: Options(integers=recipe.integers)
        for name in recipe.schema.quasi_identifiers
    }


def make_plan(recipe: Recipe, prepared: Prepared, groups: Groups) -> Any:
    """The plan of a recipe for a prepared table, ready to mask it."""
    plan = recipe.build(prepared.scaler(recipe.scale))
    if hasattr(plan, "name_columns"):
        plan.name_columns(recipe.schema.quasi_identifiers)

    def publish(own: Any) -> Any:
        return aggregator_of(recipe, prepared, own)

    def group(partition: Any) -> Any:
        if groups.units is not None:
            partition = ByUnit(partition, units=groups.units)
        if groups.values:
            promises, values = zip(*groups.values, strict=True)
            together = np.column_stack(values)
            partition = Enforce(partition, promises, values=together)
        if groups.strata is not None:
            partition = ByStratum(partition, strata=groups.strata)
        return partition

    if hasattr(plan, "equip"):
        plan.equip(publish=publish, group=group)
    elif groups.given or recipe.aggregate != "mean" or recipe.scale != "standard":
        raise InputError(
            f"Method {recipe.method_name!r} masks by itself, so strata, units, "
            "promises, aggregate and scale cannot be given to it.",
            option="method",
            hint="Return a Microaggregator or a ByBlock from it, or leave them out.",
        )
    return plan


def aggregator_of(recipe: Recipe, prepared: Prepared, own: Any) -> ByColumn:
    """How each column is published; `own` is the method's for numbers."""
    kinds = list(prepared.kinds.values())
    if own is not None and recipe.aggregate != "mean":
        raise InputError(
            [
                f"Method {recipe.method_name!r} says itself what is published, so ",
                Option("aggregate", recipe.aggregate),
                " cannot be honoured.",
            ],
            option="aggregate",
        )
    of_numbers = AGGREGATES[recipe.aggregate]() if own is None else own
    interval = recipe.aggregate == "interval"
    parts = [
        (of_numbers, ("numeric", "date")),
        (Interval() if interval else Median(even="lower"), ("ordinal",)),
        (Mode(), ("nominal",)),
    ]
    placed = [
        (part, [j for j, kind in enumerate(kinds) if kind in of_part])
        for part, of_part in parts
    ]
    used = [(part, columns) for part, columns in placed if columns]
    if prepared.gaps:
        used = [(_over_gaps(part, recipe), columns) for part, columns in used]
    return ByColumn(used)


def _over_gaps(part: Any, recipe: Recipe) -> Observed:
    """What a part publishes of cells with missing values."""
    if not part.alike or part.needs_target or part.needs_partition:
        raise InputError(
            [
                f"Method {recipe.method_name!r} says itself what is published, and "
                "has nothing for missing values, so ",
                Option("missing", recipe.missing),
                " cannot be honoured.",
            ],
            option="missing",
            hint=["Choose ", Option("missing", "impute"), ", or another method."],
        )
    return Observed(part, recipe.missing)


def all_promises(recipe: Recipe) -> list[Promise]:
    """The promises of a recipe beyond those of its plan, one for each column."""
    confidential = recipe.schema.confidential
    return [one for promise in recipe.promises for one in promise.bind(confidential)]


def promises_of(plan: Any, recipe: Recipe, strata: Sequence[str]) -> list[Promise]:
    """What a release promises: what its plan can keep, and what the recipe adds.

    Parameters
    ----------
    plan : estimator
        One that says nothing is held to k-anonymity of the whole table.
    strata : sequence of str
        Strata that are released as they are: whoever knows a block of columns may know
        them too.
    """
    names = list(recipe.schema.quasi_identifiers)
    own: list[Promise] = [KAnonymity(recipe.k)]
    if hasattr(plan, "promises"):
        own = plan.promises(names, beside=tuple(strata))
    if not getattr(plan, "promises_k", True):  # then count who is below what was asked
        own = [
            replace(one, k=recipe.k) if isinstance(one, KAnonymity) else one
            for one in own
        ]
    return [*own, *all_promises(recipe)]
