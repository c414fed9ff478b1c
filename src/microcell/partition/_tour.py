"""Tour: the best cut of a short tour through all records."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from microcell._centre import centred, in_range
from microcell._progress import listen, report
from microcell._validation import check_choice, check_count
from microcell.base import BasePartitioner, Labels, Records, Target
from microcell.exceptions import ParameterError
from microcell.kernels.box_changes import BOXES_PER_SLICE
from microcell.kernels.box_tree import make_box_tree
from microcell.kernels.nearest_others import fill_near
from microcell.partition._optimal_univariate import cut_order
from microcell.partition._tour_kernel import (
    TourInProgress,
    curve_order,
    kick,
    nearest_next,
    shorten,
)

LISTED = 16  # records that edges of the tour may lead to
KICKS = 8
BENDS = (0, 1, 2)  # distances to the power of 1/2, 1 and 3/2
OPENINGS = 19  # places at which a tour is opened: all that matter for k up to 10
MAX_FLIPPED_RECORDS = 50_000  # records that are reversed at once
FLIPS_KEPT = 1_000
TURNS_PER_SLICE = 100_000  # a fraction of a second, so that Ctrl-C is noticed
KICKS_PER_SLICE = 10_000
MIN_TOUR_RECORDS = 8  # records
FIRST_STATE = 88_172_645_463_325_252  # of a sequence that is the same for all tables


class Tour(BasePartitioner):
    """Cells of consecutive records of a short tour, cut in the best way.

    Heuristics for short tours serve microaggregation well [1]_. The tour begins with a
    curve that fills one half of the widest column before the other, and so on, and is
    made shorter: two edges are exchanged for two others, one to three records move
    elsewhere (2-opt and or-opt, among the 16 nearest of each record). Then two short
    runs of it are swapped, repaired, and put back if it is not shorter: in `kicks`
    rounds, as often in each as there are records. The tour is opened and cut into cells
    of k to 2k - 1 records with the least SSE by dynamic programming [2]_.

    A cell needs records that are near in the square, a tour may take any detour between
    cells; so there are three tours, for distances to the power of 1/2, 1 and 3/2. Each
    is cut after each round, and the cut with the least SSE is taken. A circle has a
    cell's border at one of any 2k - 1 consecutive places: it is opened at each of them
    up to k = 10, and at 19 of them beyond.

    Loss in percent:

    ====== ================= ====== ====== ======= =======
    table                    k = 3  4      5       10
    ====== ================= ====== ====== ======= =======
    Census here              5.0115 6.7753 8.2615  14.2465
    .      "nearest", here   6.2106 8.9586 11.0541 20.2272
    .      NPN-MHM, recalled 6.3498        11.3443 18.7335
    EIA    here              0.3655 0.5070 0.7717  2.0544
    .      "nearest", here   0.4994 0.6872 0.9990  2.4931
    .      NPN-MHM, recalled 0.5525        0.9602  2.3188
    ====== ================= ====== ====== ======= =======

    The papers were not at hand: the tours of [1]_ are others, whose figures are not
    known to us, and where the path of [2]_ begins is our reading.

    Columns are not rescaled: embed first. The same table gives the same cells: the
    places to kick are a fixed sequence. There are 3 n kicks for each round; one takes
    20 to 50 microseconds for 1,000 to 10,000 records, and more for more, as runs of the
    tour are turned round. A cut is O(n k d) for each opening. Memory O(n d).

    Parameters
    ----------
    k : int, default=3
        Least number of records in a cell.
    order : {"tour", "nearest", "curve"}, default="tour"
        "nearest" goes from the record farthest from the centroid to the nearest that is
        left, and so on: NPN-MHM of [2]_. "curve" cuts the curve as it is: near n log n,
        for tables of few columns that are too large for a tour, and much worse in many
        columns. Both are opened at their ends alone.
    kicks : int, optional
        Rounds of n kicks of a tour, 8 by default; with 0 it is that of the first
        descent.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record, numbered along the tour.
    n_cells_ : int
        Number of cells.

    References
    ----------
    .. [1] Heaton and Mukherjee (2011). Record ordering heuristics for disclosure
       control through microaggregation.
    .. [2] Domingo-Ferrer, Martinez-Balleste, Mateo-Sanz and Sebe (2006). Efficient
       multivariate data-oriented microaggregation. VLDB Journal 15, 355-369.

    Examples
    --------
    >>> X = [[0, 0], [9, 9], [1, 0], [9, 8], [0, 1], [8, 9]]
    >>> Tour(k=3).fit(X).labels_
    array([0, 1, 0, 1, 0, 1])
    """

    def __init__(
        self, k: int = 3, *, order: str = "tour", kicks: int | None = None
    ) -> None:
        self.k = k
        self.order = order
        self.kicks = kicks

    def _partition(self, X: Records, y: Target) -> Labels:
        check_choice("order", self.order, ("tour", "nearest", "curve"))
        kicks = KICKS if self.kicks is None else check_count(self.kicks, 0, "kicks")
        if self.kicks is not None and self.order != "tour":
            raise ParameterError(
                "kicks",
                f"is of order='tour' alone. Got order={self.order!r}: leave it out.",
            )
        X = in_range(X)
        if self.order == "nearest":
            gaps = np.sum(centred(X) ** 2, axis=1)
            return cut_order(X, nearest_path(X, int(np.argmax(gaps))), self.k)[0]
        curve = curve_order(X)
        if self.order == "curve":
            return cut_order(X, curve, self.k)[0]
        return best_tour_cut(X, tours(X, curve, kicks), self.k)


def tours(X: np.ndarray, curve: Any, kicks: Any) -> Iterator[Any]:
    """Short tours that begin as a curve, for each way to measure an edge."""
    n_samples = X.shape[0]
    if n_samples < MIN_TOUR_RECORDS:
        yield curve
        return
    lists = nearest_lists(X, min(LISTED, n_samples - 1))
    total = len(BENDS) * (kicks + 1)
    for number, bend in enumerate(BENDS):
        run = start_tour(X, lists, curve, bend)
        while run.waiting[1] > 0:
            shorten(run, TURNS_PER_SLICE, False)
            report(number * (kicks + 1) * n_samples, total * n_samples)
        yield run.tour
        for times in range(kicks):
            for start in range(0, n_samples, KICKS_PER_SLICE):
                stop = min(start + KICKS_PER_SLICE, n_samples)
                kick(run, stop - start)
                done = (number * (kicks + 1) + times + 1) * n_samples + stop
                report(done, total * n_samples)
            yield run.tour


def nearest_lists(X: np.ndarray, n_near: Any) -> Any:
    """The nearest other records of each, the nearest first."""
    n_samples = X.shape[0]
    tree = make_box_tree(X, X.mean(axis=0))
    rows, lists = np.arange(n_samples), np.empty((n_samples, n_near), dtype=np.int32)
    for start in range(0, n_samples, KICKS_PER_SLICE):
        some = slice(start, start + KICKS_PER_SLICE)
        fill_near(tree, X, rows[some], lists[some])
        report(0, n_samples, "looking for neighbours")
    return lists


def start_tour(X: np.ndarray, lists: Any, order: np.ndarray, bend: Any) -> Any:
    """A tour in progress at its beginning; all records wait to be looked at."""
    n_samples = X.shape[0]
    place = np.empty(n_samples, dtype=np.int64)
    place[order] = np.arange(n_samples)
    return TourInProgress(
        X,
        lists,
        order.copy(),
        place,
        order.copy(),
        np.ones(n_samples, dtype=np.bool_),
        np.array([0, n_samples]),
        np.empty((FLIPS_KEPT, 2), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.empty(6, dtype=np.int64),
        np.zeros(1),
        bend,
        MAX_FLIPPED_RECORDS,
        np.array([FIRST_STATE], dtype=np.uint64),
    )


def best_tour_cut(X: np.ndarray, circles: Any, k: int) -> Any:
    """Labels of the best cut of several tours, each opened at several places."""
    least, best = np.inf, np.zeros(X.shape[0], dtype=np.int64)
    places = min(2 * k - 1, X.shape[0])
    step = -(-places // OPENINGS)
    for circle in circles:
        for opening in range(0, places, step):
            with listen(None):  # it has been reported along the tours
                labels, sse = cut_order(X, np.roll(circle, -opening), k)
            if sse < least:
                least, best = sse, labels
    return best


def nearest_path(X: np.ndarray, start: int) -> np.ndarray:
    """Rows from `start` on, the nearest that is left next."""
    order, done = np.empty(len(X), dtype=np.int64), 0
    tree = make_box_tree(X, X.mean(axis=0))
    order[0] = start
    while done < len(X):
        done = nearest_next(tree, X, order, done, BOXES_PER_SLICE)
        report(done, len(X), "lining up")
    return order
