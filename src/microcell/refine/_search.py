"""The search as a whole: of all records together, or in regions side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import config

from microcell._centre import MAX_RANGE_EXPONENT, centred_and_small
from microcell._interrupts import ended_by
from microcell._progress import report
from microcell.refine._budget import Budget
from microcell.refine._combined import Combined
from microcell.refine._neighbours import near_inside, near_records
from microcell.refine._region import (
    MOVES_PER_SECOND,
    ROUNDING_OF_SQUARES,
    Region,
)
from microcell.refine._regions import regions_of
from microcell.refine._schedule import cooling_from, heat_for
from microcell.refine._splitting import split_large

if TYPE_CHECKING:
    from microcell.kernels.codes import Codes
    from microcell.refine._schedule import Cooling


SEARCHED_WHOLE = 20_000  # records that are searched together
REGION = 12_000  # records of a region, if there are more
SEARCH_ROUNDS = 16  # of an annealing in regions, each with other borders
DESCENTS = 2  # rounds of a descent in regions
ANNEALED = 0.95  # share of the budget that is spent when it is cold
DESCENDED = 0.25  # share of the seconds of an annealing that a descent may take first
MIN_K_OF_DESCENT = 20  # from here on a descent may beat an annealing in regions too
LOOKS_OF_DESCENT = 2_000  # for each record; beyond it large cells gain next to nothing
COMBINED_FROM = 20_000  # moves for each record; with fewer one annealing is better
SECONDS_BETWEEN_REPORTS = 0.2
GOLDEN = 0.6180339887498949  # steps of it, modulo one, are spread evenly


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
    X: np.ndarray,
    codes: Codes,
    labels: np.ndarray,
    k: int,
    budget: Budget,
    seed: int = 0,
    *,
    way: str = "annealing",
    bound: float | None = None,
    n_threads: int | None = None,
    units: np.ndarray | None = None,
) -> Refined:
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
        If it is open, moves that lower the SSE are made until there is none.
    seed : int
    way : {"descent", "annealing", "combined"}
        Make moves that lower the SSE alone; worse ones too, which needs a budget with
        an end; and then combine what several annealings come to, where the table is
        searched as a whole.
    bound : float, optional
        A lower bound of the loss, to show how far it may be off.
    n_threads : int, optional
        By default all cores; the cells do not depend on it.
    units : ndarray of shape (n_samples,), optional
        Whose each record is, as whole numbers: cells have k units then, of `labels`
        and of those found, and none has more records than the largest to begin with.

    Returns
    -------
    refined : Refined
    """
    X, codes = _small(X, codes)
    labels = np.unique(labels, return_inverse=True)[1]
    total = sum_of_squares(X, codes, np.zeros(len(X), dtype=np.int64))
    start = best = sum_of_squares(X, codes, labels)
    is_interrupted = False
    if k > 1 and units is None:  # else cells are what they are, of any size
        labels = split_large(X, codes, labels, k)
        best = min(start, sum_of_squares(X, codes, labels))  # more would be rounding
    if k > 1 and best > 0 and len(X) > k:
        search = Search(X, codes, k, budget, seed, n_threads, total, bound, units)
        with ended_by(budget.stop):
            for better in search.found(labels, way):
                sse = sum_of_squares(X, codes, better)
                if sse < best:
                    labels, best = better, sse
                if best <= ROUNDING_OF_SQUARES * total:
                    break  # nothing is left to gain
        is_interrupted = search.is_interrupted
    share = 1.0 / total if total > 0 else 0.0
    return Refined(labels, start * share, best * share, is_interrupted)


Work = Callable[[Region, Budget], None]  # what is done with the cells of a region


