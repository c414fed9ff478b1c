"""Categories, with and without an order: what is released is one of the original."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

import narwhals as nw
import numpy as np

from microcell.columns._encoder import Encoder
from microcell.columns._series import (
    dictionary,
    first_rows,
    is_ordered,
    ordered_categories,
    without_unused_categories,
)
from microcell.columns._text_types import HOLDS, refuse_first
from microcell.exceptions import SchemaError, column_error, sentence

OTHER = "other"  # what rare categories become


class CategoryEncoder(Encoder):
    """Distinct values, each with its code.

    Attributes
    ----------
    values : narwhals.Series
        The values that occur, in ascending order of their codes.
    codes : ndarray
        Their codes.
    """

    def __init__(self, values: Any, codes: np.ndarray) -> None:
        super().__init__(values)
        self.values = values
        self.codes = np.asarray(codes)
        self.code_of = dict(
            zip(dictionary(values)[1], self.codes.tolist(), strict=True)
        )

    def encode(self, series: nw.Series[Any]) -> np.ndarray:
        """Codes of the values; one that the original does not have is an error."""
        seen, categories = dictionary(series)
        codes = [self.code_of.get(one, self.code_beside(one)) for one in categories]
        unknown = [code == -1 for code in codes]
        which = "which the original does not have."
        refuse_first(self.name, categories, seen, unknown, which, holds=HOLDS)
        return np.array(codes)[seen].astype(np.float64)

    def has_text(self, text: str) -> bool:
        """Whether it is a value of the original."""
        return text in self.code_of

    def code_beside(self, value: Any) -> int:
        """Code of a value that the original does not have; -1 if it has none."""
        return -1

    def decode(self, values: np.ndarray) -> nw.Series[Any]:
        """Values of the original; its unused categories are not among them."""
        places = np.searchsorted(self.codes, values)
        places = np.minimum(places, self.codes.size - 1)
        if not np.array_equal(self.codes[places], values):
            raise SchemaError(
                f"The method released numbers for column {self.name!r} that are no "
                "codes of its categories.",
                column=self.name,
                hint="Let it publish categories by their mode.",
            )
        return without_unused_categories(self.values[places])

    def text(self, value: float) -> str:
        """The category."""
        return str(self.values[int(np.searchsorted(self.codes, value))])

    def number(self, text: str) -> float:
        """Code of a category, or of what rare ones became."""
        code = self._code_of_text.get(text, self.code_beside(text))
        if code < 0:
            raise ValueError(f"There is no category {text!r}.")
        return float(code)

    @cached_property
    def _code_of_text(self) -> dict[str, int]:
        return {str(value): code for value, code in self.code_of.items()}

    def to_dict(self) -> dict[str, Any]:
        """With the categories, in the order of their codes."""
        return super().to_dict() | {"categories": list(self.code_of)}


class NominalEncoder(CategoryEncoder):
    """Categories without an order, coded by their place among the sorted values."""

    kind = "nominal"
    representative = "mode"
    nominal = True

    @classmethod
    def recognises(cls, series: nw.Series[Any]) -> bool:
        """Text, booleans, categories without an order, and integers of two values."""
        dtype = series.dtype
        texts = (nw.Boolean, nw.String, nw.Categorical, nw.Enum)
        return dtype.is_integer() or (dtype in texts and not is_ordered(series))

    @classmethod
    def fit(cls, series: nw.Series[Any], options: Any, records: Any = None) -> Self:
        """Learn the categories."""
        seen, categories = dictionary(series)
        order = sorted(range(len(categories)), key=categories.__getitem__)
        rows = first_rows(seen)[order]
        return cls(series[rows], np.arange(len(categories)))

    def code_beside(self, value: str) -> int:
        """What rare categories became is a category of its own."""
        return self.codes.size if value == OTHER else -1

    def merge(self, other: Any) -> Self:
        """Categories of both parts, coded anew."""
        return self.fit(concat(self.values, other.values), None)


class OrdinalEncoder(CategoryEncoder):
    """Categories with an order, coded by their place in it.

    Attributes
    ----------
    order : list or None
        All values that there may be, lowest first; None if they have an order of
        their own.
    """

    kind = "ordinal"
    representative = "median"
    ordered = True
    limit_help = "Give categories that occur, or percentages of the records."

    def __init__(
        self, values: np.ndarray, codes: np.ndarray, order: np.ndarray
    ) -> None:
        super().__init__(values, codes)
        self.order = order

    @classmethod
    def recognises(cls, series: Any) -> bool:
        """Categories whose data type orders them."""
        return is_ordered(series)

    @classmethod
    def fit(cls, series: Any, options: Any, records: Any = None) -> Self:
        """Learn which of the ordered categories there are."""
        return cls._fit(series, order_of(series, options.order), records)

    @classmethod
    def _fit(cls, series: Any, order: np.ndarray, records: Any = None) -> Any:
        seen, categories = dictionary(series)
        ascending = sorted(categories) if order is None else order
        place_of = {value: place for place, value in enumerate(ascending)}
        places = [place_of.get(value, -1) for value in categories]
        refuse_first(
            series.name,
            categories,
            seen,
            [place == -1 for place in places],
            "which is not in its order.",
            records,
            hint=sentence("Add it to the order in {kinds}."),
        )
        by_place = np.argsort(places)
        rows = first_rows(seen)[by_place]
        return cls(series[rows], np.array(places)[by_place], order)

    def merge(self, other: Any) -> Self:
        """Categories of both parts, in the same order."""
        both = self._fit(concat(self.values, other.values), self.order)
        return both.with_extras_of(self, other)


def concat(one: nw.Series[Any], other: nw.Series[Any]) -> nw.Series[Any]:
    """Two series of one column, one after the other."""
    return nw.concat([one.to_frame(), other.to_frame()])[one.name]


def order_of(series: Any, declared: Any) -> Any:
    """Order of an ordinal column: the declared one, or that of its data type.

    Codes of one length that are written in digits, as 03740 and 10001, are text and
    have the order of their numbers; integers in a declared order stand for them.
    """
    if declared is not None:
        if series.dtype == nw.String and all(type(value) is int for value in declared):
            length = length_of_codes(dictionary(series)[1])
            return [str(value).zfill(length) for value in declared]
        return list(declared)
    if ordered_categories(series) is not None:
        return ordered_categories(series)
    dtype = series.dtype
    ordered = (nw.Boolean, nw.Date, nw.Datetime, nw.Time)
    if dtype.is_numeric() or any(dtype == kind for kind in ordered):
        return None
    if dtype == nw.String and length_of_codes(dictionary(series)[1]):
        return None
    words = "is declared ordinal, but its values have no order of their own."
    hint = sentence("List them in {kinds}, lowest first.")
    raise column_error(series.name, words, hint)


def length_of_codes(texts: Sequence[str]) -> int:
    """Length of codes that are written in digits; 0 if they have not all the same."""
    digits = all(text.isascii() and text.isdigit() for text in texts)
    lengths = {len(text) for text in texts}
    return lengths.pop() if digits and len(lengths) == 1 else 0
