"""Decimals of released numbers, column by column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microcell._validation import check_count
from microcell.exceptions import ParameterError
from microcell.recipe._representatives import column_mapping

if TYPE_CHECKING:
    from microcell.recipe._recipe import Recipe

MOST_DIGITS = 15  # floats have no more


def check_digits(recipe: Recipe) -> dict[str, int]:
    """The digits of a recipe by column; negative ones round to tens, hundreds, ..."""
    checked = {}
    for column, given in column_mapping(recipe, "digits").items():
        checked[column] = check_count(given, -MOST_DIGITS, "digits")
        if checked[column] > MOST_DIGITS:
            raise ParameterError(
                "digits",
                f"of column {column!r} must be at most {MOST_DIGITS}. Got {given!r} "
                "instead.",
            )
    return checked
