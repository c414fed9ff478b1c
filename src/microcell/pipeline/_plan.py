"""From a recipe and the kinds of columns to the plan that masks the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from microcell.aggregate import ByColumn, Medoid, Observed, OneVote, Set
from microcell.columns import (
    MISSING_MARKS,
    Clip,
    ConfidentialReading,
    Options,
    Prepared,
    marks_of,
)
from microcell.compose import ByStratum, ByUnit, Plan, UnitsApart
from microcell.exceptions import InputError, Option
from microcell.privacy import CellModel, KAnonymity, Promise
from microcell.recipe import (
    APART,
    Recipe,
    keeping,
    make_aggregators,
    parse_limits,
    representatives_of,
    stays_whole,
)
from microcell.recognition import YEAR_WORDS, says


@dataclass(frozen=True)
class Groups:
    """What is known of the records beside their quasi-identifiers.

    Attributes
    ----------
    strata : ndarray of shape (n_records,), optional
        Records of different strata may not share a cell.
    units : ndarray of shape (n_records,), optional
        Whose record it is.
    values : list of (CellModel, ndarray)
        Promises about cells, and the codes of the values that each is about.
    weights : ndarray of shape (n_records,), optional
        How many people each record stands for.
    totals : list of ndarray, optional
        Records of each value in the whole table, for each promise, where these are a
        part of it.
    n_people : int, optional
        People of the whole table there, where some may have several values.
    """

    strata: np.ndarray | None = None
    units: np.ndarray | None = None
    values: list[tuple[CellModel, np.ndarray]] = field(default_factory=list)
    weights: np.ndarray | None = None
    totals: list[np.ndarray] | None = None
    n_people: int | None = None

    def take(self, rows: np.ndarray) -> Groups:
        """Units and weights of some of the records."""
        return Groups(
            units=None if self.units is None else self.units[rows],
            weights=None if self.weights is None else self.weights[rows],
        )

    @property
    def given(self) -> bool:
        """Whether there is anything to keep to."""
        arrays = (self.strata, self.units, self.weights)
        return bool(self.values) or any(array is not None for array in arrays)


def column_options(recipe: Recipe) -> dict[str, Options]:
    """What a recipe declares of each quasi-identifier beside its kind."""
    return {name: _options(recipe, name) for name in recipe.schema.quasi_identifiers}


def _options(recipe: Recipe, name: str) -> Options:
    interval = recipe.representatives.get(name, recipe.aggregate) == "interval"
    clip = None
    if name in recipe.clip:
        clip = Clip(*parse_limits(name, recipe.clip[name]), recipe.k)
    return Options(
        integers="round" if stays_whole(recipe, name) else recipe.integers,
        digits=recipe.digits.get(name),
        ends=recipe.ends if interval else "exact",
        clip=clip,
        called_year=says(name, YEAR_WORDS),
    )


def make_plan(recipe: Recipe, prepared: Prepared, groups: Groups) -> Plan:
    """The plan of a recipe for a prepared table, ready to mask it."""
    plan = recipe.build(prepared.scaler(recipe.scale, recipe.importance))
    plan.name_columns(recipe.schema.quasi_identifiers)

    def publish(own: Any) -> Any:
        aggregator = aggregator_of(recipe, prepared, own, groups.weights)
        if groups.units is None or recipe.unit_records != APART:
            return aggregator
        return OneVote(aggregator, units=groups.units)

    def group(partition: Any) -> Any:
        if groups.units is not None:
            wrapper = UnitsApart if recipe.unit_records == APART else ByUnit
            partition = wrapper(partition, units=groups.units)
        partition = keeping(partition, recipe, groups)
        if groups.strata is not None:
            partition = ByStratum(partition, strata=groups.strata)
        return partition

    if plan.capabilities.can_be_equipped:
        plan.equip(publish=publish, group=group)
    elif (
        groups.given
        or recipe.aggregate != "mean"
        or recipe.representatives
        or recipe.scale != "standard"
        or recipe.importance
    ):
        raise InputError(
            f"Method {recipe.method_name!r} masks by itself, so strata, units, "
            "weights, promises, aggregate, representatives, scale and importance "
            "cannot be given to it.",
            option="method",
            hint="Return a Microaggregator or a ByBlock from it, or leave them out.",
        )
    return plan


def aggregator_of(
    recipe: Recipe, prepared: Prepared, own: Any, weights: np.ndarray | None = None
) -> ByColumn:
    """How each column is published; `own` is the method's for numbers."""
    names = representatives_of(recipe, prepared.kinds)
    if own is None:
        return _placed(make_aggregators(prepared, names, weights), prepared, recipe)
    _refuse_for_own(recipe, prepared, names, weights)
    of_own = [j for j, encoder in enumerate(prepared.encoders) if encoder.measured]
    rest = {e.name: names[e.name] for e in prepared.encoders if not e.measured}
    parts = [(own, of_own)] if of_own else []
    parts += make_aggregators(prepared, rest, None)
    return _placed(parts, prepared, recipe)


