"""Sampling weights: how many people each record stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np

from microcell.exceptions import SchemaError, absent_column
from microcell.prepare import Marks, as_marks, is_missing, read_text


def weights_of(
    frame: Any,
    name: str | None,
    marks: Marks | Sequence[str] = (),
    *,
    decimal: str | None = None,
    k: int = 1,
) -> tuple[np.ndarray | None, list[str]]:
    """Weight of each record, and what is to be said of them.

    Parameters
    ----------
    frame : narwhals.DataFrame
        The records that take part, all columns.
    name : str or None
        The column that holds them.
    marks : Marks or sequence of str
        Texts that stand for a missing value; an empty one always does.
    decimal : str, optional
        The decimal mark of text.
    k : int
        Counts below it are not told.

    Returns
    -------
    weights : ndarray of shape (n_records,) or None
        None if no column is named.
    notices : list of str
    """
    if name is None:
        return None, []
    if name not in frame.columns:
        raise absent_column(name, "weights", frame.columns)
    series = frame[name]
    n_missing = int(is_missing(series, as_marks(marks).also("")).sum())
    if n_missing:
        raise _refusal(name, f"{n_missing} record(s) have none", "Fill them.")
    if series.dtype == nw.String:
        series = read_text(series, "numeric", decimal=decimal)
    if not series.dtype.is_numeric():
        raise _refusal(name, "it holds no numbers", "Name a column of numbers.")
    weights = series.cast(nw.Float64()).to_numpy().astype(np.float64)
    n_bad = int(np.sum(~(np.isfinite(weights) & (weights > 0))))
    if n_bad:
        raise _refusal(
            name,
            f"{n_bad} record(s) have one that is not positive and finite",
            "Correct them, or leave those records out.",
        )
    n_below = int(np.sum(weights < 1))
    notices = []
    if n_below:
        count = n_below if n_below >= k else f"fewer than {k}"
        notices.append(
            f"{count} records have a weight below 1 in {name!r}, as if they stood for "
            "less than one person"
        )
    return weights, notices


def _refusal(name: str, why: str, hint: str) -> SchemaError:
    return SchemaError(
        f"Column {name!r} holds the sampling weights, but {why}.",
        column=name,
        option="weights",
        hint=hint,
    )


def unit_weights(
    classes: np.ndarray, weights: np.ndarray, units: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Class and weight of each person: a unit counts once, with its mean weight.

    A unit with records in several classes counts once in each.

    Examples
    --------
    >>> units = np.array([0, 0, 1])
    >>> unit_weights(np.array([0, 0, 1]), np.array([2.0, 4.0, 5.0]), units)
    (array([0, 1]), array([3., 5.]))
    """
    if units is None:
        return classes, weights
    means = np.bincount(units, weights=weights) / np.bincount(units)
    pairs = np.unique(np.column_stack([classes, units]), axis=0)
    return pairs[:, 0], means[pairs[:, 1]]
