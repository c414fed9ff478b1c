"""Codes whose own characters are the tree: postcodes, ICD, NACE, occupations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from microcell.columns._releasable import type_name
from microcell.columns._series import dictionary
from microcell.columns._text_types import refuse_first
from microcell.columns._tree import MARK, TreeEncoder, grow
from microcell.exceptions import column_error

if TYPE_CHECKING:
    import narwhals as nw

    from microcell.columns._encoder import Options
    from microcell.columns._tree import Groups


AT_ONCE = 10_000  # texts that are compared letter by letter at a time


class PrefixEncoder(TreeEncoder):
    """Codes, and their common beginnings as groups.

    Among codes of one length, a group shows a star for each character that is left
    open, as 037**; otherwise one star for all of them, so that E11* is a group and E11
    is a code. Letter case and leading zeros are kept.
    """

    kind = "prefix"

    @classmethod
    def fit(cls, series: nw.Series[Any], options: Options, records: Any = None) -> Self:
        """Learn the codes."""
        seen, categories = dictionary(series)
        if not all(isinstance(value, str) for value in categories):
            raise column_error(
                series.name,
                f"is declared a prefix but has data type {type_name(series)}: as "
                "numbers, codes lose their leading zeros.",
                hint="Read the column as text.",
            )
        refuse_first(
            series.name,
            categories,
            seen,
            [MARK in value for value in categories],
            f"and {MARK!r} marks what a released code leaves open.",
            records,
            hint="Replace it in the codes, or declare the column nominal.",
        )
        return cls(series, sorted(categories))

    def _grow(self, values: Sequence[str]) -> tuple[Groups, list[str]]:
        lengths = {len(value) for value in values}
        shared = common_lengths(values)
        places = np.unique(shared)  # where some neighbours begin to differ
        starts = np.zeros((len(values), places.size), np.int64)
        starts[1:] = np.cumsum(shared[:, None] <= places, axis=0)
        tree = grow(starts, places, max(lengths))
        open_end = max(lengths) if len(lengths) == 1 else 0
        names = []
        for place, member in zip(tree.places, tree.members, strict=True):
            names.append(values[member][:place] + MARK * max(open_end - place, 1))
        return tree, names

    def _with(self, values: Any) -> Self:
        return type(self)(self.like, values)


def common_lengths(values: Sequence[str]) -> np.ndarray:
    """How many characters each text has in common with the next from the beginning.

    Examples
    --------
    >>> common_lengths(["03741", "03755", "E11", "E112"])
    array([3, 0, 3])
    """
    parts = []
    for start in range(0, len(values) - 1, AT_ONCE):
        texts = np.array(values[start : start + AT_ONCE + 1])
        letters = texts.view(np.uint32).reshape(texts.size, -1)
        lengths = np.char.str_len(texts)
        shorter = np.minimum(lengths[1:], lengths[:-1])  # whose end is a difference too
        differ = letters[1:] != letters[:-1]
        first = np.where(differ.any(axis=1), differ.argmax(axis=1), shorter)
        parts.append(np.minimum(first, shorter))
    return np.concatenate([np.empty(0, np.int64), *parts])
