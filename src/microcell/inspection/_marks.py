"""Texts and dates that say that there is no value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from microcell.recognition import DATE_MARKS, LABELS_OF_NONE, MARK_WORDS

FAR_OFF = 5 * 366  # days between a date that marks missing ones and the others


def is_mark_word(texts: pl.Series, *, also_empty: bool = False) -> np.ndarray:
    """Which texts say that there is no value, in any of several languages.

    Examples
    --------
    >>> is_mark_word(pl.Series(["flu", "Unknown", "?", "k. A."]))
    array([False,  True,  True,  True])
    """
    plain = texts.str.strip_chars().str.to_lowercase()
    found = plain.is_in(list(MARK_WORDS))
    if also_empty:
        found = found | (plain == "")
    return found.fill_null(False).to_numpy()


def labelled_none(labels: Mapping[Any, str]) -> list[float]:
    """Numbers whose label says that there is no value.

    Examples
    --------
    >>> labelled_none({1: "employed", 98: "Don't know", 99: "No answer"})
    [98.0, 99.0]
    """
    return [
        float(value)
        for value, label in labels.items()
        if isinstance(value, (int, float)) and label.strip().lower() in LABELS_OF_NONE
    ]


def date_marks(dates: pl.Series, counts: np.ndarray) -> np.ndarray:
    """Which dates seem to mark missing ones: usual ones, years away from all others.

    Parameters
    ----------
    dates : polars.Series
        Distinct dates or moments; times of day have no marks.
    counts : ndarray of shape (n_distinct,)
        Records that have each; what one record has is no mark.

    Examples
    --------
    >>> born = pl.Series(["1980-02-01", "1990-05-03", "9999-12-31"]).str.to_date()
    >>> date_marks(born, np.array([1, 1, 7]))
    array([False, False,  True])
    """
    none = np.zeros(len(dates), dtype=bool)
    if dates.dtype == pl.Time or not dates.dtype.is_temporal() or dates.is_empty():
        return none
    if dates.dtype == pl.Duration:
        return none
    days = dates.dt.date()
    usual = days.is_in(list(DATE_MARKS)).fill_null(False).to_numpy() & (counts > 1)
    numbers = days.to_physical().cast(pl.Float64).to_numpy()
    if not usual.any() or usual.all():
        return none
    rest = numbers[~usual]
    gap = np.maximum(rest.min() - numbers, numbers - rest.max())
    return usual & (gap >= FAR_OFF)
