"""The search inside one region: annealing and descent."""

from microcell.refine._annealing import anneal
from microcell.refine._cells import make_cells, sse_of_cells
from microcell.refine._descent import LEAST_GAIN, descend, new_course
from microcell.refine._draws import seeded

LOOKS_AT_ONCE = 300_000  # a fraction of a second, so that Ctrl-C is noticed
COOLING_STEPS = 500


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

    Attributes
    ----------
    cells : Cells
        As they are now.
    """

    def __init__(self, X, codes, near, labels, k, seed, told=lambda: None):
        self.cells = make_cells(X, codes, near, labels, k)
        self.state = seeded(seed)
        self.told = told

    @property
    def sse(self):
        """Sum of squared errors of the cells as they are now."""
        return sse_of_cells(self.cells)

    def anneal(self, budget, cooling):
        """Try moves while the temperature falls, until the budget is spent."""
        at_once = LOOKS_AT_ONCE
        if budget.moves is not None:
            at_once = int(min(max(budget.moves / COOLING_STEPS, 100), at_once))
        while (share := budget.share) < 1.0:
            temperature = cooling.temperature(share)
            anneal(self.cells, temperature, at_once, self.state)
            budget.spend(at_once)
            self.told()

    def descend(self, budget, deep):
        """Make moves that lower the SSE until none is left, or the budget is spent."""
        n_samples, course = len(self.cells.labels), new_course(self.cells)
        least_gain = LEAST_GAIN * self.sse / n_samples
        while course.here[2] < n_samples and budget.share < 1.0:
            _, left = descend(
                self.cells, course, LOOKS_AT_ONCE, deep, least_gain, self.state
            )
            budget.spend(LOOKS_AT_ONCE - left)
            self.told()