class Search:
    """One search: its table, its budget and where it is."""

    def __init__(
        self,
        X: np.ndarray,
        codes: Codes,
        k: int,
        budget: Budget,
        seed: int,
        n_threads: int | None,
        total: float,
        bound: float | None,
        units: np.ndarray | None = None,
    ) -> None:
        self.X, self.codes, self.k = X, codes, k
        self.budget, self.shown, self.seed = budget, budget, seed
        self.n_threads = n_threads or config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
        self.total, self.bound, self.units = total, bound, units
        self.is_interrupted = False

    def found(self, labels: np.ndarray, way: str) -> Iterator[np.ndarray]:
        """Cells that the search comes to; others too if it is interrupted."""
        is_whole, anneals = len(self.X) <= SEARCHED_WHOLE, way != "descent"
        n_near = min(max(16, 3 * self.k), 40)
        try:
            self.near = near_records(self.X, self.codes, n_near, self.n_threads)
        except KeyboardInterrupt:
            self.is_interrupted = True
            return
        if way == "annealing" and (is_whole or self.k > MIN_K_OF_DESCENT):
            yield self._plainly(labels, is_whole)
        if not self.is_interrupted:
            yield self._whole(labels, way) if is_whole else self._parts(labels, anneals)
        self.is_interrupted |= self.budget.is_stopped
        if self.is_interrupted and anneals:  # it may have been too warm to be good
            if is_whole:
                region = self._region(slice(None), self.near, labels, 0)
                region.descend(Budget(self._looks), deep=False)
                yield region.cells.labels
            else:
                yield self._descended(labels, Budget(self._looks))

    def _plainly(self, labels: np.ndarray, is_whole: bool) -> np.ndarray:
        """Cells of a descent, in case that an annealing is no better.

        It takes no moves of the budget but those of a descent, which are bounded, and
        a share of its seconds at most.
        """
        seconds = self.budget.seconds and DESCENDED * self.budget.seconds
        self.budget = Budget(self._looks, seconds, parent=self.shown)
        try:
            if is_whole:
                return self._whole(labels, "descent")
            return self._parts(labels, anneals=False)
        finally:
            self.budget = self.shown

    @property
    def _looks(self) -> int:
        """Moves that a descent before or after an annealing may look at."""
        return LOOKS_OF_DESCENT * len(self.X)

    def _moves(self, n_threads: int) -> float:
        """Moves of the budget, those of seconds about."""
        if self.budget.moves is not None:
            return self.budget.moves
        seconds: Any = self.budget.seconds
        return seconds * MOVES_PER_SECOND * n_threads

    def _cooling(self, labels: np.ndarray, n_threads: int) -> Cooling:
        own = distances_to_centres(self.X, self.codes, labels)
        heat = heat_for(self._moves(n_threads) / len(own))
        mean = fsum(own) / len(own)  # exact, so the same on every machine
        return cooling_from(heat * mean, own)

    def _region(
        self,
        rows: np.ndarray | slice,
        near: np.ndarray,
        labels: np.ndarray,
        seed: int | tuple[int, int, int],
        told: Callable[[], object] = lambda: None,
    ) -> Region:
        table = np.ascontiguousarray(self.X[rows])
        units = None if self.units is None else self.units[rows]
        return Region(table, self.codes, near, labels, self.k, seed, told, units)

    def _whole(self, labels: np.ndarray, way: str) -> np.ndarray:
        region = self._region(slice(None), self.near, labels, self.seed)
        if way == "combined" and self._moves(1) < COMBINED_FROM * len(labels):
            way = "annealing"
        if way == "combined":
            combined = Combined(
                region,
                self.budget,
                self._cooling(labels, 1),
                self._moves(1),
                self._tell,
            )
            labels = combined.run()
            self.is_interrupted = combined.is_interrupted
            return labels
        try:
            if way == "annealing":
                allowed = self.budget.part(ANNEALED)
                region.told = lambda: self._tell(region.sse, allowed.spent)
                region.anneal(allowed, self._cooling(labels, 1))
                self.budget.spend(allowed.spent)
            region.told = lambda: self._tell(region.sse)
            region.descend(
                self.budget if way == "descent" else Budget(self._looks), deep=False
            )
            region.descend(self.budget, deep=True)
        except KeyboardInterrupt:
            self.is_interrupted = True
            region.descend(Budget(self._looks), deep=False)
        return region.cells.labels

    def _parts(self, labels: np.ndarray, anneals: bool) -> np.ndarray:
        """The same in regions, each annealed a little before there are others."""
        if anneals:
            cooling = self._cooling(labels, self.n_threads)
            for number in range(SEARCH_ROUNDS):
                if self.budget.is_stopped:
                    break
                begin, end = number / SEARCH_ROUNDS, (number + 1) / SEARCH_ROUNDS
                part, until = cooling.part(begin, end), end * ANNEALED

                def anneal(
                    region: Region, allowed: Budget, part: Cooling = part
                ) -> None:
                    region.anneal(allowed, part)

                labels = self._round(labels, number, anneal, self.budget.part(until))
                if self.is_interrupted:
                    break
        labels = self._descended(
            labels, Budget(self._looks) if anneals else self.budget
        )
        for number in range(DESCENTS):
            if self.budget.share < 1.0:
                labels = self._round(labels, 200 + number, _descend_deep, self.budget)
        return labels

    def _descended(self, labels: np.ndarray, budget: Budget) -> np.ndarray:
        for number in range(DESCENTS):
            labels = self._round(labels, 100 + number, _descend, budget)
        return labels

    def _round(
        self, labels: np.ndarray, number: int, work: Work, budget: Budget
    ) -> np.ndarray:
        """Let `work` change the cells of each region; none if it is interrupted."""
        try:
            return self._worked(labels, number, work, budget)
        except KeyboardInterrupt:
            self._interrupt()
            return labels

    def _interrupt(self) -> None:
        """Note that it was interrupted; raise that the second time."""
        if self.is_interrupted:
            raise KeyboardInterrupt
        self.is_interrupted = True
        self.budget.stop()

    def _worked(
        self, labels: np.ndarray, number: int, work: Work, budget: Budget
    ) -> np.ndarray:
        """Let `work` change the cells of each region within its part of a budget."""
        cut = 0.35 + 0.3 * ((number * GOLDEN) % 1.0)
        regions = regions_of(self.X, self.codes, labels, REGION, cut)
        n_samples, n_regions = len(labels), len(regions)
        ends = np.cumsum([len(rows) for rows in regions])
        found, sse = np.empty_like(labels), np.zeros(n_regions)
        n_cells, spent = np.zeros(n_regions, dtype=np.int64), [0] * n_regions
        place = np.empty(n_samples, dtype=np.int64)
        region_of = np.empty(n_samples, dtype=np.int64)
        for at, rows in enumerate(regions):
            place[rows], region_of[rows] = np.arange(len(rows)), at

        def search(at: int) -> None:
            rows = regions[at]
            n_ahead = n_samples - ends[at] + len(rows)
            threads = min(self.n_threads, n_regions - at)
            allowed = budget.of(len(rows) / n_samples, threads * len(rows) / n_ahead)
            own = np.unique(labels[rows], return_inverse=True)[1]
            near = near_inside(self.near, rows, place, region_of)
            region = self._region(rows, near, own, (self.seed, number, at))
            work(region, allowed)
            found[rows], n_cells[at] = region.cells.labels, region.cells.n_cells[0]
            sse[at], spent[at] = region.sse, allowed.spent

        with ThreadPoolExecutor(self.n_threads) as pool:
            waiting = {pool.submit(search, at) for at in range(n_regions)}
            while waiting:
                try:
                    done, waiting = wait(waiting, SECONDS_BETWEEN_REPORTS)
                    for future in done:
                        future.result()
                    if len(waiting) == 0:
                        self._tell(sse.sum())
                except KeyboardInterrupt:
                    if self.is_interrupted:
                        pool.shutdown(cancel_futures=True)
                    self._interrupt()
        self.budget.spend(sum(spent))
        for at, rows in enumerate(regions):
            found[rows] += n_cells[:at].sum()
        return found

    def _tell(self, sse: float, spent: int = 0) -> None:
        loss = sse / self.total
        step = f"refining cells, loss {100 * loss:.4g} %"
        if self.bound and loss > self.bound:
            above = 100 * (loss / self.bound - 1)
            step += f", at most {above:.2g} % above the optimum"
        share = self.shown.share
        if self.shown.moves is not None:
            done = (self.shown.spent + spent) / self.shown.moves
            share = max(share, min(1.0, done))
        n_samples = len(self.X)
        report(int(n_samples * share), n_samples, step)


