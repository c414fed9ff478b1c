"""Maximum distance (MD), from which MDAV comes."""

import numpy as np

from microcell._centre import in_range
from microcell.base import BasePartitioner, Labels, Records, Target
from microcell.kernels.codes import no_codes
from microcell.kernels.distinct import distinct_records
from microcell.partition._maximum_distance_kernel import maximum_distance_rounds
from microcell.partition._rounds import Rounds, place_rest, plain_cells


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

    def _partition(self, X: Records, y: Target) -> Labels:
        X, codes = in_range(X), no_codes(X.shape[1])
        classes, first_rows = distinct_records(X)
        seen = np.full(len(first_rows), -1, dtype=np.int64)
        rounds = maximum_distance_rounds
        plan = Rounds(rounds, rounds, 2 * self.k, (classes, seen))
        return place_rest(X, self.k, codes, plain_cells(X, self.k, codes, plan))
