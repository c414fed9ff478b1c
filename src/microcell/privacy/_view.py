"""View: what a promise may look at when it is verified."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from microcell.exceptions import SchemaError, nearest_name
from microcell.privacy._classes import ClassCounts, class_codes, count_classes
from microcell.privacy._visits import found_in_all


class CellValues(NamedTuple):
    """How many people of each cell have each confidential value.

    One entry for each pair of a cell and a value that it has, by cell and then value.
    A person with several values is counted with each of them, and once in the cell.
    """

    cell: np.ndarray  # (n_pairs,) from 0 to n_cells - 1
    value: np.ndarray  # (n_pairs,) from 0 to n_values - 1
    count: np.ndarray  # type: ignore[assignment] # (n_pairs,) people
    sizes: np.ndarray  # (n_cells,) people of each cell
    totals: np.ndarray  # (n_values,) people of each value in the whole table
    n_people: int  # of the whole table

    @property
    def several(self) -> bool:
        """Whether there are people with several values."""
        return bool(
            self.count.sum() != self.sizes.sum() or self.totals.sum() != self.n_people
        )

    def largest(self, of_pairs: np.ndarray) -> np.ndarray:
        """The largest of what pairs have, or 0, for each cell."""
        largest = np.zeros(self.sizes.size)
        np.maximum.at(largest, self.cell, of_pairs)
        return largest


def cell_values(
    cells: ArrayLike,
    codes: ArrayLike,
    totals: np.ndarray | None = None,
    counts: np.ndarray | None = None,
    *,
    units: np.ndarray | None = None,
    n_people: int | None = None,
) -> CellValues:
    """Pairs of cell and value, from one entry for each record.

    Parameters
    ----------
    cells, codes : array-like of shape (n_entries,)
        Cell and value of each.
    totals : ndarray of shape (n_values,), optional
        People of each value in the whole table, if the entries are a part of it.
    counts : ndarray of shape (n_entries,), optional
        People that each entry stands for; by default one.
    units : ndarray of shape (n_entries,), optional
        Whose record each is, from 0; by default every record is a person.
    n_people : int, optional
        People of the whole table, where `totals` counts some of them several times.

    Examples
    --------
    >>> cell_values(np.array([0, 0, 1]), np.array([1, 1, 0])).count
    array([2, 1])
    >>> cell_values([0, 0, 0], [1, 1, 0], units=np.array([7, 7, 8])).count
    array([1, 1])
    """
    cells, codes = np.asarray(cells), np.asarray(codes)
    n_values = int(codes.max(initial=0)) + 1 if totals is None else len(totals)
    if units is not None:
        return _values_of_people(cells, codes, n_values, totals, units, n_people)
    if counts is None:
        pairs, count = np.unique(cells * n_values + codes, return_counts=True)
    else:
        pairs, which = np.unique(cells * n_values + codes, return_inverse=True)
        count = np.bincount(which, weights=counts).astype(np.int64)
    cell, value = np.divmod(pairs, n_values)
    if totals is None:
        totals = np.bincount(value, weights=count, minlength=n_values).astype(np.int64)
    sizes = np.bincount(cell, weights=count).astype(np.int64)
    n_people = int(totals.sum()) if n_people is None else n_people
    return CellValues(cell, value, count, sizes, totals, n_people)


def _values_of_people(
    cells: np.ndarray,
    codes: np.ndarray,
    n_values: int,
    totals: np.ndarray | None,
    units: np.ndarray,
    n_people: int | None,
) -> CellValues:
    """The same where a person may have several records."""
    pairs, which = np.unique(cells * n_values + codes, return_inverse=True)
    cell, value = np.divmod(pairs, n_values)
    if totals is None:
        totals = people_of(codes, units, n_values)
    return CellValues(
        cell,
        value,
        people_of(which, units, pairs.size),
        people_of(cells, units, int(cells.max(initial=0)) + 1),
        totals,
        np.unique(units).size if n_people is None else n_people,
    )


def people_of(groups: np.ndarray, units: np.ndarray, n_groups: int) -> np.ndarray:
    """How many people have a record in each group.

    Examples
    --------
    >>> people_of(np.array([0, 0, 1]), np.array([7, 7, 7]), 2)
    array([1, 1])
    """
    n_units = int(units.max(initial=0)) + 1
    pairs = np.unique(groups.astype(np.int64) * n_units + units)
    return np.bincount(pairs // n_units, minlength=n_groups)


def read_alike(cells: CellValues) -> CellValues:
    """Cells as if everybody had the value that most others have too.

    Diversity is about one value of each person. Of people with several an intruder
    looks at those that tell most: a class whose people all have HIV beside other things
    is one of a single value. What is counted here bounds any such choice from below,
    and nothing changes where everybody has one value.

    Examples
    --------
    >>> visits = [0, 1, 0, 2, 0, 3]  # everybody has value 0
    >>> found = cell_values([0] * 6, visits, units=np.array([0, 0, 1, 1, 2, 2]))
    >>> found.count, read_alike(found).count
    (array([3, 1, 1, 1]), array([3]))
    """
    if not cells.several:
        return cells
    order = np.lexsort((-cells.count, cells.cell))
    count = cells.count[order]
    before = np.cumsum(count) - count
    first = np.searchsorted(cells.cell, cells.cell)  # where its cell begins
    left = cells.sizes[cells.cell] - (before - before[first])
    taken = np.empty_like(count)
    taken[order] = np.clip(left, 0, count)
    some = taken > 0
    return cells._replace(
        cell=cells.cell[some], value=cells.value[some], count=taken[some]
    )


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

    @cached_property
    def people(self) -> np.ndarray:
        """Whose record each is, from 0 on and without gaps."""
        if self.units is None:
            return np.arange(self.classes.size)
        return np.unique(self.units, return_inverse=True)[1]

    @cached_property
    def candidates(self) -> np.ndarray:
        """Of each person, how many people are in all classes of its records."""
        return found_in_all(self.people, self.classes, self.people)

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
