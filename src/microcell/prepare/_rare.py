"""Rare categories of nominal columns, made one before anything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np

from microcell.exceptions import Option, SchemaError
from microcell.prepare._categories import OTHER
from microcell.prepare._kinds import kind_of
from microcell.prepare._releasable import type_name
from microcell.prepare._series import arrow_values, series_like


def merge_rare(frame: Any, names: Sequence[str], kinds: Any, least: int) -> Any:
    """Let categories with fewer than `least` records become "other".

    If these have still fewer records together, the next rarest join them, until there
    are enough or all are one. Records are counted, also where k counts people. Missing
    values stay missing.

    Parameters
    ----------
    frame : narwhals.DataFrame
        The records that take part.
    names : sequence of str
        The quasi-identifiers.
    kinds : mapping
        Declared kinds.
    least : int

    Returns
    -------
    frame : narwhals.DataFrame
    notices : list of str
        How many categories were merged in which column.
    """
    nominal = [n for n in names if (kinds.get(n) or kind_of(frame[n])) == "nominal"]
    if not nominal:
        raise SchemaError(
            "There is no nominal quasi-identifier whose rare categories could be "
            "merged.",
            option="rare",
            hint=["Leave out ", Option("rare", "merge"), "."],
        )
    new, notices = [], []
    for name in nominal:
        series = frame[name]
        encoded = arrow_values(series).dictionary_encode()
        values = encoded.dictionary.to_pylist()
        codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        rare = rare_values(values, np.bincount(codes[codes >= 0]), least)
        if not rare.any():
            continue
        if not all(isinstance(value, str) for value in values):
            raise SchemaError(
                f"Column {name!r} has {rare.sum()} rare categories, but values of type "
                f"{type_name(series)} cannot be {OTHER!r}.",
                column=name,
                option="rare",
                hint="Convert it to text, or declare it numeric.",
            )
        words = [OTHER if r else v for v, r in zip(values, rare, strict=True)]
        texts = np.array([*words, None], dtype=object)[codes]
        new.append(series_like(series, texts.tolist(), nw.String()))
        notices.append(
            f"column {name!r}: {rare.sum()} of {len(values)} categories became "
            f"{OTHER!r}, which have fewer than {least} records or made up that number"
        )
    return frame.with_columns(*new), notices


def rare_values(values: np.ndarray, counts: Any, least: Any) -> Any:
    """Which values become one; ties in their counts go to the smaller value.

    Examples
    --------
    >>> rare_values(["a", "b", "c", "d"], np.array([9, 1, 2, 5]), 4)
    array([False,  True,  True,  True])
    """
    is_other = np.array([value == OTHER for value in values], dtype=bool)
    if (counts >= least).all():
        return np.zeros(len(values), dtype=bool)
    # What is "other" already is part of it from the start.
    order = sorted(
        range(len(values)), key=lambda i: (not is_other[i], counts[i], values[i])
    )
    reached = np.cumsum(counts[order])
    n_rare = int(np.sum((counts < least) & ~is_other)) + int(is_other.sum())
    n_merged = max(n_rare, int(np.searchsorted(reached, least)) + 1)
    merged = np.zeros(len(values), dtype=bool)
    merged[order[:n_merged]] = True
    return merged
