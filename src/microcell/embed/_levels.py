"""Levels: a column of codes in a hierarchy, as a column of codes for each level."""

from typing import NamedTuple

import numpy as np


class Levels(NamedTuple):
    """Where the values of a hierarchy stand on each of its levels.

    The squared distance of two values is the share of levels on which they differ:
    0 for equal ones, 1 for two that have only the root in common.

    Attributes
    ----------
    codes : ndarray of shape (n_nodes, n_levels)
        For each value, and then for each group of values, the code of its ancestor on
        each level, coarse levels first. On levels below a group its code is one that
        no value has.
    units : ndarray of shape (n_levels,)
        What a mismatch on each level counts, as a squared distance; they add up to 1.
    n_values : int or None
        How many of the nodes are values; None if all are.

    Examples
    --------
    >>> zips = Levels(np.array([[0, 0], [0, 1], [1, 2]]), np.array([0.5, 0.5]))
    >>> zips.distance(0, 1), zips.distance(0, 2)
    (0.5, 1.0)
    """

    codes: np.ndarray
    units: np.ndarray
    n_values: int | None = None

    def distance(self, one: int, other: int) -> float:
        """Normalised tree distance of two nodes."""
        return float(np.sum(self.units * (self.codes[one] != self.codes[other])))

    @property
    def group_depths(self) -> np.ndarray:
        """For each group, on how many levels it has the code of its values."""
        n_values = len(self.codes) if self.n_values is None else self.n_values
        shared = [np.isin(codes[n_values:], codes[:n_values]) for codes in self.codes.T]
        return np.asarray(np.sum(shared, axis=0, dtype=np.int64))
