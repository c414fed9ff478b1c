"""Codes whose own characters are the tree: postcodes, ICD, NACE, occupations."""

import itertools

import numpy as np

from microcell.exceptions import SchemaError
from microcell.prepare._releasable import type_name
from microcell.prepare._series import dictionary
from microcell.prepare._text_types import first_sighting
from microcell.prepare._tree import MARK, TreeEncoder, grow


class PrefixEncoder(TreeEncoder):
    """Codes, and their common beginnings as groups.

    Among codes of one length, a group shows a star for each character that is left
    open, as 037**; otherwise one star for all of them, so that E11* is a group and E11
    is a code. Letter case and leading zeros are kept.
    """

    kind = "prefix"

    @classmethod
    def fit(cls, series, options, records=None):
        """Learn the codes."""
        seen, categories = dictionary(series)
        if not all(isinstance(value, str) for value in categories):
            raise SchemaError(
                f"Column {series.name!r} is declared a prefix but has data type "
                f"{type_name(series)}: as numbers, codes lose their leading zeros.",
                column=series.name,
                hint="Read the column as text.",
            )
        marked = [MARK in value for value in categories]
        if any(marked):
            raise SchemaError(
                f"Column {series.name!r} holds "
                f"{first_sighting(categories, seen, marked.index(True), records)}, and "
                f"{MARK!r} marks what a released code leaves open.",
                column=series.name,
                hint="Replace it in the codes, or declare the column nominal.",
            )
        return cls(series, sorted(categories))

    def _grow(self, values):
        lengths = {len(value) for value in values}
        pairs = itertools.pairwise(values)
        shared = np.array([common_length(*pair) for pair in pairs], np.int64)
        places = np.unique(shared)  # where some neighbours begin to differ
        starts = np.zeros((len(values), places.size), np.int64)
        starts[1:] = np.cumsum(shared[:, None] <= places, axis=0)
        tree = grow(starts, places, max(lengths))
        open_end = max(lengths) if len(lengths) == 1 else 0
        names = []
        for place, member in zip(tree.places, tree.members, strict=True):
            names.append(values[member][:place] + MARK * max(open_end - place, 1))
        return tree, names

    def _with(self, values):
        return type(self)(self.like, values)


def common_length(one, other):
    """How many characters two texts have in common from their beginning.

    Examples
    --------
    >>> common_length("03741", "03755"), common_length("E11", "E112")
    (3, 3)
    """
    pairs = enumerate(zip(one, other, strict=False))
    shorter = min(len(one), len(other))
    return next((place for place, (a, b) in pairs if a != b), shorter)
