"""View: what a promise may look at when it is verified."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from microcell.exceptions import SchemaError, nearest_name
from microcell.privacy._classes import (
    ClassCounts,
    class_codes,
    count_classes,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class CellValues(NamedTuple):
    """How often each confidential value occurs in each cell.

    One entry for each pair of a cell and a value that it has, by cell and then value.
    """

    cell: np.ndarray  # (n_pairs,) from 0 to n_cells - 1
    value: np.ndarray  # (n_pairs,) from 0 to n_values - 1
    count: np.ndarray  # type: ignore[assignment] # (n_pairs,)
    sizes: np.ndarray  # (n_cells,) records of each cell
    totals: np.ndarray  # (n_values,) records of each value in the whole table


def cell_values(
    cells: ArrayLike,
    codes: ArrayLike,
    totals: np.ndarray | None = None,
    counts: np.ndarray | None = None,
) -> CellValues:
    """Pairs of cell and value, from one entry for each record.

    Parameters
    ----------
    cells, codes : array-like of shape (n_entries,)
        Cell and value of each.
    totals : ndarray of shape (n_values,), optional
        Records of each value in the whole table, if the entries are a part of it.
    counts : ndarray of shape (n_entries,), optional
        Records that each entry stands for; by default one.

    Examples
    --------
    >>> cell_values(np.array([0, 0, 1]), np.array([1, 1, 0])).count
    array([2, 1])
    """
    cells, codes = np.asarray(cells), np.asarray(codes)
    n_values = int(codes.max(initial=0)) + 1 if totals is None else len(totals)
    if counts is None:
        pairs, count = np.unique(cells * n_values + codes, return_counts=True)
    else:
        pairs, which = np.unique(cells * n_values + codes, return_inverse=True)
        count = np.bincount(which, weights=counts).astype(np.int64)
    cell, value = np.divmod(pairs, n_values)
    if totals is None:
        totals = np.bincount(value, weights=count, minlength=n_values).astype(np.int64)
    sizes = np.bincount(cell, weights=count).astype(np.int64)
    return CellValues(cell, value, count, sizes, totals)


class View:
    """The released table as a promise sees it.

    Parameters
    ----------
    table : dataframe
        What is released, in memory or as it was read back from a file.
    known : sequence of str
        Released columns that an intruder may know: quasi-identifiers, and strata that
        are released as they are.
    confidential : sequence of str
        Released columns that are to be protected.
    units : ndarray of shape (n_records,), optional
        Whose record it is; by default every record is a person.
    unit : str
        The column that units come from.
    labels : ndarray of shape (n_records,) or (n_records, n_blocks), optional
        Cells, for promises that the released table cannot show.
    """

    def __init__(
        self,
        table: Any,
        known: Sequence[str],
        *,
        confidential: Sequence[str] = (),
        units: np.ndarray | None = None,
        unit: str = "",
        labels: np.ndarray | None = None,
    ) -> None:
        self.table = table
        self.known = tuple(known)
        self.confidential = tuple(confidential)
        self.units = units
        self.unit = unit
        self.labels = labels
        self._counts: dict[tuple[str, ...], ClassCounts] = {}

    def counts(self, columns: Sequence[str] | None = None) -> ClassCounts:
        """People of each equivalence class, by default over all known columns."""
        names = self.known if columns is None else tuple(columns)
        if names not in self._counts:
            self._counts[names] = count_classes(self.table, names, self.units)
        return self._counts[names]

    @cached_property
    def classes(self) -> np.ndarray:
        """Equivalence class of each record."""
        return class_codes(self.table, self.known)

    def check_confidential(self, columns: str | Sequence[str] | None) -> None:
        """Refuse a promise about columns that are not confidential."""
        named: Sequence[str | None] = columns or [None]
        for column in [columns] if isinstance(columns, str) else named:
            if column not in self.confidential:
                raise SchemaError(
                    f"A promise names the column {column!r}, which is not "
                    "confidential.",
                    column=column,
                    hint=f"{nearest_name(str(column), self.confidential)} The "
                    f"confidential columns are {list(self.confidential)}.".lstrip(),
                )
