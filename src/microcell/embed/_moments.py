"""Moments: what the scale of a column needs, exact and added up from parts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from microcell.kernels.exact_sums import MIN_EXPONENT, exact_sums

SUM_UNIT = Fraction(1, 2**-MIN_EXPONENT)  # of a sum


@dataclass(frozen=True)
class Moments:
    """Number, range, sum and sum of squares of a column's values.

    Sums are whole numbers of a smallest unit, so that parts of a table add up to the
    same moments in any order.

    Attributes
    ----------
    n_values, n_missing : int
        Values that are there, and that are not.
    low, high : float
        Least and greatest value; infinite if there is none.
    total, squares : int
        Sum in units of 2^-1074, sum of squares in units of 2^-2148.

    Examples
    --------
    >>> one, two = Moments.of(np.array([1.0, 2.0])), Moments.of(np.array([6.0]))
    >>> both = one + two
    >>> both.n_values, float(both.mean), both.high
    (3, 3.0, 6.0)
    """

    n_values: int = 0
    n_missing: int = 0
    low: float = math.inf
    high: float = -math.inf
    total: int = 0
    squares: int = 0

    @classmethod
    def of(cls, values: np.ndarray, counts: np.ndarray | None = None) -> Moments:
        """Moments of a column; NaN is missing.

        Parameters
        ----------
        values : ndarray of shape (n,)
        counts : ndarray of shape (n,), optional
            How often each value occurs; by default once.
        """
        if counts is not None:
            parts = zip(values.tolist(), counts.tolist(), strict=True)
            return sum(
                (cls.of(np.array([value])).times(count) for value, count in parts),
                cls(),
            )
        n_values, total, squares = exact_sums(values)
        known = values if n_values == len(values) else values[~np.isnan(values)]
        return cls(
            n_values,
            len(values) - n_values,
            float(known.min(initial=math.inf)),
            float(known.max(initial=-math.inf)),
            total,
            squares,
        )

    def times(self, count: int) -> Moments:
        """The moments of so many copies of the column."""
        return Moments(
            self.n_values * count,
            self.n_missing * count,
            self.low,
            self.high,
            self.total * count,
            self.squares * count,
        )

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.n_values + other.n_values,
            self.n_missing + other.n_missing,
            min(self.low, other.low),
            max(self.high, other.high),
            self.total + other.total,
            self.squares + other.squares,
        )

    @property
    def mean(self) -> Fraction:
        """The mean, a fraction."""
        return self.total * SUM_UNIT / self.n_values

    @property
    def variance(self) -> Fraction:
        """The variance, a fraction."""
        spread = self.n_values * self.squares - self.total**2
        return spread * SUM_UNIT**2 / self.n_values**2
