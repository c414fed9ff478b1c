"""The nearest other records of some records, ties to the earlier one."""

import numpy as np

from microcell.kernels.box_queries import nearest_in_tree
from microcell.kernels.box_tree import LANES, NO_ROW, make_box_tree
from microcell.kernels.compiled import njit
from microcell.kernels.records import sort_heap
from microcell.kernels.threads import in_slices

QUERIES_AT_ONCE = 1024  # of a thread


def nearest_others(X, rows):
    """Nearest other record of each of some rows, and the squared distance to it.

    A search through a tree of boxes: near n log n in few columns, n for each of the
    rows at worst.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        At least two records.
    rows : ndarray of int
        The rows to look from.

    Returns
    -------
    nearest : ndarray of shape (n_rows,)
    distances : ndarray of shape (n_rows,)

    Examples
    --------
    >>> nearest_others(np.array([[0.0], [1.0], [2.0], [7.0]]), np.array([1, 3]))
    (array([0, 2]), array([ 1., 25.]))
    """
    tree = make_box_tree(X, X.mean(axis=0))
    nearest = np.empty(len(rows), dtype=np.int64)
    distances = np.empty(len(rows))

    def search(some):
        nearest_beside(tree, X, rows[some], nearest[some], distances[some])

    in_slices(search, len(rows), QUERIES_AT_ONCE)
    return nearest, distances


@njit(cache=True, nogil=True)
def nearest_beside(tree, X, rows, nearest, distances):
    """Fill `nearest` and `distances` for each of the rows."""
    near, near_rows = np.empty(2), np.empty(2, dtype=np.int64)
    for i in range(rows.shape[0]):
        row = rows[i]
        nearest_in_tree(tree, X[row], tree.place[row] // LANES, near, near_rows)
        # The heap's top is the farther; the row itself is one of the two unless two
        # earlier ones are equal to it.
        at = 0 if near_rows[1] == row else 1
        nearest[i], distances[i] = near_rows[at], near[at]


@njit(cache=True, nogil=True)
def fill_near(tree, X, rows_of, near, most_visits=NO_ROW):
    """Fill the nearest other records of some records, the nearest first."""
    n_near = near.shape[1]
    distances, rows = np.empty(n_near + 1), np.empty(n_near + 1, dtype=np.int64)
    for at in range(near.shape[0]):
        i = rows_of[at]
        leaf = tree.place[i] // LANES
        nearest_in_tree(tree, X[i], leaf, distances, rows, most_visits)
        sort_heap(distances, rows)
        filled = 0
        for n in range(n_near + 1):
            # Enough records that are equal to this one may hide it.
            if rows[n] != i and filled < n_near:
                near[at, filled] = rows[n]
                filled += 1
