"""Combined search: anneal again and again, and combine the cells that are met."""

from collections.abc import Callable
from itertools import count

import numpy as np

from microcell.kernels.distinct import distinct_records
from microcell.refine._budget import Budget
from microcell.refine._cells import set_labels
from microcell.refine._pool import Pool
from microcell.refine._region import Region
from microcell.refine._schedule import Cooling, cooling_from

FIRST_RUNS = 3  # annealings from the start: what one is stuck with another is not
FIRST_SHARE = 0.5  # of the budget, for all of them
REHEATS = (0.5, 0.2, 1.0)  # times what a record adds to the SSE, in turns
REHEATED_AT_ONCE = 10  # annealings from the best cells before they are combined
REHEATED_MOVES = 1_000  # of each, for a record, or less
REHEATED_SHARE = 0.01  # of all moves, at most
SECONDS_TO_COMBINE = 30.0
NODES_TO_COMBINE = 50  # of an integer programme, where seconds are not counted


class Combined:
    """A search of a whole table, and the best cells that it knows.

    Parameters
    ----------
    region : Region
        All records, in the cells to begin with.
    budget : Budget
    cooling : Cooling
        Of the first annealings.
    n_moves : float
        Of the budget, about.
    tell : callable
        Takes an SSE, and moves that are spent beside those of the budget.

    Attributes
    ----------
    best : ndarray of shape (n_samples,)
    sse : float
    is_interrupted : bool
    """

    def __init__(
        self,
        region: Region,
        budget: Budget,
        cooling: Cooling,
        n_moves: float,
        tell: Callable[[float, int], object],
    ) -> None:
        self.region, self.budget, self.tell = region, budget, tell
        self.cooling, self.n_moves = cooling, n_moves
        self.start = region.cells.labels.copy()
        cells = region.cells
        whose = [] if cells.owners is None else [cells.owners.unit[:, None]]
        self.pool = Pool(distinct_records(np.hstack([cells.X, *whose]))[0])
        self.best, self.sse = self.start, region.sse
        self.is_interrupted = False

    def run(self) -> np.ndarray:
        """Search until the budget is spent."""
        try:
            self._descend()
            if self.sse == 0.0:
                return self.best
            for run in range(FIRST_RUNS):
                part = self.budget.part(FIRST_SHARE * (run + 1) / FIRST_RUNS)
                self._anneal(self.start, part, self.cooling)
            self._combine()
            for number in count():
                if self.budget.share >= 1.0:
                    break
                self._reheat(REHEATS[number % len(REHEATS)])
                self._combine()
        except KeyboardInterrupt:
            self.is_interrupted = True
        return self.best

    def _reheat(self, heat: float) -> None:
        n_samples = len(self.best)
        moves = min(REHEATED_MOVES * n_samples, REHEATED_SHARE * self.n_moves)
        set_labels(self.region.cells, self.best)
        cooling = cooling_from(heat * self.sse / n_samples, self.region.cells.own)
        for _ in range(REHEATED_AT_ONCE):
            part = self.budget.part(1.0)
            part.moves = moves if part.moves is None else min(moves, part.moves)
            if self.budget.share < 1.0:
                self._anneal(self.best, part, cooling)

    def _anneal(self, labels: np.ndarray, budget: Budget, cooling: Cooling) -> None:
        region = self.region
        set_labels(region.cells, labels)
        region.told = lambda: self.tell(min(self.sse, region.sse), budget.spent)
        region.anneal(budget, cooling)
        self.budget.spend(budget.spent)
        self._descend()

    def _combine(self) -> None:
        if self.budget.seconds is None:
            labels = self.pool.best_partition(nodes=NODES_TO_COMBINE)
        else:
            left = max(1.0, self.budget.seconds - self.budget.elapsed)
            labels = self.pool.best_partition(seconds=min(SECONDS_TO_COMBINE, left))
        if labels is not None:
            set_labels(self.region.cells, labels)
            self._descend()

    def _descend(self) -> None:
        """Descend from the cells as they are, and keep what is better."""
        self.region.descend(Budget(), deep=False)
        self.region.descend(Budget(), deep=True)
        self.pool.add(self.region.cells)
        sse = self.region.sse
        if sse < self.sse:
            self.best, self.sse = self.region.cells.labels.copy(), sse
