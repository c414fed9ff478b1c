"""How long a search may take, in moves or in seconds."""

from __future__ import annotations

import time


class Budget:
    """What a search may spend.

    Moves are what they are on every machine, so a search that is given a number of
    them can be repeated; one that is given seconds cannot. Without either it ends when
    no move is left that gains.

    Parameters
    ----------
    moves : float, optional
        Moves to look at.
    seconds : float, optional
        From the moment that this is made. The one of both that is spent first counts.
    parent : Budget, optional
        What this is a part of, and ends with.

    Examples
    --------
    >>> budget = Budget(moves=10)
    >>> budget.spend(4)
    >>> budget.share
    0.4
    """

    def __init__(
        self,
        moves: float | None = None,
        seconds: float | None = None,
        parent: Budget | None = None,
    ) -> None:
        self.moves = moves
        self.seconds = seconds
        self.parent = parent
        self.spent = 0
        self.is_stopped = False
        self._begin = time.monotonic()

    @property
    def is_open(self) -> bool:
        """Whether there is no limit."""
        return self.moves is None and self.seconds is None

    def spend(self, moves: int) -> None:
        """Count moves that were looked at."""
        self.spent += moves

    def stop(self) -> None:
        """End all that is searched under this budget."""
        self.is_stopped = True

    @property
    def has_ended(self) -> bool:
        """Whether this, or what it is a part of, was stopped."""
        return self.is_stopped or (self.parent is not None and self.parent.has_ended)

    @property
    def elapsed(self) -> float:
        """Seconds since this was made."""
        return time.monotonic() - self._begin

    @property
    def share(self) -> float:
        """How much of the budget is spent, 0 to 1."""
        if self.has_ended:
            return 1.0
        by_moves = by_clock = 0.0
        if self.moves is not None:
            by_moves = self.spent / self.moves if self.moves > 0 else 1.0
        if self.seconds is not None:
            by_clock = self.elapsed / self.seconds if self.seconds > 0 else 1.0
        return min(1.0, max(by_moves, by_clock))

    def part(self, until: float) -> Budget:
        """What is left of it until a share of it is spent."""
        return self._limited(
            self.moves and max(0.0, until * self.moves - self.spent),
            self.seconds and max(0.0, until * self.seconds - self.elapsed),
        )

    def of(self, moves_share: float, seconds_share: float) -> Budget:
        """Shares of the moves and of the seconds that are left."""
        return self._limited(
            self.moves and moves_share * max(0.0, self.moves - self.spent),
            self.seconds and seconds_share * max(0.0, self.seconds - self.elapsed),
        )

    def _limited(self, moves: float | None, seconds: float | None) -> Budget:
        return Budget(moves, seconds, parent=self)
