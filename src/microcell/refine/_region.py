"""The search inside one region: annealing and descent."""

from collections.abc import Callable

import numpy as np

from microcell.kernels.codes import Codes
from microcell.refine._annealing import anneal
from microcell.refine._budget import Budget
from microcell.refine._cells import make_cells, sse_of_cells
from microcell.refine._descent import GAIN_OF_MOVE, descend, new_course
from microcell.refine._draws import seeded
from microcell.refine._schedule import Cooling

LOOKS_AT_ONCE = 300_000  # a fraction of a second, so that Ctrl-C is noticed
COOLING_STEPS = 500
MOVES_PER_SECOND = 3_000_000  # of a thread, about: how much heat seconds can do with
ROUNDING_OF_SQUARES = (
    1e-28  # of the largest square: how far equal records may be from their mean
)


class Region:
    """Some records and their cells, searched by themselves.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Records, measured columns first.
    codes : Codes
    near : ndarray of shape (n_samples, n_near)
        Records near each that give the cells to move to.
    labels : ndarray of shape (n_samples,)
        Cells of k to 2k - 1 records, 0 to n_cells - 1.
    k : int
    seed : int or sequence of int
    told : callable, optional
        Called without arguments every now and then.
    units : ndarray of shape (n_samples,), optional
        Whose each record is; cells have k units then.

    Attributes
    ----------
    cells : Cells
        As they are now.
    """

    def __init__(
        self,
        X: np.ndarray,
        codes: Codes,
        near: np.ndarray,
        labels: np.ndarray,
        k: int,
        seed: int | tuple[int, int, int],
        told: Callable[[], object] = lambda: None,
        units: np.ndarray | None = None,
    ) -> None:
        self.cells = make_cells(X, codes, near, labels, k, units)
        self.state = seeded(seed)
        self.told = told

    @property
    def sse(self) -> float:
        """Sum of squared errors of the cells as they are now."""
        return sse_of_cells(self.cells)

    def anneal(self, budget: Budget, cooling: Cooling) -> None:
        """Try moves while the temperature falls, until the budget is spent."""
        moves = budget.moves
        if moves is None:
            moves = (budget.seconds or 0.0) * MOVES_PER_SECOND
        at_once = int(min(max(moves / COOLING_STEPS, 100), LOOKS_AT_ONCE))
        while (share := budget.share) < 1.0:
            temperature = cooling.temperature(share)
            anneal(self.cells, temperature, at_once, self.state)
            budget.spend(at_once)
            self.told()

    def descend(self, budget: Budget, deep: bool) -> None:
        """Make moves that lower the SSE until none is left, or the budget is spent."""
        n_samples, course = len(self.cells.labels), new_course(self.cells)
        sse, n_made = self.sse, 0
        measured = self.cells.X[:, : self.cells.n_measured]
        rounding = ROUNDING_OF_SQUARES * np.max(np.abs(measured), initial=0.0) ** 2
        least_gain = max(GAIN_OF_MOVE * sse / n_samples, rounding)
        while course.here[2] < n_samples and budget.share < 1.0:
            _, left = descend(
                self.cells, course, LOOKS_AT_ONCE, deep, least_gain, self.state
            )
            budget.spend(LOOKS_AT_ONCE - left)
            self.told()
            if course.here[0] > n_made and not self.sse < sse:
                break  # what is gained is rounding: it could go round for ever
            sse, n_made = self.sse, course.here[0]
