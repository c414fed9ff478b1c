"""Medoid: the record of a cell that is nearest to its mean."""

import numpy as np

from microcell.aggregate._centroid import cell_means
from microcell.aggregate._set import WithCodes
from microcell.base import Labels, Records


class Medoid(WithCodes):
    """Release one record of each cell, the nearest to the cell's mean, as it is.

    Columns count on a common scale, divided by their standard deviation over the
    table; in a column of codes a record is as far from the cell as the share of the
    cell's records with another code. Ties go to the earlier record.

    What is released is the record of a real person, whole.

    Parameters
    ----------
    nominal : sequence of int, default=()
        Columns that hold codes without an order.

    Examples
    --------
    >>> X = [[1.0, 7.0], [2.0, 5.0], [2.5, 7.0], [9.0, 5.0]]
    >>> Medoid(nominal=[1]).aggregate(X, [0, 0, 0, 0])[0]
    array([2.5, 7. ])
    """

    def _aggregate(self, X: Records, labels: Labels) -> Records:
        distances = np.zeros(X.shape[0])
        for j, column in enumerate(X.T):
            if j in self.nominal:
                distances += mismatch_shares(column, labels)
                continue
            spread = column.std()
            if spread > 0 and np.isfinite(spread):
                middles = cell_means(column[:, None], labels)[labels, 0]
                distances += ((column - middles) / spread) ** 2
        order = np.lexsort((distances, labels))  # stable: the earlier record first
        sizes = np.bincount(labels)
        return X[order[np.cumsum(sizes) - sizes]][labels]


def mismatch_shares(codes: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Share of its cell's records whose code is another, shape (n_samples,).

    Examples
    --------
    >>> mismatch_shares(np.array([4.0, 4.0, 6.0, 4.0]), np.array([0, 0, 0, 1]))
    array([0.333..., 0.333..., 0.666..., 0.        ])
    """
    values, places = np.unique(codes, return_inverse=True)
    pairs = labels * values.size + places
    _, which, counts = np.unique(pairs, return_inverse=True, return_counts=True)
    sizes = np.bincount(labels)[labels]
    return (sizes - counts[which]) / sizes
