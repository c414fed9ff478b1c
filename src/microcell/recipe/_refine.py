"""Cells of any method, refined: what the option `refine` means, and where it cannot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from microcell.exceptions import (
    InputError,
    Option,
    ParameterError,
    nearest_name,
    sentence,
)

if TYPE_CHECKING:
    from microcell.compose import Plan
    from microcell.recipe._recipe import Recipe

NOT_REFINED = "no"
YES_OR_NO = {False: NOT_REFINED, True: "yes"}
SEARCH_AMOUNT = re.compile(r"(\d[\d_]*(?:\.\d+)?(?:e\d+)?) *([a-z]*)", re.IGNORECASE)
SECONDS_OF_UNIT = dict(s=1, second=1, min=60, minute=60, h=3600, hour=3600)
UNITS_OF_MOVES = ("", "move")


class SearchBudget(NamedTuple):
    """What a search may spend, as `Refine` takes it."""

    moves: int | str | None = None
    seconds: float | None = None
    bound: str | None = None


def check_refine(value: Any) -> str | None:
    """The option in its one way of writing; None is what the method does.

    Examples
    --------
    >>> check_refine(True), check_refine("long"), check_refine(5_000_000)
    ('yes', 'long', '5000000 moves')
    >>> check_refine("5e6"), check_refine("90s"), check_refine("2 min")
    ('5000000 moves', '90 s', '120 s')
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return YES_OR_NO[value]
    text = str(value).strip().lower() if isinstance(value, (str, int, float)) else ""
    if text in (NOT_REFINED, "yes", "long"):
        return text
    amount = SEARCH_AMOUNT.fullmatch(text)
    if amount is not None:
        number, unit = float(amount[1].replace("_", "")), amount[2]
        unit = unit if unit in SECONDS_OF_UNIT else unit.removesuffix("s")
        if unit in UNITS_OF_MOVES and number >= 1 and number == number // 1:
            return f"{int(number)} moves"
        if unit in SECONDS_OF_UNIT and number > 0:
            return f"{number * SECONDS_OF_UNIT[unit]:.15g} s"
    raise ParameterError(
        "refine",
        "must be 'yes', 'long', a number of moves ('5000000') or a time ('90 s', "
        f"'10 min'), or 'no'. Got {value!r} instead.",
        hint=nearest_name(value, ("yes", "no", "long")),
    )


def search_budget(value: str | None) -> SearchBudget | None:
    """What the search of a recipe may spend; None if there is none.

    Examples
    --------
    >>> search_budget("no"), search_budget("yes")
    (None, SearchBudget(moves=None, seconds=None, bound=None))
    >>> search_budget("long")
    SearchBudget(moves='long', seconds=None, bound='neighbours')
    """
    if value in (None, NOT_REFINED):
        return None
    if value == "yes":
        return SearchBudget()
    if value == "long":
        return SearchBudget("long", bound="neighbours")  # it costs little beside that
    number, _, unit = value.partition(" ")
    if unit == "moves":
        return SearchBudget(int(number))
    return SearchBudget(None, float(number))


def refined(plan: Plan, recipe: Recipe) -> Plan:
    """The plan of a recipe, its cells refined if the recipe says so.

    Raises
    ------
    InputError
        If the cells are made for something that a search would not keep.
    """

    def refusal(words: str, way_out: str) -> InputError:
        said = sentence(
            words,
            method=repr(recipe.method_name),
            asked=Option("refine", recipe.refine),
            enforce=Option("enforce", recipe.enforce),
        )
        return InputError(said, option="refine", hint=sentence(way_out))

    budget, can = search_budget(recipe.refine), plan.capabilities
    if budget is None:
        if recipe.refine == NOT_REFINED and can.searches:
            raise refusal(
                "Method {method} is a search, so {asked} cannot be honoured.",
                "Leave it out, or choose {method='mdav'}.",
            )
        return plan
    from microcell.compose import Refine

    if recipe.enforce not in ("auto", "merge"):
        raise refusal(
            "{enforce} builds cells for a promise, which {asked} would not keep.",
            "Choose {enforce='merge'}, or leave it out.",
        )
    if can.searches:
        raise refusal(
            "Method {method} refines its cells itself, so {asked} would do it twice.",
            "Leave it out; {moves} says how long the search is.",
        )
    if not (can.can_be_equipped and can.refinable):
        raise refusal(
            "Cells of method {method} are made for something else than the least loss "
            "of all columns, which a search for it would not keep, so {asked} cannot "
            "be honoured.",
            "Leave it out, or choose a method such as mdav, mondrian or lda-mdav.",
        )
    return plan.equip(
        publish=lambda own: own,
        group=lambda part: Refine(part, search="combined", **budget._asdict()),
    )
