"""Encoder: the contract of a kind of column.

What is learnt from a column (categories, step, data type, how to say it again) is a
small object apart from its values: it is fitted, encodes values as floats, one for each
record, and decodes what an aggregator made of them. It can be sent to another process
and merged with that of another part of the table, and it does not depend on the order
of records. What others ask of a kind of column, its encoder says; nobody compares its
name. A new kind is one file and one line in `columns/_kinds.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple, Self

import narwhals as nw
import numpy as np

from microcell.columns._kinds import ENCODERS
from microcell.columns._limits import learn_limits
from microcell.columns._releasable import type_name
from microcell.columns._series import empty_like, series_like
from microcell.columns._steps import Spread, spread_of
from microcell.exceptions import column_error


class Options(NamedTuple):
    """What was declared of a column beside its kind.

    Attributes
    ----------
    integers : {"mean", "round"}
        Whether means of integers are rounded.
    order : sequence or None
        Values of an ordinal column, lowest first.
    digits : int or None
        Decimals of released numbers.
    ends : {"exact", "rounded"}
        Ends of released intervals.
    clip : Clip or None
        Limits beyond which values are set to them.
    hierarchy : path, mapping or None
        Groups of the values; see `read_hierarchy`.
    layout : NumberLayout, DateLayout, str or None
        How the column wrote its numbers or dates, if it was text.
    called_year : bool
        Whether its name says that it holds years.
    """

    integers: str = "mean"
    order: Any = None
    digits: int | None = None
    ends: str = "exact"
    clip: Any = None
    hierarchy: Any = None
    layout: Any = None
    called_year: bool = False


NOTHING = Options()  # declared


class Extras(NamedTuple):
    """Rounding and limits of a column.

    Attributes
    ----------
    digits : int or None
        Decimals of released numbers.
    limits : (float, float) or None
        Least and greatest value; what lies beyond is set to them.
    spread : Spread or None
        From which the step of rounded ends follows.
    """

    digits: int | None = None
    limits: tuple[float, float] | None = None
    spread: Spread | None = None

    def merge(self, other: Extras) -> Extras:
        """Those of two parts of a table.

        Limits that are quantiles of the parts become the outer of both, which at
        least as many records share.
        """
        limits, spread = self.limits, self.spread
        if limits is not None and other.limits is not None:
            (low, high), (lower, higher) = limits, other.limits
            limits = min(low, lower), max(high, higher)
        if spread is not None and other.spread is not None:
            spread = spread.merge(other.spread)
        return Extras(self.digits, limits, spread)

    def to_dict(self) -> dict[str, Any]:
        """What there is, as plain data."""
        deviation = None if self.spread is None else self.spread.deviation
        shown = {"digits": self.digits, "limits": self.limits, "deviation": deviation}
        return {name: value for name, value in shown.items() if value is not None}


class Encoder(ABC):
    """What is learnt from one column.

    Attributes
    ----------
    kind : str
        The kind of column, as a schema names it.
    representative : str
        What is published of it, where nothing that fits was asked for.
    nominal : bool
        Whether its values are names and no more: rare ones can be made one.
    ordered : bool
        Whether its values have an order: medians and intervals, limits.
    measured : bool
        Whether its numbers are amounts of something: means and distances.
    numbers : bool
        Whether they are written in digits: decimals of the release.
    moments : bool
        Whether they are microseconds of a calendar: formats, pictures by time.
    tree : bool
        Whether its codes have groups above them.
    limit_help : str
        What a limit of it may be.
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
    representative: str
    nominal = False
    ordered = False
    measured = False
    numbers = False
    moments = False
    tree = False
    limit_help = ""
    levels = None
    layout = None
    resolution = 0
    extras = Extras()

    def __init__(self, like: nw.Series[Any]) -> None:
        self.like: Any = empty_like(like)

    @property
    def name(self) -> str:
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

    @classmethod
    def recognises(cls, series: Any) -> bool:
        """Whether a column is of this kind by its data type, if nobody says another."""
        return False

    @abstractmethod
    def encode(self, series: nw.Series[Any]) -> np.ndarray:
        """Values as floats, shape (n_samples,)."""

    @abstractmethod
    def decode(self, values: np.ndarray) -> nw.Series[Any]:
        """Released floats as a series of the column's library and data type."""

    @abstractmethod
    def merge(self, other: Any) -> Self:
        """The encoder of two parts of a table, from those of the parts."""

    @abstractmethod
    def text(self, value: float) -> str:
        """A float as people read it, for the ends of an interval."""

    @abstractmethod
    def number(self, text: str) -> float:
        """The float that `text` wrote; ValueError if it did not."""

    def has_text(self, text: str) -> bool:
        """Whether a text is one of its categories."""
        return False

    def limit(self, given: Any) -> float:
        """The float that a limit stands for; ValueError if it is none."""
        return float(self.number(str(given)))

    @property
    def separator(self) -> str:
        """What stands between the ends of an interval; a comma may be in them."""
        return ", " if self.layout is None or isinstance(self.layout, str) else "; "

    def to_dict(self) -> dict[str, Any]:
        """What was learnt, as plain data."""
        said = {"column": self.name, "kind": self.kind, "type": str(self.like.dtype)}
        return said | self.extras.to_dict()

    def with_extras_of(self, one: Any, other: Any) -> Self:
        """This encoder of two parts, with what was asked of them."""
        self.extras = one.extras.merge(other.extras)
        return self

    def clip(self, values: np.ndarray) -> np.ndarray:
        """Values inside of the limits."""
        limits = self.extras.limits
        return values if limits is None else np.clip(values, *limits)

    def rounded(self, values: np.ndarray) -> np.ndarray:
        """Floats as they are published: rounded, where that was asked for."""
        return values

    def outer(self, ends: np.ndarray) -> np.ndarray:
        """Ends of intervals, pairs of floats, as they are published: rounded outwards.

        No value of the cell is left outside.
        """
        return ends

    def decode_intervals(self, ends: np.ndarray) -> nw.Series[Any]:
        """Texts ``[low, high]`` of pairs of floats, as a series."""
        pairs, which = np.unique(self.outer(ends), axis=0, return_inverse=True)
        mark = self.separator
        texts = [f"[{self.text(low)}{mark}{self.text(high)}]" for low, high in pairs]
        return series_like(self.like, np.array(texts, dtype=object)[which], nw.String())

    def middle(self, text: str) -> float | None:
        """Middle of an interval that `decode_intervals` wrote; None if it did not."""
        try:
            low, high = (self.number(end) for end in text[1:-1].split(self.separator))
        except ValueError:
            return None
        return (low + high) / 2


