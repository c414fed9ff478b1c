"""Temperatures of an annealing, in units of what a record adds to the SSE."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

SHORT_HEAT, LONG_HEAT = 1.0, 3.0  # to begin with, times what a record adds on average
LONG_FROM = 2_000  # moves for each record that a long annealing has
COLD = 0.05  # to end with, times what half of the records add less than
MAX_HALVINGS = 30


class Cooling(NamedTuple):
    """How the temperature falls while a budget is spent.

    It falls by half `n_halvings` times, in a straight line between two halvings: sums
    and products alone, which are the same on every machine.

    Attributes
    ----------
    warmest : float
    n_halvings : float
    begin, end : float
        The part of it that this one is, between 0 and 1.

    Examples
    --------
    >>> cooling = Cooling(8.0, 3)
    >>> [cooling.temperature(share) for share in (0, 0.5, 1)]
    [8.0, 3.0, 1.0]
    >>> cooling.part(0.5, 1.0).temperature(0)
    3.0
    """

    warmest: float
    n_halvings: float
    begin: float = 0.0
    end: float = 1.0

    def temperature(self, share: float) -> float:
        """Temperature when a share of the budget is spent."""
        share = min(max(share, 0.0), 1.0)
        passed = (self.begin + share * (self.end - self.begin)) * self.n_halvings
        whole = int(passed)
        return self.warmest * 0.5**whole * (1.0 - 0.5 * (passed - whole))

    def part(self, begin: float, end: float) -> Cooling:
        """The same between two shares of the budget."""
        return self._replace(begin=begin, end=end)


def cooling_from(warmest: float, own: np.ndarray) -> Cooling:
    """How an annealing cools from a temperature to where no record moves by chance.

    That is far colder where most records lie close together and a few far apart.

    Parameters
    ----------
    warmest : float
    own : ndarray of shape (n_samples,)
        Squared distance of each record to the centre of its cell.

    Examples
    --------
    >>> cooling_from(8.0, np.array([10.0, 20.0, 30.0]))
    Cooling(warmest=8.0, n_halvings=3, begin=0.0, end=1.0)
    """
    coldest, n_halvings, temperature = COLD * np.median(own), 0, warmest
    while temperature > coldest and n_halvings < MAX_HALVINGS:
        temperature *= 0.5
        n_halvings += 1
    return Cooling(warmest, max(1, n_halvings))


def heat_for(moves_per_record: float) -> float:
    """How warm an annealing begins: more heat needs more moves.

    Examples
    --------
    >>> heat_for(100), heat_for(10_000)
    (1.0, 3.0)
    """
    return LONG_HEAT if moves_per_record >= LONG_FROM else SHORT_HEAT
