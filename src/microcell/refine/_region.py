"""The search inside one region: descent, annealing, descent."""

from microcell.refine._annealing import anneal
from microcell.refine._cells import make_cells, sse_of_cells
from microcell.refine._descent import LEAST_GAIN, descend, new_course
from microcell.refine._draws import seeded
from microcell.refine._neighbours import near_records
from microcell.refine._schedule import ANNEALED, heat_for, temperature_at

LOOKS_AT_ONCE = 300_000  # a fraction of a second, so that Ctrl-C is noticed
MOVES_PER_SECOND = 3_000_000  # about, to know how much heat they can do with
COOLING_STEPS = 500  # of the temperature


class Region:
    """Some records and their cells, searched by themselves.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Records, measured columns first.
    codes : Codes
    labels : ndarray of shape (n_samples,)
        Cells of k to 2k - 1 records, 0 to n_cells - 1.
    k : int
    seed : int or sequence of int
    n_near : int
        Records near each that give the cells to move to.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,)
        The best cells so far.
    sse : float
        Their sum of squared errors.
    sse_now : float
        That of the cells that the search is at.
    """

    def __init__(self, X, codes, labels, k, seed, n_near):
        near = near_records(X, codes, min(n_near, X.shape[0] - 1))
        self.cells = make_cells(X, codes, near, labels, k)
        self.state = seeded(seed)
        self.labels = self.cells.labels.copy()
        self.sse = self.sse_now = sse_of_cells(self.cells)

    def search(self, budget, anneals, heat=1.0, told=lambda: None):
        """Lower the SSE within a budget; `told` is called every now and then."""
        if anneals:
            self.anneal(budget, heat, told)
        self.descend(lambda: not anneals and budget.share >= 1.0, budget, False, told)
        self.descend(lambda: budget.share >= 1.0, budget, True, told)

    def descend(self, is_over, budget, deep, told):
        """Make moves that lower the SSE until none is left, or it is over."""
        least_gain = LEAST_GAIN * self.sse / len(self.labels)
        course = new_course(self.cells)
        while course.here[2] < len(self.labels) and not is_over():
            _, left = descend(
                self.cells, course, LOOKS_AT_ONCE, deep, least_gain, self.state
            )
            budget.spend(LOOKS_AT_ONCE - left)
            self._look(told)
        self.keep_if_better()

    def anneal(self, budget, heat, told):
        """Try moves while the temperature falls with what is left of the budget."""
        n_samples = len(self.labels)
        moves = budget.moves or budget.seconds * MOVES_PER_SECOND
        warmest, n_halvings = heat_for(moves / n_samples)
        warmest *= heat * self.sse / n_samples
        at_once = int(min(max(moves / COOLING_STEPS, 100), LOOKS_AT_ONCE))
        while (share := budget.share) < ANNEALED:
            temperature = temperature_at(share / ANNEALED, warmest, n_halvings)
            anneal(self.cells, temperature, at_once, self.state)
            budget.spend(at_once)
            self._look(told)

    def keep_if_better(self):
        """Keep the cells as they are now if none were better."""
        sse = sse_of_cells(self.cells)
        if sse < self.sse:
            self.labels[:] = self.cells.labels
            self.sse = sse

    def _look(self, told):
        self.sse_now = sse_of_cells(self.cells)
        told()
