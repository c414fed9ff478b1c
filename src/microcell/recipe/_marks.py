"""Marks of missing values, as a recipe keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

from microcell._patterns import EVERY_COLUMN
from microcell.exceptions import SchemaError

if TYPE_CHECKING:
    from microcell.recipe._schema import Schema

Texts = tuple[str, ...]


def given_marks(marks: Any, schema: Schema) -> Texts | dict[str, Texts] | None:
    """Marks of missing values, of all columns and those that single ones have.

    Examples
    --------
    >>> from microcell import Schema
    >>> given_marks(["NA", -9], Schema(["age"]))
    ('NA', '-9')
    >>> given_marks({"*": "NA", "age": 999}, Schema(["age"]))
    {'*': ('NA',), 'age': ('999',)}
    """
    if isinstance(marks, Mapping):
        own = {name: value for name, value in marks.items() if name != EVERY_COLUMN}
        schema, marks = schema.saying(missing_marks=own), marks.get(EVERY_COLUMN)
    common = None if marks is None else as_texts(marks)
    if not schema.missing_marks:
        return common
    return ({EVERY_COLUMN: common} if common else {}) | schema.missing_marks


def as_texts(marks: Any) -> Texts:
    """Marks as texts; one may stand for itself."""
    one = isinstance(marks, (str, Real)) or not isinstance(marks, Sequence)
    several = [marks] if one else list(marks)
    for mark in several:
        if not isinstance(mark, (str, Real)) or isinstance(mark, bool):
            raise SchemaError(
                f"A missing mark is a text or a number. Got {mark!r} instead.",
                option="missing_marks",
            )
    plain = [mark.item() if hasattr(mark, "item") else mark for mark in several]
    return tuple(mark if isinstance(mark, str) else repr(mark) for mark in plain)
