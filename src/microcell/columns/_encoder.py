"""Encoder: the contract of a kind of column.

What is learnt from a column (categories, step, data type, how to say it again) is a
small object apart from its values: it is fitted, encodes values as floats, one for each
record, and decodes what an aggregator made of them. It can be sent to another process
and merged with that of another part of the table, and it does not depend on the order
of records. A new kind is one file and one line in `columns/_kinds.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import narwhals as nw
import numpy as np

from microcell.columns._extras import Extras
from microcell.columns._series import empty_like, series_like


class Encoder(ABC):
    """What is learnt from one column.

    Attributes
    ----------
    kind : str
        The kind of column, as a schema names it.
    like : narwhals.Series
        A column without records: its name, library and data type.
    levels : Levels or None
        Where its codes stand in a hierarchy, if it has one.
    layout : NumberLayout, DateLayout, str or None
        How the text of the column was written, if it was text.
    resolution : int
        What its numbers are multiples of; 0 if nothing is known.
    extras : Extras
        Limits and rounding that were asked for.
    """

    kind: str
    levels = None
    layout = None
    resolution = 0
    extras = Extras()

    def __init__(self, like: nw.Series[Any]) -> None:
        self.like: Any = empty_like(like)

    @property
    def name(self) -> Any:
        """Name of the column."""
        return self.like.name

    @classmethod
    @abstractmethod
    def fit(cls, series: Any, options: Any, records: np.ndarray | None = None) -> Self:
        """Learn from a column without missing values.

        Parameters
        ----------
        series : narwhals.Series
        options : Options
            What was declared of the column.
        records : ndarray of shape (n_samples,), optional
            Number of each record in the table, for errors; by default from 1.
        """

    @abstractmethod
    def encode(self, series: Any) -> Any:
        """Values as floats, shape (n_samples,)."""

    @abstractmethod
    def decode(self, values: np.ndarray) -> Any:
        """Released floats as a series of the column's library and data type."""

    @abstractmethod
    def merge(self, other: Any) -> Any:
        """The encoder of two parts of a table, from those of the parts."""

    @abstractmethod
    def text(self, value: Any) -> Any:
        """A float as people read it, for the ends of an interval."""

    @abstractmethod
    def number(self, text: Any) -> Any:
        """The float that `text` wrote; ValueError if it did not."""

    @property
    def separator(self) -> Any:
        """What stands between the ends of an interval; a comma may be in them."""
        return ", " if self.layout is None or isinstance(self.layout, str) else "; "

    def to_dict(self) -> Any:
        """What was learnt, as plain data."""
        said = {"column": self.name, "kind": self.kind, "type": str(self.like.dtype)}
        return said | self.extras.to_dict()

    def with_extras_of(self, one: Any, other: Any) -> Self:
        """This encoder of two parts, with what was asked of them."""
        self.extras = one.extras.merge(other.extras)
        return self

    def clip(self, values: np.ndarray) -> Any:
        """Values inside of the limits."""
        limits = self.extras.limits
        return values if limits is None else np.clip(values, *limits)

    def rounded(self, values: np.ndarray) -> Any:
        """Floats as they are published: rounded, where that was asked for."""
        return values

    def outer(self, ends: Any) -> Any:
        """Ends of intervals, pairs of floats, as they are published: rounded outwards.

        No value of the cell is left outside.
        """
        return ends

    def decode_intervals(self, ends: Any) -> Any:
        """Texts ``[low, high]`` of pairs of floats, as a series."""
        pairs, which = np.unique(self.outer(ends), axis=0, return_inverse=True)
        mark = self.separator
        texts = [f"[{self.text(low)}{mark}{self.text(high)}]" for low, high in pairs]
        return series_like(self.like, np.array(texts, dtype=object)[which], nw.String())

    def middle(self, text: Any) -> Any:
        """Middle of an interval that `decode_intervals` wrote; None if it did not."""
        try:
            low, high = (self.number(end) for end in text[1:-1].split(self.separator))
        except ValueError:
            return None
        return (low + high) / 2
