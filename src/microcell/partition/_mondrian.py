"""Mondrian: cuts at the median of the widest column."""

import numpy as np

from microcell._progress import report
from microcell._validation import check_choice
from microcell.base import BasePartitioner, Labels, Records, Target
from microcell.partition._mondrian_kernel import Cuts, mondrian_cells

WIDTHS = ("relative", "absolute")
VALUES_PER_SLICE = 50_000_000  # a fraction of a second, so that Ctrl-C is noticed


class Mondrian(BasePartitioner):
    """Cells that come from cutting the table in two again and again [1]_.

    A part is cut at the median of the column that is widest in it, relative to the
    column's width in the whole table; if that leaves fewer than k records on a side,
    at the next widest. A part that no column can cut is a cell.

    The median is the smallest value that half of the part's records (rounded down) do
    not exceed. Widths that differ by less than one part in 10^9 are equal, and the
    first of equal columns is cut: relative widths often are equal, and their rounding,
    which depends on the unit of measurement, decides nothing. The cost is
    O(d n log(n / k)), memory O(n d).

    Parameters
    ----------
    k : int, default=3
        Least number of records in a cell.
    mode : {"strict", "relaxed"}, default="strict"
        "strict" puts all records at the median into the lower part, so cells do not
        overlap. "relaxed" deals them out, in the order of the table, to make the parts
        equal: cells have at most 2k - 1 records, or more only if all are identical.
    widths : {"relative", "absolute"}, default="relative"
        "relative" divides the width of a column by that in the whole table, as
        published, so that no scale of the columns changes the cells. "absolute" does
        not: a column that an embedding stretches is cut more often.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.

    References
    ----------
    .. [1] LeFevre, DeWitt and Ramakrishnan (2006). Mondrian multidimensional
       k-anonymity. ICDE 2006.

    Examples
    --------
    >>> X = [[1, 0], [2, 0], [3, 0], [7, 0], [8, 1], [9, 1]]
    >>> Mondrian(k=2).fit(X).labels_
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self, k: int = 3, *, mode: str = "strict", widths: str = "relative"
    ) -> None:
        self.k = k
        self.mode = mode
        self.widths = widths

    @property
    def scale_free(self) -> bool:  # type: ignore[override]
        """Whether no scale of the columns changes the cells."""
        return self.widths == "relative"

    def _partition(self, X: Records, y: Target) -> Labels:
        relaxed = check_choice("mode", self.mode, ("strict", "relaxed")) == "relaxed"
        absolute = check_choice("widths", self.widths, WIDTHS) == "absolute"
        spans = np.ptp(X, axis=0)
        if absolute:
            spans = np.where(spans > 0, 1.0, 0.0)
        n_samples = X.shape[0]
        rows = np.arange(n_samples)
        labels = np.full(n_samples, -1, dtype=np.int64)
        stack = np.empty((n_samples // self.k + 2, 2), dtype=np.int64)
        stack[0] = 0, n_samples
        cuts = Cuts(X, spans, rows, stack, labels, relaxed, self.k)
        depth, n_cells, n_done = 1, 0, 0
        while depth > 0:
            depth, n_cells, newly_done = mondrian_cells(
                cuts, depth, n_cells, VALUES_PER_SLICE
            )
            n_done += newly_done
            report(n_done, n_samples)
        return labels
