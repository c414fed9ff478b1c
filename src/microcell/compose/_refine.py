"""Refine: cells of another partition, changed until they lose less."""

from collections.abc import Callable
from dataclasses import replace
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from microcell._capabilities import Capabilities, capabilities_of
from microcell._random import CELLS, random_generator
from microcell._slices import take_rows
from microcell._validation import check_choice
from microcell.base import BasePartitioner, Labels, Records, Target
from microcell.bounds import loss_lower_bound
from microcell.compose._refinement import Refinement
from microcell.compose._wrapper import PartitionWrapper
from microcell.exceptions import ParameterError
from microcell.kernels.codes import Codes, with_codes
from microcell.refine import Budget, Refined, refined_labels, sum_of_squares

MOVES_PER_RECORD = 300  # of a budget that nobody has set
LONG_MOVES_PER_RECORD = 50_000  # of a long one
MAX_LONG_MOVES = 300_000_000  # a minute or two
MAX_SEARCHED_SIZE = 4  # times k: larger cells of units stay as they are


class Refine(PartitionWrapper):
    """Lower the sum of squared errors of a partition, no cell below k.

    Records move to another cell, two change places, three go round, a cell is dissolved
    and its records shared out, a new one is founded of records that others can spare:
    each move costs O(d), and cells to move to are those of records near a record. By
    simulated annealing moves are made at random, and those that raise the SSE too while
    it is warm; then every one that lowers it. The result is never worse than the start,
    and has cells of k to 2k - 1 records; with k = 1, where k is not promised, cells
    stay what they are.

    The search ends with its budget, or with Ctrl-C, which returns the best cells so
    far; a second Ctrl-C is raised. More than 20,000 records are searched in regions of
    12,000, on all cores, whose borders change 16 times; the cells do not depend on the
    number of cores. The cost is that of the moves, O(d) each, beside a search
    for records near each, of bounded work; memory is O(n d).

    Parameters
    ----------
    partition : partitioner
        The cells to begin with.
    moves : int or "long", optional
        How many moves to try, beside the descent at the end: the same cells on every
        machine. By default 300 for
        each record, unless `seconds` are given; "long" is 50,000 for each record, at
        most 300 million.
    seconds : float, optional
        How long to search, beside what the start takes. The cells depend on the speed
        of the machine then, and cannot be repeated.
    search : {"annealing", "descent", "combined"}, default="annealing"
        "descent" makes the moves that lower the SSE until there is none, or the budget
        is spent; by default there is none then. "combined" anneals
        several times, again and again from the best cells, and combines the cells that
        it met by an integer programme: the lowest losses. A table of more than 20,000
        records, or a budget below 20,000 moves for each (about 7 seconds for 1,000
        records), is annealed once. With `moves` its result is the same for the same
        version of SciPy.
    bound : {"neighbours", "columns"}, optional
        Also certify how far the loss is from that of the best partition, see
        `microcell.bounds.loss_lower_bound`: by "neighbours" in about the time that the
        search for neighbours takes, or closer by "columns", for some thousands of
        records and small k, in a time of its own; `seconds` limit that too.
    random_state : None, int, RandomState or Generator, default=0
        For the moves. The default is a number and not fresh entropy, because nothing is
        protected by these draws, and a table that is released twice should have the
        same cells.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.
    start_loss_, loss_ : float
        SSE / SST of the start and of the cells, in the geometry that they live in.
    lower_bound_ : float or None
        What no partition of these records into cells of k can lose less than.
    gap_ : float or None
        How much the loss exceeds the bound, as a share of it: the loss is at most this
        much above the least that is possible.
    is_interrupted_ : bool
        Whether somebody ended the search before its budget did.
    start_labels_ : ndarray of shape (n_samples,)
        Cell of each record before the search.
    partition_ : partitioner
        The fitted start.

    Examples
    --------
    >>> from microcell.partition import MDAV
    >>> X = [[0.0], [1.0], [1.2], [2.0], [9.0], [9.1]]
    >>> part = Refine(MDAV(k=2)).fit(X)
    >>> part.labels_
    array([1, 1, 2, 2, 0, 0])
    """

    def __init__(
        self,
        partition: BasePartitioner,
        *,
        moves: int | None = None,
        seconds: float | None = None,
        search: str = "annealing",
        bound: str | None = None,
        random_state: Any = 0,
    ) -> None:
        self.partition = partition
        self.moves = moves
        self.seconds = seconds
        self.search = search
        self.bound = bound
        self.random_state = random_state

    @property
    def capabilities(self) -> Capabilities:
        """Those of the partitioner inside, with a search; once is enough."""
        return replace(
            super().capabilities,
            refinable=False,
            searches=True,
            is_timed=self.seconds is not None,
        )

    @property
    def refinement_(self) -> Refinement:  # type: ignore[override]
        """What the search did."""
        return Refinement(
            self.start_loss_,
            self.loss_,
            self.lower_bound_,
            self.seconds is not None,
            self.is_interrupted_,
        )

    def take_share(self, share: float) -> None:
        """Let the search spend a share of its budget."""
        if self.moves not in (None, "long"):
            self.moves = max(1, int(check_moves(self.moves) * share))
        seconds = check_seconds(self.seconds)
        self.seconds = None if seconds is None else seconds * share
        super().take_share(share)

    def take_rows(self, rows: np.ndarray) -> Self:
        """The same search for a part of the records."""
        part = clone(self)
        part.partition = take_rows(self.partition, rows)
        return part

    def _partition(self, X: Records, y: Target) -> Labels:
        check_nothing_to_keep(self.partition)
        return self.improved(X, lambda: clone(self.partition).fit(X, y))

    def improved(
        self,
        X: Records,
        begin: Callable[[], BasePartitioner],
        units: np.ndarray | None = None,
    ) -> Labels:
        """Better cells than those of a partitioner.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
        begin : callable
            Returns it, fitted.
        units : ndarray of shape (n_samples,), optional
            Whose each record is, as whole numbers: cells have k units, and keep them.
        """
        check_choice("search", self.search, ("annealing", "descent", "combined"))
        check_choice("bound", self.bound, (None, "neighbours", "columns"))
        rng = random_generator(self.random_state, CELLS)
        moves = self._moves(X.shape[0])
        seconds = check_seconds(self.seconds)
        start = self.partition_ = begin()
        table, codes = with_codes(X, self.categorical_features, self.mismatch_units)
        bound = None if self.bound is None else self._bound(X, "neighbours")
        found = _refined(
            table,
            codes,
            start.labels_,
            self.k,
            Budget(moves, seconds),
            int(rng.integers(2**62)),
            way=self.search,
            bound=bound,
            units=units,
        )
        if self.bound == "columns" and not found.is_interrupted:
            closer = {"labels": found.labels, "seconds": self.seconds}
            bound = max(bound or 0.0, self._bound(X, "columns", **closer))
        self.start_labels_ = start.labels_
        self.start_loss_, self.loss_ = found.start_loss, found.loss
        self.is_interrupted_ = found.is_interrupted
        self.lower_bound_ = bound
        self.gap_ = max(0.0, self.loss_ / bound - 1.0) if bound else None
        return found.labels

    def _bound(self, X: np.ndarray, method: str, **closer: Any) -> float:
        coded, units = self.categorical_features, self.mismatch_units
        nominal = () if coded is None else np.arange(X.shape[1])[coded].tolist()
        return loss_lower_bound(
            X, self.k, nominal=nominal, units=units, method=method, **closer
        )

    def _moves(self, n_samples: int) -> int | None:
        if isinstance(self.moves, str) and self.moves == "long":
            return min(LONG_MOVES_PER_RECORD * n_samples, MAX_LONG_MOVES)
        if self.moves is not None:
            return check_moves(self.moves)
        if self.seconds is None and self.search != "descent":
            return MOVES_PER_RECORD * n_samples
        return None


