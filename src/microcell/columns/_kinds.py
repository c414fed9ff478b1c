"""Kinds of columns: which encoder a column gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw

from microcell.columns._categories import NominalEncoder, OrdinalEncoder
from microcell.columns._date import DateEncoder
from microcell.columns._duration import DurationEncoder
from microcell.columns._extras import learn_extras
from microcell.columns._hierarchy import HierarchyEncoder
from microcell.columns._numeric import NumericEncoder
from microcell.columns._prefix import PrefixEncoder
from microcell.columns._releasable import type_name
from microcell.columns._series import is_ordered
from microcell.exceptions import SchemaError

if TYPE_CHECKING:
    import numpy as np


ENCODERS = {
    encoder.kind: encoder
    for encoder in (
        NumericEncoder,
        OrdinalEncoder,
        NominalEncoder,
        DateEncoder,
        PrefixEncoder,
        HierarchyEncoder,
    )
}


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


def fit_encoder(
    series: nw.Series[Any],
    kind: str | None = None,
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
    lasts = kind == "numeric" and series.dtype == nw.Duration
    learner = DurationEncoder if lasts else ENCODERS[kind]
    encoder = learner.fit(series, options, records)
    if kind in ("numeric", "date"):
        encoder.layout = options.layout
    encoder.extras = learn_extras(encoder, series, options)
    return encoder


def kind_of(series: nw.Series[Any]) -> str:
    """Kind that a data type stands for; integers of two values are codes."""
    dtype = series.dtype
    if dtype.is_integer() and series.n_unique() <= 2:
        return "nominal"  # sex as 1 and 2 is a code: nobody wants a sex of 1.4
    if dtype.is_numeric() or dtype == nw.Duration:
        return "numeric"
    if dtype == nw.Date or dtype == nw.Datetime or dtype == nw.Time:
        return "date"
    if is_ordered(series):
        return "ordinal"
    if dtype in (nw.Boolean, nw.String, nw.Categorical, nw.Enum):
        return "nominal"
    raise SchemaError(
        f"Column {series.name!r} has data type {type_name(series)}, which cannot be "
        "masked.",
        column=series.name,
        hint="Convert it to numbers, text, categories or dates.",
    )
