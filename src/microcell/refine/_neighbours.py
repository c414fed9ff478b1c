"""The records near each record, by the shared index."""

import numpy as np

from microcell.kernels.box_queries import nearest_in_tree
from microcell.kernels.box_tree import LANES, make_box_tree
from microcell.kernels.compiled import njit
from microcell.kernels.records import sort_heap


def near_records(X, codes, n_near):
    """The `n_near` other records nearest to each, nearest first, ties to the earlier.

    Examples
    --------
    >>> from microcell.kernels.codes import no_codes
    >>> near_records(np.array([[0.0], [1.0], [5.0], [7.0]]), no_codes(1), 2)
    array([[1, 2],
           [0, 2],
           [3, 1],
           [2, 1]], dtype=int32)
    """
    near = np.empty((X.shape[0], n_near), dtype=np.int32)
    middle = X[:, : codes.n_measured].mean(axis=0)
    fill_near(make_box_tree(X, middle, codes), X, near)
    return near


@njit(cache=True, nogil=True)
def fill_near(tree, X, near):
    """Search the tree for each record."""
    n_near = near.shape[1]
    distances, rows = np.empty(n_near + 1), np.empty(n_near + 1, dtype=np.int64)
    for i in range(X.shape[0]):
        nearest_in_tree(tree, X[i], tree.place[i] // LANES, distances, rows)
        sort_heap(distances, rows)
        filled = 0
        for n in range(n_near + 1):
            # Enough records that are equal to this one may hide it.
            if rows[n] != i and filled < n_near:
                near[i, filled] = rows[n]
                filled += 1
