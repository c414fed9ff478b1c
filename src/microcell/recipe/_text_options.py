"""Options that say how text is read: marks of missing values, decimal mark, dates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from microcell._patterns import EVERY_COLUMN
from microcell._validation import check_choice
from microcell.exceptions import SchemaError, nearest_name


def check_decimal(decimal: Any) -> Any:
    """The decimal mark, or none; refuse what is no decimal mark."""
    return decimal if decimal is None else check_choice("decimal", decimal, (".", ","))


def given_marks(marks: Any, names: Sequence[str]) -> Any:
    """Marks of missing values as texts, of all columns or by column.

    Examples
    --------
    >>> given_marks(["NA", -9], ["age"]), given_marks({"age": 999}, ["age"])
    (('NA', '-9'), {'age': ('999',)})
    """
    if marks is None:
        return None
    if isinstance(marks, Mapping):
        own = [name for name in marks if name != EVERY_COLUMN]
        _check_columns("missing_marks", own, names)
        return {name: _texts(several) for name, several in marks.items()}
    return _texts(marks)


def _texts(marks: Any) -> tuple[str, ...]:
    one = isinstance(marks, (str, Real)) or not isinstance(marks, Sequence)
    several = [marks] if one else list(marks)
    for mark in several:
        if not isinstance(mark, (str, Real)) or isinstance(mark, bool):
            raise SchemaError(
                f"A missing mark is a text or a number. Got {mark!r} instead.",
                option="missing_marks",
            )
    return tuple(map(_text, several))


def _text(mark: Any) -> str:
    mark = mark.item() if hasattr(mark, "item") else mark
    return mark if isinstance(mark, str) else repr(mark)


def _check_columns(option: str, given: Any, names: Sequence[str]) -> None:
    for name in given:
        if name not in names:
            raise SchemaError(
                f"{option!r} names {name!r}, which is not a quasi-identifier "
                f"{list(names)}.",
                column=str(name),
                option=option,
                hint=nearest_name(name, names),
            )
