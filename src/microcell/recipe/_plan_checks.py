"""What a recipe asks of its method's plan, looked at before any work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microcell.exceptions import (
    InputError,
    Option,
    SchemaError,
    nearest_name,
    sentence,
)
from microcell.recipe._differentially_private import check_private
from microcell.recipe._enforcement import check_enforce

if TYPE_CHECKING:
    from microcell.compose import Plan
    from microcell.privacy import Promise
    from microcell.recipe._recipe import Recipe

NO_CLASSES = "what it releases has no classes of k records that could keep it"
UNKEPT = {
    "classes": NO_CLASSES,
    "cells": NO_CLASSES,
    "construction": "it was not made to keep it",
}
WHOLE_RECORDS = "Choose a method that masks whole records, such as mdav."
KEEPERS = {
    "classes": WHOLE_RECORDS,
    "cells": WHOLE_RECORDS,
    "construction": "Choose the method dp-microaggregation, which promises it itself.",
}


def check_plan(recipe: Recipe, plan: Plan) -> None:
    """Refuse what a plan cannot keep or would not use."""
    _check_importance(recipe, plan)
    _check_target(recipe, plan)
    if plan.capabilities.differentially_private:
        check_private(recipe, plan)
    if recipe.is_estimator and recipe.scale != "standard":
        raise InputError(
            sentence(
                "The estimator {method} has its own geometry, so {scale} would change "
                "nothing.",
                method=repr(recipe.method_name),
                scale=Option("scale", recipe.scale),
            ),
            option="scale",
            hint="Give it an embedding, or pass a function that takes the scale.",
        )
    for promise in recipe.promises:
        _check_promise(recipe, plan, promise)
    check_enforce(recipe)


def _check_importance(recipe: Recipe, plan: Plan) -> None:
    """Refuse weights of columns that would change nothing."""
    weights = recipe.weights_in_order
    if weights is None:
        return
    if recipe.is_estimator:
        why = "it is an estimator with its own geometry"
    elif len(set(weights)) == 1:
        why = "it is how weights differ that counts, and all columns have the same"
    elif not plan.weighs(weights):
        why = "its cells are the same on any scale of these columns"
    else:
        return
    method = repr(recipe.method_name)
    words = "With method {method} {importance} would change nothing: {why}."
    raise InputError(
        sentence(words, method=method, why=why),
        option="importance",
        hint="Leave it out, or choose another method or other weights.",
    )


def _check_target(recipe: Recipe, plan: Plan) -> None:
    can, confidential = plan.capabilities, recipe.schema.confidential
    if not can.needs_target:
        if recipe.target is not None:
            raise InputError(
                f"Method {recipe.method_name!r} does not use a confidential "
                f"attribute. Got target={recipe.target!r}.",
                option="target",
            )
        return
    if recipe.target is None and len(confidential) == 1:
        object.__setattr__(recipe, "target", confidential[0])
    if len(recipe.targets) > 1 and not can.takes_several_targets:
        raise InputError(
            f"Method {recipe.method_name!r} with these parameters shapes cells by "
            f"one confidential attribute. Got target={recipe.target!r}.",
            option="target",
        )
    if not recipe.targets or not set(recipe.targets) <= set(confidential):
        raise SchemaError(
            f"Method {recipe.method_name!r} shapes cells by a confidential "
            f"attribute: name one of {list(confidential)} as target. Got "
            f"{recipe.target!r}.",
            option="target",
            hint=nearest_name(str(recipe.target), confidential),
        )


def _check_promise(recipe: Recipe, plan: Plan, promise: Promise) -> None:
    """Refuse one that the plan cannot keep, and one that is no promise beside k."""
    from microcell.privacy import KMap

    schema = recipe.schema
    promise.bind(schema.confidential)
    promised = getattr(promise, "k", None)
    if not isinstance(promise, KMap):  # whose k counts a population
        if promised is not None and promised > recipe.k:
            raise InputError(
                f"The promise {promise.name!r} of {promised} is more than "
                f"k={recipe.k}.",
                option="k",
                hint="Raise k instead.",
            )
        there = {*schema.quasi_identifiers, *recipe.strata}
        for name in getattr(promise, "columns", None) or ():
            if name not in there:
                raise SchemaError(
                    f"A promise names the column {name!r}, which is no "
                    "quasi-identifier.",
                    column=name,
                    option="promises",
                    hint=nearest_name(name, sorted(there)),
                )
    if promise.over not in plan.keeps(len(schema.quasi_identifiers)):
        raise InputError(
            f"Method {recipe.method_name!r} cannot promise {promise.name}: "
            f"{UNKEPT[promise.over]}.",
            option="promises",
            hint=KEEPERS[promise.over],
        )
