"""Rare categories of nominal columns, made one before anything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np

from microcell.columns._categories import OTHER
from microcell.columns._encoder import kind_of
from microcell.columns._kinds import ENCODERS
from microcell.columns._releasable import type_name
from microcell.columns._series import arrow_values, series_like
from microcell.exceptions import SchemaError, column_error, sentence


def merge_rare(
    frame: Any,
    names: Sequence[str],
    kinds: Any,
    least: int,
    units: np.ndarray | None = None,
) -> Any:
    """Let categories of fewer than `least` people become "other".

    If these are still fewer people together, the next rarest join them, until there
    are enough or all are one. Missing values stay missing.

    Parameters
    ----------
    frame : narwhals.DataFrame
        The records that take part.
    names : sequence of str
        The quasi-identifiers.
    kinds : mapping
        Declared kinds.
    least : int
    units : ndarray of shape (n_records,), optional
        Whose record each is; by default every record is a person.

    Returns
    -------
    frame : narwhals.DataFrame
    notices : list of str
        How many categories were merged in which column.
    """
    kind = {name: kinds.get(name) or kind_of(frame[name]) for name in names}
    nominal = [name for name in names if ENCODERS.of(kind[name]).nominal]
    if not nominal:
        raise no_nominal()
    new, notices = [], []
    for name in nominal:
        series = frame[name]
        encoded = arrow_values(series).dictionary_encode()
        values = encoded.dictionary.to_pylist()
        codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        there = codes >= 0
        whose = np.flatnonzero(there) if units is None else units[there]
        rare = rare_values(values, codes[there], whose, least)
        if not rare.any():
            continue
        check_texts(series, values, int(rare.sum()))
        words = [OTHER if r else v for v, r in zip(values, rare, strict=True)]
        texts = np.array([*words, None], dtype=object)[codes]
        new.append(series_like(series, texts.tolist(), nw.String()))
        notices.append(said_of_rare(name, rare, least, units is not None))
    return frame.with_columns(*new), notices


def no_nominal() -> SchemaError:
    """The error of a table without categories."""
    return SchemaError(
        "There is no nominal quasi-identifier whose rare categories could be merged.",
        option="rare",
        hint=sentence("Leave out {rare='merge'}."),
    )


def check_texts(series: Any, values: Sequence[Any], n_rare: int) -> None:
    """Refuse rare categories that are no text."""
    if not all(isinstance(value, str) for value in values):
        raise column_error(
            series.name,
            f"has {n_rare} rare categories, but values of type {type_name(series)} "
            f"cannot be {OTHER!r}.",
            hint="Convert it to text, or declare it numeric.",
            option="rare",
        )


def said_of_rare(name: str, rare: np.ndarray, least: int, by_unit: bool) -> str:
    """What is said of a column whose rare categories became one."""
    return (
        f"column {name!r}: {rare.sum()} of {len(rare)} categories became {OTHER!r}, "
        f"which have fewer than {least} {'people' if by_unit else 'records'} or made "
        "up that number"
    )


def rare_values(
    values: Sequence[str],
    codes: np.ndarray,
    units: np.ndarray,
    least: int,
    people: np.ndarray | None = None,
) -> np.ndarray:
    """Which values become one; ties in their counts go to the smaller value.

    Parameters
    ----------
    values : sequence of str
    codes, units : ndarray of shape (n_records,)
        Place of the value of each record, and whose record it is.
    least : int
        People that a value needs.
    people : ndarray of shape (n_units,), optional
        How many people each unit stands for, who have the same values; by default one.

    Examples
    --------
    >>> codes = np.repeat(range(4), [9, 1, 2, 5])
    >>> rare_values(["a", "b", "c", "d"], codes, np.arange(17), 4)
    array([False,  True,  True,  True])
    """
    if people is None:
        people = np.ones(int(units.max(initial=0)) + 1, dtype=np.int64)
    pairs = np.unique(np.column_stack([codes, units]), axis=0)
    counts = np.bincount(pairs[:, 0], people[pairs[:, 1]], len(values)).astype(np.int64)
    is_other = np.array([value == OTHER for value in values], dtype=bool)
    if (counts >= least).all():
        return np.zeros(len(values), dtype=bool)
    # What is "other" already is part of it from the start.
    order = sorted(
        range(len(values)), key=lambda i: (not is_other[i], counts[i], values[i])
    )
    place = np.argsort(order)
    rarest = np.full(len(people), len(values))
    np.minimum.at(rarest, units, place[codes])  # of each person's values
    reached = np.cumsum(np.bincount(rarest, people, len(values))[: len(values)])
    n_rare = int(np.sum((counts < least) & ~is_other)) + int(is_other.sum())
    n_merged = max(n_rare, int(np.searchsorted(reached, least)) + 1)
    merged = np.zeros(len(values), dtype=bool)
    merged[order[:n_merged]] = True
    return merged
