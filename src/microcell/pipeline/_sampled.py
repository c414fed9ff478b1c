"""The quasi-identifiers of a table as a sample takes them, and back to an array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from microcell.columns import ENCODERS
from microcell.pipeline._adds_up import AddsUp
from microcell.pipeline._sample import COUNT, Sample

SAMPLED_BESIDE = 10_000  # distinct rows of other columns, which tell a decimal mark
SAMPLED = 100_000  # distinct rows, from which cuts are learnt


@dataclass(frozen=True)
class FirstPass(AddsUp):
    """Some of the distinct texts of a table; those of parts add up.

    Attributes
    ----------
    texts : Sample
        Of the quasi-identifiers.
    beside : Sample or None
        Of columns that are released as they are, where they are looked at.
    """

    texts: Sample
    beside: Sample | None = None


def sampled_column(j: int, name: str, kind: str, values: Any, raw: Any) -> pl.Series:
    """A quasi-identifier as a sample takes it: numbers as floats, others as they are.

    Parameters
    ----------
    j : int
        Its place.
    name, kind : str
        Column and kind; integers of few values are numbers here, whatever they are
        taken for in the end.
    values : ndarray of shape (n,)
        Encoded, NaN where missing; used of numbers and dates.
    raw : narwhals.Series
        As they stand; used of the others, and of integers.
    """
    if ENCODERS[kind].measured:
        return pl.Series(str(j), values + 0.0, nan_to_null=True)
    series = raw.alias(str(j)).to_polars() if hasattr(raw, "to_polars") else raw
    missing = np.isnan(values)
    if raw.dtype.is_integer():
        series = series.cast(pl.Float64)
    if series.dtype in (pl.Categorical, pl.Enum):
        series = series.cast(pl.String)
    return series.set(pl.Series(missing), None) if missing.any() else series


def sampled_array(sample: Sample, encoders: Sequence[Any]) -> np.ndarray:
    """The rows of a sample in the numbers of the table's encoders."""
    rows = sample.rows
    X = np.full((rows.height, len(encoders)), np.nan)
    for j, encoder in enumerate(encoders):
        column = rows[str(j)]
        there = column.is_not_null().to_numpy()
        known = column.filter(there)
        if encoder.measured:
            X[there, j] = known.to_numpy()
        elif len(known):
            if known.dtype == pl.Float64 and encoder.like.dtype.is_integer():
                known = known.cast(pl.Int64)
            series = nw.from_native(known.alias(encoder.name), series_only=True)
            X[there, j] = encoder.encode(series)
    return X


def sampled_weights(sample: Sample) -> np.ndarray:
    """Records that each row of a sample was seen in."""
    return sample.rows[COUNT].to_numpy().astype(np.float64)
