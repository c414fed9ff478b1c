"""How cells are made to keep what a recipe promises of confidential columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from microcell.exceptions import InputError, OfRecords, Option

if TYPE_CHECKING:
    from microcell.release._plan import Groups
    from microcell.release._recipe import Recipe

# Parts of `microcell.compose` that build cells for a promise, by name.
BUILDERS = {
    "t-first": "TClosenessFirst",
    "k-first": "KAnonymityFirst",
    "p-first": "PSensitiveFirst",
}
WAYS = ("merge", *BUILDERS)


def check_enforce(recipe: Recipe) -> None:
    """Refuse a way to enforce that nothing in the recipe can use."""
    if recipe.enforce == "merge":
        return
    models = _builder(recipe).models
    if not any(isinstance(promise, models) for promise in recipe.promises):
        names = " or ".join(model.name for model in models)
        raise InputError(
            [
                Option("enforce", recipe.enforce),
                f" builds cells for a promise of {names}, and there is none.",
            ],
            option="enforce",
            hint=["Add one to ", Option("promises"), ", or leave it out."],
        )


def _builder(recipe: Recipe) -> Any:
    import microcell.compose

    return getattr(microcell.compose, BUILDERS[recipe.enforce])


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
    from microcell.compose import Enforce

    if not groups.values:
        return partition
    if recipe.enforce != "merge":
        partition = _built(partition, recipe, groups)
    promises, values = zip(*groups.values, strict=True)
    if recipe.enforce != "merge" and len(promises) == 1:
        return partition
    values = np.column_stack(values)
    return Enforce(
        partition, promises, values=values, totals=groups.totals, units=groups.units
    )


def _built(partition: Any, recipe: Recipe, groups: Groups) -> Any:
    """Cells built for the first promise that the way is for, instead of MDAV's."""
    from microcell.partition import MDAV

    if type(partition) is not MDAV:
        by_unit = groups.units is not None
        what = "units" if by_unit else f"method {recipe.method_name!r}"
        other = () if by_unit else (", or ", Option("method", "mdav"))
        raise InputError(
            [
                Option("enforce", recipe.enforce),
                f" builds cells as MDAV does, so it cannot be combined with {what}.",
            ],
            option="enforce",
            hint=[
                "Choose ",
                Option("enforce", "merge"),
                ", which takes any cells",
                *other,
                ".",
            ],
        )
    part = _builder(recipe)
    place = next(
        place
        for place, (promise, _) in enumerate(groups.values)
        if isinstance(promise, part.models)
    )
    promise, values = groups.values[place]
    totals = None if groups.totals is None else [groups.totals[place]]
    return part(promise, partition.k, values=values, totals=totals)


def with_frequent_value(
    error: InputError, frame: Any, recipe: Recipe, units: np.ndarray | None
) -> InputError:
    """The error of a promise that cannot hold, with the value that is too frequent.

    It is the most frequent one of the whole table, and named if at least k people
    have it; other errors stay as they are.
    """
    from microcell.privacy import cell_values, value_codes

    column = error.column
    if error.option != "promises" or column not in recipe.schema.confidential:
        return error
    codes = value_codes(frame.to_native(), str(column))
    totals = cell_values(np.zeros_like(codes), codes, units=units).totals
    row = int(np.argmax(totals[codes]))
    value = frame[column][row]
    if totals[codes[row]] < recipe.k or value is None:
        return error
    said = [error.words] if isinstance(error.words, str) else list(error.words)
    frequent = f" In the whole table the most frequent value is {value!r}."
    return InputError(
        [*said, OfRecords(frequent)],
        column=column,
        option=error.option,
        hint=error.hint,
    )