class MeasuredEncoder(Encoder):
    """Amounts: what has means, distances and round steps."""

    representative = "mean"
    ordered = True
    measured = True

    @abstractmethod
    def inwards(self, limit: float, deviation: float, from_above: bool) -> float:
        """A limit moved inwards to the next round value.

        Parameters
        ----------
        limit : float
            The negative of one from above.
        deviation : float
            Round values are about half as far apart.
        from_above : bool
        """


def fit_encoder(
    series: nw.Series[Any],
    kind: Any = None,
    options: Options = NOTHING,
    records: np.ndarray | None = None,
) -> Any:
    """The encoder of a column, by its declared kind or its data type.

    Parameters
    ----------
    series : narwhals.Series
        Without missing values.
    kind : str, sequence or None
        A kind; the values of an ordinal column, lowest first; or None.
    options : Options
        What else was declared of it.
    records : ndarray of shape (n_samples,), optional
        Number of each record in the table, for errors; by default from 1.

    Examples
    --------
    >>> import polars as pl
    >>> ages = nw.from_native(pl.Series("age", [31, 33, 60]), series_only=True)
    >>> fit_encoder(ages).to_dict()
    {'column': 'age', 'kind': 'numeric', 'type': 'Int64'}
    """
    if kind is None:
        kind = kind_of(series)
    elif not isinstance(kind, str):
        kind, options = "ordinal", options._replace(order=kind)
    encoder = ENCODERS[kind].fit(series, options, records)
    if encoder.measured:
        encoder.layout = options.layout
    encoder.extras = learn_extras(encoder, series, options)
    return encoder


def kind_of(series: nw.Series[Any]) -> str:
    """Kind that a data type stands for; integers of two values are codes."""
    for kind, encoder in ENCODERS.items():
        if encoder.recognises(series):
            return kind
    words = f"has data type {type_name(series)}, which cannot be masked."
    hint = "Convert it to numbers, text, categories or dates."
    raise column_error(series.name, words, hint)


def learn_extras(encoder: Encoder, series: nw.Series[Any], options: Options) -> Extras:
    """The extras of a column that its encoder was fitted to."""
    for option, quality in (("digits", "numbers"), ("clip", "ordered")):
        if getattr(options, option) is not None and not getattr(encoder, quality):
            raise column_error(
                encoder.name,
                f"is {encoder.kind}, and {option!r} is for columns that are "
                f"{' or '.join(ENCODERS.that_are(quality))}.",
                hint="Leave it out, or declare another kind.",
                option=option,
            )
    limits = spread = None
    if options.clip is not None:
        limits = learn_limits(encoder, encoder.encode(series), options.clip)
    if options.ends == "rounded" and encoder.measured:
        values = encoder.encode(series)
        spread = spread_of(values if limits is None else np.clip(values, *limits))
    return Extras(options.digits, limits, spread)