def _descend(region: Region, budget: Budget) -> None:
    region.descend(budget, deep=False)


def _descend_deep(region: Region, budget: Budget) -> None:
    region.descend(budget, deep=True)


def _small(X: np.ndarray, codes: Codes) -> tuple[np.ndarray, Codes]:
    """The table about its mean, in a range whose squares are numbers.

    Units go with the measured columns, but stay above zero and far below infinity.
    """
    n_measured, units = codes.n_measured, codes.units
    if n_measured == 0:
        return X, codes
    small, exponent = centred_and_small(X[:, :n_measured])
    if len(units):
        least = int(np.frexp(units.max())[1]) // 2 - MAX_RANGE_EXPONENT
        small = np.ldexp(small, min(0, exponent - least))
        units = np.ldexp(units, -2 * max(exponent, least))
        units = np.maximum(units, np.finfo(np.float64).tiny)
    table = np.hstack([small, X[:, n_measured:]])
    return np.ascontiguousarray(table), codes._replace(units=units)


def distances_to_centres(X: np.ndarray, codes: Codes, labels: np.ndarray) -> np.ndarray:
    """Squared distance of each record to the centre of its cell."""
    sizes = np.bincount(labels)
    own = np.zeros(len(labels))
    for column in X.T[: codes.n_measured]:
        means = np.bincount(labels, column) / sizes
        difference = column - means[labels]
        own += difference * difference
    for column, unit in zip(X.T[codes.n_measured :], codes.units, strict=True):
        pairs = np.stack([labels, column.astype(np.int64)])
        kinds, kind, counts = np.unique(
            pairs, axis=1, return_inverse=True, return_counts=True
        )
        shares = counts / sizes[kinds[0]]
        squares = np.bincount(kinds[0], shares * shares, len(sizes))
        own += 0.5 * unit * (1.0 + squares[labels] - 2.0 * shares[kind.ravel()])
    return np.maximum(own, 0.0)


def sum_of_squares(X: np.ndarray, codes: Codes, labels: np.ndarray) -> float:
    """Sum of squared errors of cells of any size."""
    return float(distances_to_centres(X, codes, labels).sum())