def _placed(parts: Any, prepared: Prepared, recipe: Recipe) -> ByColumn:
    """Parts for their columns, and for what is missing in them."""
    return ByColumn(
        [
            (_over_gaps(part, list(columns), prepared, recipe), columns)
            for part, columns in parts
        ]
    )


def _refuse_for_own(
    recipe: Recipe, prepared: Prepared, names: dict[str, str], weights: Any
) -> None:
    """Refuse what a method that says itself what is published cannot honour."""
    asked = [
        encoder.name
        for encoder in prepared.encoders
        if encoder.name in recipe.representatives and encoder.measured
    ]
    refused = Option("aggregate", recipe.aggregate)
    if asked:
        refused = Option(
            "representatives", {asked[0]: recipe.representatives[asked[0]]}
        )
    if weights is not None:
        refused = Option("weights", recipe.weights)
    apart = recipe.unit_records == APART
    if apart:  # it would count each record of a person
        refused = Option("unit_records", APART)
    if asked or weights is not None or apart or recipe.aggregate != "mean":
        raise InputError(
            [
                f"Method {recipe.method_name!r} says itself what is published, so ",
                refused,
                " cannot be honoured.",
            ],
            option=refused.name,
            hint="Leave it out, or choose a method that publishes means, such as mdav.",
        )


def _over_gaps(
    part: Any, columns: list[int], prepared: Prepared, recipe: Recipe
) -> Any:
    """What a part publishes of cells with missing values, if its columns have any."""
    if not np.isnan(prepared.X[:, columns]).any():
        return part
    if isinstance(part, (Medoid, Set)):
        raise InputError(
            [
                f"A {type(part).__name__.lower()} needs all values of a cell, and some "
                f"of {prepared.names[columns[0]]!r} are missing, so ",
                Option("missing", recipe.missing),
                " cannot be honoured.",
            ],
            option="representatives",
            hint=["Choose another one, or ", Option("missing", "impute"), "."],
        )
    if not part.constant_within_cells or part.needs_target or part.needs_partition:
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


def confidential_reading(recipe: Recipe) -> ConfidentialReading:
    """How values of confidential columns are compared in a release."""
    schema = recipe.schema
    names = read_columns(schema.confidential, all_promises(recipe))
    given = marks_of(recipe.missing_marks, as_text=True).common
    return ConfidentialReading(
        names,
        {name: schema.kinds[name] for name in names if name in schema.kinds},
        recipe.decimal,
        tuple(dict.fromkeys((*MISSING_MARKS, *given))),
    )


def read_columns(
    confidential: Sequence[str], promises: Sequence[Promise]
) -> tuple[str, ...]:
    """Confidential columns that are read as what they stand for.

    Those of which a promise names values, by an order, a hierarchy or a sensitive
    value, are compared as they are written there.
    """
    by_name = {
        promise.column
        for promise in promises
        if isinstance(promise, CellModel) and promise.names_values
    }
    return tuple(name for name in confidential if name not in by_name)


def all_promises(recipe: Recipe) -> list[Promise]:
    """The promises of a recipe beyond those of its plan, one for each column."""
    confidential = recipe.schema.confidential
    return [one for promise in recipe.promises for one in promise.bind(confidential)]


def promises_of(plan: Plan, recipe: Recipe, strata: Sequence[str]) -> list[Promise]:
    """What a release promises: what its plan can keep, and what the recipe adds.

    Parameters
    ----------
    plan : Plan
    strata : sequence of str
        Strata that are released as they are: whoever knows a block of columns may know
        them too.
    """
    names = list(recipe.schema.quasi_identifiers)
    own = plan.promises(names, beside=tuple(strata))
    if not plan.capabilities.promises_k:  # then count who is below what was asked
        own = [
            replace(one, k=recipe.k) if isinstance(one, KAnonymity) else one
            for one in own
        ]
    return [*own, *all_promises(recipe)]
