"""Maximum distance (MD), from which MDAV comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microcell._centre import in_range
from microcell._progress import report
from microcell.base import BasePartitioner
from microcell.kernels.codes import no_codes
from microcell.kernels.distinct import distinct_records
from microcell.kernels.records import VISITS_PER_SLICE, join_nearest_cell
from microcell.partition._maximum_distance_kernel import maximum_distance_rounds

if TYPE_CHECKING:
    from microcell.base import Labels, Records, Target


class MaximumDistance(BasePartitioner):
    """Two cells of k at a time around the two records farthest apart (MD) [1]_.

    While 2k records are free, the two farthest apart each close a cell with their k - 1
    nearest free ones. Of the rest, k or more are a cell; fewer join the cell of the
    nearest centroid one by one.

    Loss in percent, from this code; figures of the paper are not known to us:

    ====== ====== ====== ====== =======
    table  k = 3  4      5      10
    ====== ====== ====== ====== =======
    Census 5.7210 7.6374 9.0065 14.3965
    EIA    0.4723 0.7719 1.6694 3.7141
    ====== ====== ====== ====== =======

    Columns are not rescaled: embed first. Ties go to the earlier records. Each round
    looks for the farthest pair anew, in a few scans as a rule: n^2 / k times a small
    number, and n^3 / k at worst. Memory O(n d).

    Parameters
    ----------
    k : int, default=3
        Least number of records in a cell.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.

    References
    ----------
    .. [1] Domingo-Ferrer and Mateo-Sanz (2002). Practical data-oriented
       microaggregation for statistical disclosure control. IEEE Trans. Knowl. Data
       Eng. 14, 189-201.

    Examples
    --------
    >>> MaximumDistance(k=2).fit([[0.0], [0.1], [5.0], [9.0], [9.1]]).labels_
    array([0, 0, 1, 1, 1])
    """

    def __init__(self, k: int = 3) -> None:
        self.k = k

    def _partition(self, X: Records, y: Target) -> Labels:
        return maximum_distance_labels(in_range(X), self.k)


def maximum_distance_labels(X: np.ndarray, k: int) -> np.ndarray:
    """Cells of the part, for whoever has checked the table."""
    n_samples = n_free = X.shape[0]
    free, rows = X.copy(), np.arange(n_samples)
    classes, first_rows = distinct_records(X)
    seen = np.full(len(first_rows), -1, dtype=np.int64)
    labels = np.full(n_samples, -1, dtype=np.int64)
    codes, n_cells = no_codes(X.shape[1]), 0
    while n_free >= 2 * k:
        n_free, n_cells = maximum_distance_rounds(
            free,
            rows,
            n_free,
            classes,
            seen,
            n_cells,
            k,
            codes,
            labels,
            VISITS_PER_SLICE,
        )
        report(n_samples - n_free, n_samples)
    if n_free >= k:
        labels[rows[:n_free]] = n_cells
    elif n_free > 0:
        join_nearest_cell(X, rows[:n_free], labels, n_cells)
    return labels
