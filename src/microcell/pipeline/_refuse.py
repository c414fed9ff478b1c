"""What shards cannot do is refused before any work."""

from __future__ import annotations

from microcell.exceptions import InputError, Option
from microcell.pipeline._plan import all_promises
from microcell.privacy import CellModel, CellSize, KAnonymity
from microcell.recipe import APART, RECORDS, Recipe, options_of

MEASURED_IN_SHARDS = (  # of a table that no memory holds
    "relative_loss",
    "sse_loss",
    "mse_distortion",
    "prosecutor_max_risk",
    "prosecutor_average_risk",
    "journalist_max_risk",
    "journalist_average_risk",
    "household_max_risk",
    "household_average_risk",
    "visits_max_risk",
)
OF_RECORDS_TOGETHER = ("visits_max_risk",)  # that of a class each person is in


def refuse_measures(recipe: Recipe) -> None:
    """Refuse measures by name that are not added up over shards."""
    if isinstance(recipe.measures, str):
        return
    apart = recipe.unit_records == APART
    known = [n for n in MEASURED_IN_SHARDS if not (apart and n in OF_RECORDS_TOGETHER)]
    for name in recipe.measures:
        if name not in known:
            raise InputError(
                f"{name!r} is measured on a table in memory, not over shards.",
                option="measures",
                hint=[
                    f"Choose among {known}; the share of records "
                    "that are found is sampled. Or choose ",
                    Option("engine", "memory"),
                    ".",
                ],
            )


def refuse_recipe(recipe: Recipe) -> None:
    """Refuse a recipe that needs all records at once.

    Raises
    ------
    InputError
        With the option that cannot be honoured, and the way out.
    """
    can = recipe.plan.capabilities
    if can.differentially_private:
        raise _refused(
            Option("method", recipe.method_name),
            "is private for the table as a whole, and a cut learnt from its records "
            "would not be",
        )
    if recipe.target is not None or can.needs_target:
        raise _refused(
            Option("method", recipe.method_name),
            "learns from the confidential attribute of all records",
            "Choose a method without a target, such as mdav.",
        )
    if not can.can_be_equipped:
        raise _refused(
            Option("method", recipe.method_name), "masks a table by itself, as a whole"
        )
    if can.is_timed:
        raise _refused(
            Option("refine", recipe.refine)
            if recipe.refine is not None
            else Option("seconds"),
            "is a time for the search in the table as a whole",
            "Give a number of moves instead, which each shard has for itself.",
        )
    for name, spec in options_of(type(recipe)).items():
        value, whole = getattr(recipe, name), spec.on_parts
        if whole is not None and value not in (spec.default, *whole.but):
            raise _refused(Option(name, value), whole.why, whole.way)
    apart = recipe.unit not in (None, RECORDS)
    if apart and "classes" not in recipe.plan.keeps(1):
        raise _refused(
            Option("unit", recipe.unit),
            f"cannot be counted in parts with method {recipe.method_name!r}, whose "
            "release has records of one person in several classes",
        )
    for promise in all_promises(recipe):
        if not isinstance(promise, (CellModel, KAnonymity, CellSize)):
            raise _refused(
                Option("promises", [promise.name]),
                "is counted on the whole table at once",
            )


def _refused(option: Option, why: str, way: str = "") -> InputError:
    hint = [way, " "] if way else []
    return InputError(
        [option, f" {why}, so the table cannot be cut into shards."],
        option=option.name,
        hint=[
            *hint,
            "Or release" if way else "Release",
            " the table as a whole, without ",
            Option("engine"),
            " and ",
            Option("shard"),
            ".",
        ],
    )
