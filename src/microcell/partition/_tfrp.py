"""Two fixed reference points (TFRP)."""

import numpy as np

from microcell._centre import in_range
from microcell._progress import report
from microcell.base import BasePartitioner, Labels, Records, Target
from microcell.kernels.box_changes import BOXES_PER_SLICE
from microcell.kernels.box_tree import make_box_tree
from microcell.kernels.codes import distances_to_centre, no_codes
from microcell.kernels.records import join_nearest_cell
from microcell.partition._tfrp_kernel import tfrp_rounds


class TFRP(BasePartitioner):
    """Cells of k around the records farthest from two points that stay [1]_.

    The points are the least and the greatest value of each column. In turns, the free
    record farthest from the one and from the other closes a cell with its k - 1 nearest
    free ones, while k records are free; those that are left join the cell of the
    nearest centroid one by one. This is TFRP-1; TFRP-2, which loses less, is
    ``DissolveAndSplit(TFRP(k))``.

    The paper was not at hand, and our reading of it has other figures than those that
    we recall. Loss in percent:

    ====== ================ ====== ====== ====== =======
    table                   k = 3  4      5      10
    ====== ================ ====== ====== ====== =======
    Census TFRP-1, here     5.965  7.944  9.268  14.463
    .      TFRP-1, recalled 5.931  7.880  9.357  14.442
    .      TFRP-2, here     5.804  7.646  8.980  13.975
    .      TFRP-2, recalled 5.803  7.638  8.980  13.959
    EIA    TFRP-1, here     0.513  0.680  1.769  3.547
    .      TFRP-1, recalled 0.530  0.661  1.651  3.242
    .      TFRP-2, here     0.414  0.588  0.958  2.650
    .      TFRP-2, recalled 0.428  0.599  0.910  2.590
    ====== ================ ====== ====== ====== =======

    Columns are not rescaled: embed first. Ties go to the earlier record. Two sorts, and
    a search through a tree of boxes for each cell: near n log n in few columns, n^2 / k
    at worst. Memory O(n d).

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
    .. [1] Chang, Li and Huang (2007). TFRP: An efficient microaggregation algorithm for
       statistical disclosure control. J. Syst. Softw. 80, 1866-1878.

    Examples
    --------
    >>> TFRP(k=2).fit([[0.0], [0.1], [5.0], [9.0], [9.1]]).labels_
    array([1, 1, 0, 0, 0])
    """

    def _partition(self, X: Records, y: Target) -> Labels:
        X, k, n_samples = in_range(X), self.k, X.shape[0]
        codes = no_codes(X.shape[1])
        corners = X.min(axis=0), X.max(axis=0)
        gaps = [distances_to_centre(X, corner, codes) for corner in corners]
        orders = np.array([np.argsort(-gap, kind="stable") for gap in gaps])
        tree = make_box_tree(X, X.mean(axis=0))
        labels = np.full(n_samples, -1, dtype=np.int64)
        at, turn, n_free, n_cells = np.zeros(2, dtype=np.int64), 0, n_samples, 0
        while n_free >= k:
            turn, n_free, n_cells = tfrp_rounds(
                tree, X, orders, at, turn, n_free, n_cells, k, labels, BOXES_PER_SLICE
            )
            report(n_samples - n_free, n_samples)
        left = np.flatnonzero(labels < 0)
        if left.size:
            join_nearest_cell(X, left, labels, n_cells)
        return labels
