"""Weights of columns in the distances: who may have one, and where it has an effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microcell.exceptions import (
    InputError,
    Option,
)

if TYPE_CHECKING:
    from microcell.compose import Plan
    from microcell.recipe._recipe import Recipe


def weights_in_order(recipe: Recipe) -> list[float] | None:
    """Weights of all quasi-identifiers in their order; None if none were given."""
    if not recipe.importance:
        return None
    names = recipe.schema.quasi_identifiers
    return [float(recipe.importance.get(name, 1)) for name in names]


def refuse_importance_without_effect(recipe: Recipe, plan: Plan) -> None:
    """Refuse weights that would change nothing."""
    weights = weights_in_order(recipe)
    if weights is None:
        return
    own = not isinstance(recipe.method, str) and not callable(recipe.method)
    if own:
        why = "it is an estimator with its own geometry"
    elif len(set(weights)) == 1:
        why = "it is how weights differ that counts, and all columns have the same"
    elif not plan.weighs(weights):
        why = "its cells are the same on any scale of these columns"
    else:
        return
    raise InputError(
        [
            f"With method {recipe.method_name!r} ",
            Option("importance"),
            f" would change nothing: {why}.",
        ],
        option="importance",
        hint="Leave it out, or choose another method or other weights.",
    )
