"""Bottom-up cells around records drawn at random."""

from typing import Any

import numpy as np

from microcell._progress import part_of
from microcell._random import CELLS, random_generator
from microcell.base import BasePartitioner, Labels, Records, Target
from microcell.kernels.codes import no_codes
from microcell.kernels.records import join_nearest_cell
from microcell.partition._coarse_parts import kmeans_parts, number_of_parts
from microcell.partition._rounds import closed_cells, place_rest
from microcell.partition._vmdav import rounds_in_turn


class BottomUp(BasePartitioner):
    """Cells of a record drawn at random and its k - 1 nearest, as in [1]_.

    The table is divided into `c` parts by k-means++. While a part has k free records,
    one of them is drawn and closes a cell with the k - 1 nearest free ones of its part.
    What is left of a part joins the cells of the part whose centroids are nearest; the
    records of a part below k join cells of the whole table. So cells have at least k
    records, and may have more than 2k - 1.

    The paper was known to us through another that compares with it; it says no more
    than the above. Columns are not rescaled: embed first. Among records at the same
    distance the earlier ones are taken. The cost is n^2 / (2 k c) distances for parts
    of the same size, memory O(n d).

    Parameters
    ----------
    k : int, default=3
        Least number of records in a cell.
    c : int, optional
        Parts to begin with; at most n // k are made. By default one for each 5,000
        records.
    random_state : None, int, RandomState or Generator, optional
        For k-means++ and for the draws.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.

    References
    ----------
    .. [1] Song, Ma, Tian and Al-Rodhaan (2019). A new method of privacy protection:
       random k-anonymous. IEEE Access 7, 75434-75445.

    Examples
    --------
    >>> X = [[0.0], [0.1], [5.0], [5.1], [5.2]]
    >>> sorted(np.bincount(BottomUp(k=2, random_state=0).fit_predict(X)).tolist())
    [2, 3]
    """

    def __init__(
        self, k: int = 3, c: int | None = None, *, random_state: Any = None
    ) -> None:
        self.k = k
        self.c = c
        self.random_state = random_state

    def _partition(self, X: Records, y: Target) -> Labels:
        rng = random_generator(self.random_state, CELLS)
        n_parts = number_of_parts(self.c, X.shape[0], self.k)
        parts = kmeans_parts(X, n_parts, rng)
        return bottom_up_labels(X, parts, self.k, rng.permutation(X.shape[0]))


def bottom_up_labels(
    X: np.ndarray, parts: np.ndarray, k: int, turns: np.ndarray
) -> np.ndarray:
    """Close cells inside each part.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    parts : ndarray of shape (n_samples,)
        Part of each record; at least one part has `k` records.
    k : int
    turns : ndarray of shape (n_samples,)
        When each record is drawn, unless it has a cell by then.

    Returns
    -------
    labels : ndarray of shape (n_samples,)
    """
    n_samples, n_cells, n_done = X.shape[0], 0, 0
    codes = no_codes(X.shape[1])
    labels = np.full(n_samples, -1, dtype=np.int64)
    order = np.argsort(parts, kind="stable")
    for members in np.split(order, np.cumsum(np.bincount(parts))[:-1]):
        if len(members) < k:
            continue
        with part_of(n_done, n_samples):
            part = X[members]
            rounds = rounds_in_turn(np.argsort(turns[members]), k, gamma=0.0)
            own = place_rest(part, k, codes, closed_cells(part, k, codes, rounds))
        labels[members] = own + n_cells
        n_cells += int(own.max()) + 1
        n_done += len(members)
    left = np.flatnonzero(labels < 0)
    if len(left) > 0:
        join_nearest_cell(X, left, labels, n_cells)
    return labels
