"""Whose record each is, and of how few of them nothing may be told."""

from __future__ import annotations

import numpy as np


class People:
    """The rule of k: a report tells nothing that comes from fewer than k people.

    Parameters
    ----------
    k : int
        Least number of people of whom something may be told.
    n_records : int
    units : ndarray of shape (n_records,), optional
        Whose record each is; by default every record is a person.

    Examples
    --------
    >>> people = People(2, 3, np.array([0, 0, 1]))
    >>> people.count(np.array([0, 1])), people.enough(np.array([0, 2]))
    (1, True)
    """

    def __init__(self, k: int, n_records: int, units: np.ndarray | None = None) -> None:
        self.k = k
        self.n_records = n_records
        self.units = units

    def among(self, rows: np.ndarray) -> People:
        """The people of some records, whose places count from 0."""
        units = None if self.units is None else self.units[rows]
        return People(self.k, len(rows), units)

    def count(self, rows: np.ndarray) -> int:
        """People of these records."""
        return len(rows) if self.units is None else np.unique(self.units[rows]).size

    def enough(self, rows: np.ndarray) -> bool:
        """Whether something may be told of these records."""
        return self.until_enough(rows) >= 0

    def few(self, rows: np.ndarray) -> bool:
        """Whether there are such records, but too few to be told of."""
        return len(rows) > 0 and not self.enough(rows)

    def by_code(self, codes: np.ndarray, n_codes: int) -> np.ndarray:
        """People of each code from 0 to n_codes - 1.

        Examples
        --------
        >>> People(2, 3, np.array([0, 0, 1])).by_code(np.array([1, 1, 0]), 2)
        array([1, 1])
        """
        if self.units is not None:
            n_units = int(self.units.max(initial=0)) + 1
            codes = np.unique(codes.astype(np.int64) * n_units + self.units) // n_units
        return np.bincount(codes, minlength=n_codes)

    def until_enough(self, rows: np.ndarray) -> int:
        """Place in `rows` at which there are k people; -1 if there never are.

        Examples
        --------
        >>> People(2, 3, np.array([0, 0, 1])).until_enough(np.array([0, 1, 2]))
        2
        """
        if self.units is None:
            return self.k - 1 if len(rows) >= self.k else -1
        looked_at = self.k
        while looked_at // 4 < len(rows):  # few records have k people, mostly
            units = self.units[rows[:looked_at]]
            first = np.unique(units, return_index=True)[1]
            if first.size >= self.k:
                return int(np.partition(first, self.k - 1)[self.k - 1])
            looked_at *= 4
        return -1

    def dominated(self, contributions: np.ndarray, rows: np.ndarray) -> bool:
        """Whether fewer than k people make up most of a sum, which would tell theirs.

        Parameters
        ----------
        contributions : ndarray of shape (n_rows,)
            What each record adds; none is negative.
        rows : ndarray of shape (n_rows,)
            The records.
        """
        if self.units is not None:
            contributions = np.bincount(self.units[rows], weights=contributions)
        total, few = contributions.sum(), self.k - 1
        if contributions.size <= few:
            return bool(total > 0)
        largest = np.partition(contributions, contributions.size - max(few, 1))
        return bool(few > 0 and largest[-few:].sum() > MAX_SHARE_OF_A_SUM * total)


MAX_SHARE_OF_A_SUM = 0.75  # by fewer than k people: the sum is theirs


def first_rows(n_records: int, most: int) -> np.ndarray:
    """Records that stand for all where these are more: they come in no order of theirs.

    See `Before.ordered`.
    """
    return np.arange(min(n_records, most))
