"""Maximum distance to average vector (MDAV)."""

import numpy as np

from microcell._progress import report
from microcell._validation import check_choice
from microcell.base import BasePartitioner
from microcell.kernels.records import join_nearest_cell, running_sum
from microcell.partition._mdav_kernel import mdav_rounds

VISITS_PER_SLICE = 20_000_000  # a fraction of a second, so that Ctrl-C is noticed


class MDAV(BasePartitioner):
    """Cells of k records around those farthest from the centroid [1]_.

    Each round takes the free record farthest from the centroid of the free records,
    and the record farthest from that one, and closes a cell of k around each, while
    3k records are free; then one cell while 2k are, and the rest is the last cell.
    All cells have k records but the last, which has k to 2k - 1.

    Columns are not rescaled: embed first. Ties go to the earlier record. The cost is
    about 3 n^2 / (4 k) distances, memory O(n d).

    Parameters
    ----------
    k : int, default=3
        Least number of records in a cell.
    leftover : {"last", "nearest"}, default="last"
        "last" is Algorithm 5.1 of [1]_. "nearest" is the variant that closes cells in
        pairs while 2k records are free; fewer than k records that are left then join
        the cell of the nearest centroid one by one, so cells may be larger than
        2k - 1.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.

    References
    ----------
    .. [1] Domingo-Ferrer and Torra (2005). Ordinal, continuous and heterogeneous
       k-anonymity through microaggregation. Data Min. Knowl. Discov. 11, 195-212.

    Examples
    --------
    >>> MDAV(k=2).fit([[0.0], [0.1], [5.0], [5.1], [5.2]]).labels_
    array([0, 0, 1, 1, 1])
    """

    def __init__(self, k=3, *, leftover="last"):
        self.k = k
        self.leftover = leftover

    def _partition(self, X, y):
        check_choice("leftover", self.leftover, ("last", "nearest"))
        n_samples, k = X.shape[0], self.k
        pairs_from = 3 * k if self.leftover == "last" else 2 * k
        free, rows = X.copy(), np.arange(n_samples)
        labels = np.full(n_samples, -1, dtype=np.int64)
        total, lost = running_sum(X)
        n_free, n_cells = n_samples, 0
        while n_free >= 2 * k:
            n_free, n_cells = mdav_rounds(
                free,
                rows,
                n_free,
                total,
                lost,
                labels,
                n_cells,
                k,
                pairs_from,
                VISITS_PER_SLICE,
            )
            report(n_samples - n_free, n_samples)
        if n_free >= k:
            labels[rows[:n_free]] = n_cells
        elif n_free > 0:
            join_nearest_cell(X, rows[:n_free], labels, n_cells)
        return labels
