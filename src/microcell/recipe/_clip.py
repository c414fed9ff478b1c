"""Limits of columns as a recipe writes them, and what is said of what they did."""

from __future__ import annotations

import datetime
import numbers
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from microcell.exceptions import ParameterError

if TYPE_CHECKING:
    from microcell.columns import Encoder
    from microcell.recipe._recipe import Recipe

PERCENTAGE = re.compile(r"([0-9]+(?:\.[0-9]+)?)%")
Limits = tuple[Any, Any]


def parse_limits(column: str, given: Any) -> Limits:
    """Low and high of one column; None where there is no limit.

    Examples
    --------
    >>> parse_limits("income", ":99%"), parse_limits("age", (18, None))
    ((None, '99%'), (18, None))
    """
    if isinstance(given, str):
        pair: Any = split_limits(given)
    else:
        pair = given
    if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
        raise _no_limits(column, given)
    low, high = (_limit(column, given, value) for value in pair)
    if low is None and high is None:
        raise _no_limits(column, given)
    _check_percentage(column, low, 0, 50)
    _check_percentage(column, high, 50, 100)
    return low, high


def split_limits(text: str) -> list[str] | None:
    """Both limits of a text; moments have colons of their own.

    Examples
    --------
    >>> split_limits("1%:99%"), split_limits("2024-01-01T10:30:2024-02-01T11:00")
    (['1%', '99%'], ['2024-01-01T10:30', '2024-02-01T11:00'])
    """
    parts = text.split(":")
    if len(parts) < 2:
        return None
    if parts[0] == "" or parts[-1] == "":
        return ["", text[1:]] if parts[0] == "" else [text[:-1], ""]
    middle, odd = divmod(len(parts), 2)
    if odd:  # no colon stands in the middle
        return None
    return [":".join(parts[:middle]), ":".join(parts[middle:])]


def _limit(column: str, given: Any, value: Any) -> Any:
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if hasattr(value, "item"):
        value = value.item()
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, (str, numbers.Real)):
        raise _no_limits(column, given)
    return value.strip() if isinstance(value, str) else value


def _check_percentage(column: str, limit: Any, least: int, most: int) -> None:
    if not isinstance(limit, str) or not limit.endswith("%"):
        return
    found = PERCENTAGE.fullmatch(limit)
    if found is None or not least <= float(found[1]) <= most:
        side = "lower" if least == 0 else "upper"
        raise ParameterError(
            "clip",
            f"of column {column!r} has the {side} percentage {limit!r}, which must be "
            f"between {least}% and {most}%.",
        )


def _no_limits(column: str, given: Any) -> ParameterError:
    return ParameterError(
        "clip",
        f"of column {column!r} must be 'LOW:HIGH', with one side empty for no limit "
        f"(18:90, :99%). Got {given!r} instead.",
        hint="In Python, (18, 90) or (None, 90) will do as well.",
    )


def written_limits(limits: Limits) -> Any:
    """Limits as text, or as a list of two where text could not be read again.

    A number is no text of its column's, which may have a decimal mark of its own.
    """
    texts = ["" if limit is None else str(limit) for limit in limits]
    if any(isinstance(limit, numbers.Real) for limit in limits):
        return ["" if limit is None else limit for limit in limits]
    joined = ":".join(texts)
    return joined if split_limits(joined) == texts else texts


def n_changed(
    before: np.ndarray, after: np.ndarray, units: np.ndarray | None = None
) -> int:
    """People with a value of a column that was beyond its limits."""
    changed = is_changed(before, after)
    return int(changed.sum()) if units is None else np.unique(units[changed]).size


def is_changed(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Which values of a column were beyond its limits."""
    changed: np.ndarray = (before != after) & ~np.isnan(before)
    return changed


def clip_notice(
    recipe: Recipe, encoder: Encoder, changed: int, who: str = "records"
) -> str:
    """What is said of a column that was clipped."""
    count = changed if changed >= recipe.k else f"fewer than {recipe.k}"
    low, high = (
        encoder.text(limit) if np.isfinite(limit) else ""
        for limit in encoder.extras.limits or (-np.inf, np.inf)
    )
    if low and high:
        between = f"between {low} and {high}"
    else:
        between = f"at least {low}" if low else f"at most {high}"
    return f"{encoder.name!r} is clipped to {between}: {count} {who} were beyond"
