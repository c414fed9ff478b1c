"""The search as a whole: regions side by side, and round after round."""

from concurrent.futures import ThreadPoolExecutor, wait
from typing import NamedTuple

import numpy as np
from numba import config

from microcell._centre import centred_and_small
from microcell._interrupts import ended_by
from microcell._progress import report
from microcell.refine._budget import Budget
from microcell.refine._region import Region
from microcell.refine._regions import regions_of
from microcell.refine._splitting import split_large

SEARCHED_WHOLE = 20_000  # records that are searched as a whole
REGION = 4_000  # records of a region of more: what a core keeps at hand
SEARCH_ROUNDS = ((0.5, 0.5, 1.0), (0.3, 0.38, 0.3), (0.2, 0.62, 0.1))
"""Of a table in regions: share of the budget, where to cut, how much of the heat."""
SECONDS_BETWEEN_REPORTS = 0.2


class Refined(NamedTuple):
    """What a search found.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,)
    start_loss, loss : float
        SSE / SST of the cells that it began with, and of those found.
    is_interrupted : bool
        Whether it was ended before its budget was.
    """

    labels: np.ndarray
    start_loss: float
    loss: float
    is_interrupted: bool


def refined_labels(
    X, codes, labels, k, budget, seed=0, *, anneals=True, bound=None, n_threads=None
):
    """Cells of a lower SSE than `labels`, each of k to 2k - 1 records.

    An interrupt ends the search, and what it has found is returned; a second one,
    while that is put together, is raised.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Records, measured columns first, as `with_codes` gives them.
    codes : Codes
    labels : ndarray of shape (n_samples,)
        Cells of at least k records, 0 to n_cells - 1.
    k : int
    budget : Budget
    seed : int
    anneals : bool
        Whether worse moves are made too; else moves that lower the SSE alone.
    bound : float, optional
        A lower bound of the loss, to show how far it may be off.
    n_threads : int, optional
        By default all cores; the cells do not depend on it.

    Returns
    -------
    refined : Refined
    """
    X, codes = _small(X, codes)
    labels = np.unique(labels, return_inverse=True)[1]
    total = sum_of_squares(X, codes, np.zeros(len(X), dtype=np.int64))
    start = best = sum_of_squares(X, codes, labels)
    search = Search(X, codes, k, budget, seed, anneals, n_threads, total, bound)
    if k > 1 and total > 0 and len(X) > k:
        with ended_by(budget.stop):
            better = search.run(split_large(X, codes, labels, k))
        search.is_interrupted |= budget.is_stopped
        sse = sum_of_squares(X, codes, better)
        if sse < start:
            labels, best = better, sse
    loss = (lambda sse: float(sse / total)) if total > 0 else (lambda sse: 0.0)
    return Refined(labels, loss(start), loss(best), search.is_interrupted)


class Search:
    """One search: its table, its budget and where it is."""

    def __init__(self, X, codes, k, budget, seed, anneals, n_threads, total, bound):
        self.X, self.codes, self.k = X, codes, k
        self.budget, self.seed, self.anneals = budget, seed, anneals
        self.n_threads = n_threads or config.NUMBA_NUM_THREADS
        self.total, self.bound = total, bound
        self.is_interrupted = False

    def run(self, labels):
        """Search as a whole, or in regions."""
        if len(self.X) <= SEARCHED_WHOLE:
            return self._together(labels)
        for number, (part, cut, heat) in enumerate(SEARCH_ROUNDS):
            if self.is_interrupted or self.budget.share >= 1.0:
                break
            labels = self._round(labels, number, part, cut, heat)
        return labels

    def _together(self, labels):
        n_near = candidates(self.k)
        region = Region(self.X, self.codes, labels, self.k, self.seed, n_near)
        try:
            region.search(
                self.budget, self.anneals, told=lambda: self._tell(region.sse_now)
            )
        except KeyboardInterrupt:
            self.is_interrupted = True
            region.descend(lambda: False, self.budget, False, lambda: None)
        return region.labels

    def _round(self, labels, number, part, cut, heat):
        regions = regions_of(self.X, self.codes, labels, REGION, cut)
        n_samples, budget = len(self.X), self.budget
        found, n_cells = np.empty_like(labels), np.zeros(len(regions), dtype=np.int64)
        sse = np.full(len(regions), np.nan)
        spent, rest = budget.share, sum(p for p, _, _ in SEARCH_ROUNDS[number:])
        share = part / rest * (1.0 - spent)  # of the whole budget

        def search(at):
            rows = regions[at]
            own = np.unique(labels[rows], return_inverse=True)[1]
            allowed = Budget(parent=budget)
            if budget.moves is not None:
                allowed.moves = budget.moves * share * len(rows) / n_samples
            if budget.seconds is not None:
                ahead = sum(len(rows) for rows in regions[at:]) / n_samples
                left = (spent + share) * budget.seconds - budget.elapsed
                threads = min(self.n_threads, len(regions) - at)
                allowed.seconds = left * threads * len(rows) / n_samples / ahead
            seed = (self.seed, number, at)
            codes = self.codes
            table = np.ascontiguousarray(self.X[rows])
            region = Region(table, codes, own, self.k, seed, candidates(self.k))
            region.search(allowed, self.anneals, heat)
            found[rows], n_cells[at] = region.labels, region.labels.max() + 1
            sse[at] = region.sse
            budget.spend(allowed.spent)

        with ThreadPoolExecutor(self.n_threads) as pool:
            waiting = {pool.submit(search, at) for at in range(len(regions))}
            while waiting:
                try:
                    done, waiting = wait(waiting, SECONDS_BETWEEN_REPORTS)
                    for future in done:
                        future.result()
                except KeyboardInterrupt:
                    self.is_interrupted = True
                    budget.stop()
        for at, rows in enumerate(regions):
            found[rows] += n_cells[:at].sum()
        return found

    def _tell(self, sse):
        loss = sse / self.total
        step = f"refining cells, loss {100 * loss:.4g} %"
        if self.bound and loss > self.bound:
            above = 100 * (loss / self.bound - 1)
            step += f", at most {above:.2g} % above the optimum"
        n_samples = len(self.X)
        report(int(n_samples * self.budget.share), n_samples, step)


def candidates(k):
    """How many records near each give the cells to move to."""
    return min(max(16, 3 * k), 40)


def _small(X, codes):
    """The table about its mean, in a range whose squares are numbers."""
    n_measured = codes.n_measured
    if n_measured == 0:
        return X, codes
    small, exponent = centred_and_small(X[:, :n_measured])
    units = np.ldexp(codes.units, -2 * exponent)
    table = np.hstack([small, X[:, n_measured:]])
    return np.ascontiguousarray(table), codes._replace(units=units)


def sum_of_squares(X, codes, labels):
    """Sum of squared errors of cells of any size."""
    sizes = np.bincount(labels)
    total = 0.0
    for column in X.T[: codes.n_measured]:
        means = np.bincount(labels, column) / sizes
        total += np.sum((column - means[labels]) ** 2)
    for column, unit in zip(X.T[codes.n_measured :], codes.units, strict=True):
        pairs = np.stack([labels, column.astype(np.int64)])
        kinds, counts = np.unique(pairs, axis=1, return_counts=True)
        same = np.bincount(kinds[0], counts.astype(np.float64) ** 2, len(sizes))
        total += 0.5 * unit * np.sum(sizes - same / sizes)
    return float(total)
