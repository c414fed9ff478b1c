"""Inner loop of TFRP: arrays in, arrays out, no checks."""

import numpy as np

from microcell.kernels.box_changes import hide_from_tree
from microcell.kernels.box_queries import nearest_in_tree
from microcell.kernels.box_tree import LANES, shrink_boxes
from microcell.kernels.compiled import njit


@njit(cache=True, nogil=True)
def tfrp_rounds(tree, X, orders, at, turn, n_free, n_cells, k, labels, visits):
    """Close cells until fewer than k records are free or `visits` are spent.

    Parameters
    ----------
    tree : BoxTree
        IN, OUT: the free records.
    orders : ndarray of shape (2, n_samples)
        Rows in the order in which they begin a cell, for each reference point.
    at : ndarray of shape (2,)
        IN, OUT: how far each order is used up.
    turn : int
        Which of the two is next.

    Returns
    -------
    turn, n_free, n_cells : int
    """
    near, near_rows = np.empty(k - 1), np.empty(k - 1, dtype=np.int32)
    while n_free >= k and visits > 0:
        while labels[orders[turn, at[turn]]] >= 0:
            at[turn] += 1
        row = orders[turn, at[turn]]
        leaf = tree.place[row] // LANES
        hide_from_tree(tree, row)
        labels[row] = n_cells
        if k > 1:
            visits -= nearest_in_tree(tree, X[row], leaf, near, near_rows)
        for other in near_rows:
            hide_from_tree(tree, other)
            labels[other] = n_cells
        shrink_boxes(tree, leaf)
        for other in near_rows:
            shrink_boxes(tree, tree.place[other] // LANES)
        visits -= 1
        n_free -= k
        n_cells += 1
        turn = 1 - turn
    return turn, n_free, n_cells
