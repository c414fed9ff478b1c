"""What is said of parts of a table adds up, in any order, to what is said of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from typing import Any, Self

import polars as pl


class AddsUp:
    """A dataclass of which two are added field by field; see `added`.

    A field may name a way of its own, such as ``field(metadata={"by": max})``.
    """

    def __add__(self, other: Self) -> Self:
        sums = [
            each.metadata.get("by", added)(
                getattr(self, each.name), getattr(other, each.name)
            )
            for each in fields(self)  # type: ignore[arg-type]
        ]
        return type(self)(*sums)


def added(one: Any, other: Any) -> Any:
    """Two of a kind added up: by key, by place, row below row, or as they do it.

    Of what is there once only, and of nothing at all, there is the other.

    Examples
    --------
    >>> added({"a": [1, 2]}, {"a": [3, 4], "b": [5, 6]}), added((), (1, 2))
    ({'a': [4, 6], 'b': [5, 6]}, (1, 2))
    """
    if one is None or other is None:
        return other if one is None else one
    if isinstance(one, dict) and not isinstance(one, Counter):
        return {key: added(one.get(key), other.get(key)) for key in {**one, **other}}
    if isinstance(one, (list, tuple)):
        if not one or not other:
            return one or other
        parts = [added(a, b) for a, b in zip(one, other, strict=True)]
        return getattr(type(one), "_make", type(one))(parts)
    if isinstance(one, pl.DataFrame):
        return pl.concat([one, other], how="vertical_relaxed")
    return one + other
