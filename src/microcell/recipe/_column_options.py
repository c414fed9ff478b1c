"""Options with an entry for each column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

from microcell.recipe._clip import check_clip
from microcell.recipe._digits import check_digits
from microcell.recipe._importance import check_importance
from microcell.recipe._options import DEFAULT_ALONE, option
from microcell.recipe._representatives import check_representatives
from microcell.recipe._text_options import given_dates


@dataclass(frozen=True)
class ColumnOptions:
    """Options with an entry for each column.

    Parameters
    ----------
    representatives : mapping of str to str, optional
        The same for single columns. One that does not fit a column's kind is an error.
        Medians, medoids, modes, sets, midpoints and the ends of intervals may be
        values of real people; the release says so where one was chosen.
    clip : mapping of str to str or pair, optional
        Limits of columns: "18:90", ":99%", (18, 90), (None, 90). Values beyond are
        set to them before anything else. A percentage is a quantile of the records,
        moved inwards until at least k records share the limit.
    digits : mapping of str to int, optional
        Decimals of what is released of numeric columns; -2 rounds to hundreds. It goes
        before `integers`.
    importance : mapping of str to float, optional
        Weights of quasi-identifiers, 1 by default: the part of a column in squared
        distances is multiplied by its weight. Loss and risk are measured without them.
    dates : mapping of str to str, optional
        How a quasi-identifier of text writes its dates, as `strptime` has it, for
        example ``{"born": "%d/%m/%Y"}``.
    """

    _: KW_ONLY
    representatives: Mapping[str, str] = option(
        {},
        section="representatives",
        help="What one column becomes, age=interval (repeat the option).",
        form="pairs",
        flags=("--representative",),
        metavar="NAME=WHAT",
        check=lambda recipe, _: check_representatives(recipe),
        by_column=True,
        with_dp=DEFAULT_ALONE,
    )
    clip: Mapping[str, Any] = option(
        {},
        section="clip",
        help="Limits of a column, age=18:90 or income=:99% (repeat the option).",
        form="pairs",
        flags=("--clip",),
        metavar="NAME=LOW:HIGH",
        check=lambda recipe, _: check_clip(recipe),
        by_column=True,
        with_dp=DEFAULT_ALONE,
    )
    digits: Mapping[str, int] = option(
        {},
        section="digits",
        help="Decimals of a released column, bmi=1 (repeat the option).",
        form="pairs",
        flags=("--digits",),
        metavar="NAME=NUMBER",
        check=lambda recipe, _: check_digits(recipe),
        by_column=True,
        with_dp=DEFAULT_ALONE,
    )
    importance: Mapping[str, float] = option(
        {},
        section="importance",
        help="Weight of a column in the distances, for example age=2; 1 by default.",
        form="pairs",
        flags=("--importance",),
        metavar="NAME=NUMBER",
        check=lambda recipe, _: check_importance(recipe),
        by_column=True,
        with_dp=DEFAULT_ALONE,
    )
    dates: Mapping[str, str] = option(
        {},
        section="dates",
        help="How a column of text writes dates, for example born=%d/%m/%Y (repeat the "
        "option).",
        form="pairs",
        flags=("--date",),
        metavar="NAME=FORMAT",
        check=lambda recipe, dates: given_dates(dates, recipe.schema),
        by_column=True,
        with_dp=DEFAULT_ALONE,
    )
