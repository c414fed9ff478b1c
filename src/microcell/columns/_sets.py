"""Sets: all values of a cell as one text, ``{a, b, c}``, and back to a number."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import polars as pl

from microcell.aggregate import distinct_members
from microcell.columns._series import dictionary, series_like
from microcell.columns._text_types import HOLDS, refuse_first
from microcell.exceptions import column_error, sentence

if TYPE_CHECKING:
    from microcell.columns._encoder import Encoder

BRACES = "{}"


def decode_sets(
    encoder: Encoder, values: np.ndarray, cells: np.ndarray
) -> nw.Series[Any]:
    """Texts of the distinct values of each record's cell, as a series.

    Values stand in their order: numbers and dates by size, categories by theirs.

    Parameters
    ----------
    encoder : Encoder
    values : ndarray of shape (n_samples,)
        The encoded column.
    cells : ndarray of shape (n_samples,)
        Cell of each record, 0 to n_cells - 1.
    """
    known = np.isfinite(values)
    rounded = encoder.rounded(values[known])
    distinct, places = np.unique(rounded, return_inverse=True)
    texts = [encoder.text(value) for value in distinct]
    mark = encoder.separator
    if any(mark in text or set(BRACES) & set(text) for text in texts):
        raise column_error(
            encoder.name,
            "has categories with braces or a comma and a space, so that a set of "
            "them could not be read.",
            hint=sentence("Rename them, or choose {representatives} mode."),
            option="representatives",
        )
    of_cell, members = distinct_members(cells[known], places)
    joined = (
        pl.DataFrame({"cell": of_cell, "place": members})
        .with_columns(text=pl.Series(texts, dtype=pl.String).gather(members))
        .group_by("cell", maintain_order=True)
        .agg(pl.col("text").str.join(mark))
    )
    shown = np.full(int(cells.max()) + 1, None, dtype=object)  # where all are missing
    shown[joined["cell"].to_numpy()] = ("{" + joined["text"] + "}").to_list()
    return series_like(encoder.like, shown[cells], nw.String())


def holds_sets(encoder: Any, series: Any) -> bool:
    """Whether a released column of text holds sets, and not categories in braces."""
    texts = dictionary(series)[1]
    if not all(text.startswith("{") and text.endswith("}") for text in texts):
        return False
    return not any(map(encoder.has_text, texts))


def set_numbers(
    encoder: Any,
    series: Any,
    original: np.ndarray,
    frequencies: np.ndarray | None = None,
) -> Any:
    """The number that stands for each set, as `microcell.aggregate.Set` chooses it.

    Parameters
    ----------
    encoder : Encoder
    series : narwhals.Series
        Texts that `decode_sets` wrote.
    original : ndarray of shape (n_samples,)
        The encoded original.
    frequencies : (ndarray, ndarray), optional
        Codes of the whole table and how often each occurs, if this is a part of it.
    """
    mark = encoder.separator
    codes, texts = dictionary(series)
    values, counts = frequencies or np.unique(original, return_counts=True)
    frequent = dict(zip(values.tolist(), counts.tolist(), strict=True))
    number = cache(encoder.number)

    def chosen(text: str) -> float:
        """The middle one, or the first of the most frequent ones; NaN for no set."""
        try:
            members = sorted(number(part) for part in text[1:-1].split(mark))
        except ValueError:
            return np.nan
        if encoder.ordered:
            return float(members[(len(members) - 1) // 2])
        return float(max(members, key=lambda code: frequent.get(code, 0)))

    numbers = np.array([chosen(text) for text in texts])
    which = "which is no set of the original's values."
    refuse_first(encoder.name, texts, codes, np.isnan(numbers), which, holds=HOLDS)
    return numbers[codes]
