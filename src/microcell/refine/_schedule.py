"""Temperatures of an annealing, in units of what a record adds to the SSE."""

from typing import NamedTuple

SHORT_HEAT, LONG_HEAT = (1.0, 4.5), (3.0, 8.0)
"""How warm it is to begin, and how often that is halved."""
LONG_FROM = 2_000  # moves for each record


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

    def temperature(self, share):
        """Temperature when a share of the budget is spent."""
        share = min(max(share, 0.0), 1.0)
        passed = (self.begin + share * (self.end - self.begin)) * self.n_halvings
        whole = int(passed)
        return self.warmest * 0.5**whole * (1.0 - 0.5 * (passed - whole))

    def part(self, begin, end):
        """The same between two shares of the budget."""
        return self._replace(begin=begin, end=end)


def cooling_for(moves_per_record, sse_per_record):
    """How an annealing cools: more heat needs more moves.

    Examples
    --------
    >>> cooling_for(100, 2.0).warmest, cooling_for(10_000, 2.0).warmest
    (2.0, 6.0)
    """
    heat = LONG_HEAT if moves_per_record >= LONG_FROM else SHORT_HEAT
    return Cooling(heat[0] * sse_per_record, heat[1])
