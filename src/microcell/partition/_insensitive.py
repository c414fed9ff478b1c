"""Insensitive cells: replacing one record changes each cell by one record at most."""

import numpy as np

from microcell.base import BasePartitioner, Labels, Records, Target
from microcell.partition._insensitive_kernel import insensitive_labels


class Insensitive(BasePartitioner):
    """Cells of k around the corners of the unit box, alternately far ones [1]_.

    While 2k or more records are left, the k nearest to the next corner are a cell. The
    corners do not depend on the table, and a record's place in the order of a corner
    depends on the record alone, ties being broken by its values. So, if one record of
    the table is replaced, the records that are left differ in one record at each step,
    and so does each cell: that is what noise for differential privacy is scaled to.

    Columns are expected between 0 and 1, brought there by bounds that are not computed
    from the table. The cost is O(d n (d + log n)), memory O(n d).

    Parameters
    ----------
    k : int, default=3
        Least number of records in a cell; there are n // k cells.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record, in the order in which cells are made.
    n_cells_ : int
        Number of cells.

    References
    ----------
    .. [1] Soria-Comas, Domingo-Ferrer, Sanchez and Martinez (2014). Enhancing data
       utility in differential privacy via microaggregation-based k-anonymity. VLDB
       Journal 23, 771-794.

    Examples
    --------
    >>> Insensitive(k=2).fit([[0.0], [0.9], [0.2], [0.5], [1.0]]).labels_
    array([0, 1, 0, 1, 1])
    """

    refinable = False  # one record would change many cells

    def _partition(self, X: Records, y: Target) -> Labels:
        orders = np.array([_order(X, corner) for corner in corners(X.shape[1])])
        return insensitive_labels(orders, self.k)


def corners(n_features: int) -> np.ndarray:
    """Reference points: corners of the unit box, each followed by the one opposite.

    The pair of the lowest and the highest corner comes first, then those with one
    column flipped: all corners of up to three columns, 2d + 2 of more.

    Examples
    --------
    >>> corners(2)
    array([[0., 0.],
           [1., 1.],
           [1., 0.],
           [0., 1.]])
    """
    n_pairs = min(2 ** (n_features - 1), n_features + 1)
    first = np.eye(n_pairs, n_features, k=-1)
    return np.stack([first, 1 - first], axis=1).reshape(-1, n_features)


def _order(X: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """Records by distance from a corner and then by their values, column by column.

    Each distance is made of one record in the same steps, so that equal records tie.
    """
    distance = np.zeros(X.shape[0])
    for values, place in zip(X.T, corner, strict=True):
        distance += (values - place) ** 2
    return np.lexsort([*X.T[::-1], distance])