def _refined(
    X: np.ndarray,
    codes: Codes,
    labels: np.ndarray,
    k: int,
    *how: Any,
    units: np.ndarray | None,
    **more: Any,
) -> Refined:
    """What a search finds; where k counts units, the largest cells stay as they are."""
    if units is None:
        return refined_labels(X, codes, labels, k, *how, **more)
    rows = np.flatnonzero(np.bincount(labels)[labels] <= MAX_SEARCHED_SIZE * k)
    better, is_interrupted = labels, False
    if rows.size:
        found = refined_labels(
            X[rows], codes, labels[rows], k, *how, units=units[rows], **more
        )
        better, is_interrupted = labels + len(labels), found.is_interrupted
        better[rows] = found.labels
    total = sum_of_squares(X, codes, np.zeros_like(labels))
    share = 1.0 / total if total > 0 else 0.0
    better = np.unique(better, return_inverse=True)[1]
    start, end = (share * sum_of_squares(X, codes, each) for each in (labels, better))
    return Refined(better, start, min(start, end), is_interrupted)


def check_nothing_to_keep(partition: BasePartitioner) -> None:
    """Refuse cells that keep to more than k: a search of records would not."""
    if capabilities_of(partition).keeps_more:
        raise ParameterError(
            "partition",
            "must not keep to more than k (units, strata, promises), for records "
            f"change cells one by one. Got {type(partition).__name__} instead; put it "
            "outside, as in ByUnit(Refine(MDAV(3)), units=units).",
        )


def check_moves(moves: Any) -> int:
    """A number of moves, above zero."""
    is_number = isinstance(moves, Real) and not isinstance(moves, bool)
    if not is_number or moves != moves // 1 or not moves >= 1:
        raise ParameterError(
            "moves",
            f"must be a whole number above 0, or 'long'. Got {moves!r} instead.",
        )
    return int(moves)


def check_seconds(seconds: Any) -> float | None:
    """A number of seconds above zero, or None."""
    if seconds is None:
        return None
    is_number = isinstance(seconds, Real) and not isinstance(seconds, bool)
    if not is_number or not 0 < seconds < float("inf"):
        raise ParameterError(
            "seconds", f"must be a number above 0. Got {seconds!r} instead."
        )
    return float(seconds)  # another kind of number would compile anew
