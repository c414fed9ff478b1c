"""How cells are made to keep what a recipe promises of confidential columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from microcell.exceptions import InputError, Option, sentence

if TYPE_CHECKING:
    from microcell.pipeline import Groups
    from microcell.recipe._recipe import Recipe

# Parts of `microcell.compose` that build cells for a promise, by name.
BUILDERS = {
    "t-first": "TClosenessFirst",
    "k-first": "KAnonymityFirst",
    "p-first": "PSensitiveFirst",
}
# Cells of p-first give away more to who knows the table.
WAYS_TRIED = ("t-first", "k-first")
WAYS = ("auto", "merge", *BUILDERS)


def check_enforce(recipe: Recipe) -> None:
    """Refuse a way to enforce that nothing in the recipe can use."""
    if recipe.enforce not in BUILDERS:
        return
    models = _builder(recipe.enforce).models
    if not any(isinstance(promise, models) for promise in recipe.promises):
        raise InputError(
            sentence(
                "{way} builds cells for a promise of {models}, and there is none.",
                way=Option("enforce", recipe.enforce),
                models=" or ".join(model.name for model in models),
            ),
            option="enforce",
            hint=sentence("Add one to {promises}, or leave it out."),
        )


def _builder(way: str) -> Any:
    import microcell.compose

    return getattr(microcell.compose, BUILDERS[way])


def keeping(partition: Any, recipe: Recipe, groups: Groups) -> Any:
    """A partition whose cells keep the promises of a recipe.

    Parameters
    ----------
    partition : partitioner
        That of the method, of units where k counts them.
    recipe : Recipe
    groups : Groups
        With the promises about cells and the values that they are about.
    """
    from microcell.compose import LeastLoss, Refine
    from microcell.partition import MDAV

    if not groups.values:
        return partition
    if recipe.enforce in BUILDERS:
        _check_as_mdav(partition, recipe, groups)
        return _built(recipe.enforce, partition.k, groups)
    merged = _merged(partition, groups)
    # A search, or MDAV itself, is there for a low loss; other cells are what was asked.
    within = partition.partition if isinstance(partition, Refine) else partition
    if recipe.enforce == "merge" or type(within) is not MDAV:
        return merged
    ways = [way for way in WAYS_TRIED if _places(way, groups)]
    others = {way: _built(way, partition.k, groups) for way in ways}
    return LeastLoss(merged, others) if others else merged


def _merged(partition: Any, groups: Groups) -> Any:
    from microcell.compose import Enforce

    promises, values = zip(*groups.values, strict=True)
    values = np.column_stack(values)
    return Enforce(
        partition,
        promises,
        values=values,
        totals=groups.totals,
        units=groups.units,
        n_people=groups.n_people,
    )


def _places(way: str, groups: Groups) -> list[int]:
    """The promises that cells can be built for in some way."""
    models = _builder(way).models
    return [n for n, (one, _) in enumerate(groups.values) if isinstance(one, models)]


def _check_as_mdav(partition: Any, recipe: Recipe, groups: Groups) -> None:
    """Refuse cells of another method, which would not be those that are built."""
    from microcell.partition import MDAV

    if type(partition) is not MDAV:
        by_unit = groups.units is not None
        other = "" if by_unit else ", or {method='mdav'}"
        raise InputError(
            sentence(
                "{way} builds cells as MDAV does, so it cannot be combined with "
                "{others}.",
                way=Option("enforce", recipe.enforce),
                others="units" if by_unit else f"method {recipe.method_name!r}",
            ),
            option="enforce",
            hint=sentence(
                "Choose {enforce='merge'}, which takes any cells" + other + "."
            ),
        )


def _built(way: str, k: int, groups: Groups) -> Any:
    """Cells built for the first promise that a way is for; others are merged for."""
    place = _places(way, groups)[0]
    promise, values = groups.values[place]
    totals = None if groups.totals is None else [groups.totals[place]]
    part = _builder(way)(promise, k, values=values, totals=totals)
    return part if len(groups.values) == 1 else _merged(part, groups)
