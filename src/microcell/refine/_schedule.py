"""Temperatures of an annealing, in units of what a record adds to the SSE."""

ANNEALED = 0.95  # share of the budget that is spent when it is cold
SHORT_HEAT, LONG_HEAT = (1.0, 4.5), (3.0, 8.0)
"""How warm it is to begin, and how often that is halved."""
LONG_FROM = 2_000  # moves for each record


def heat_for(moves_per_record):
    """The warmest temperature and its halvings: more heat needs more moves.

    Examples
    --------
    >>> heat_for(100), heat_for(10_000)
    ((1.0, 4.5), (3.0, 8.0))
    """
    return LONG_HEAT if moves_per_record >= LONG_FROM else SHORT_HEAT


def temperature_at(share, warmest, n_halvings):
    """Temperature when a share of the budget is spent.

    It falls by half `n_halvings` times, in a straight line between two halvings: sums
    and products alone, which are the same on every machine.

    Examples
    --------
    >>> [temperature_at(share, 8.0, 3) for share in (0, 0.5, 1)]
    [8.0, 3.0, 1.0]
    """
    passed = share * n_halvings
    whole = int(passed)
    return warmest * 0.5**whole * (1.0 - 0.5 * (passed - whole))
