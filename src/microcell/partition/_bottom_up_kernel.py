"""Inner loop of bottom-up cells: arrays in, arrays out, no checks, draws given."""

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.records import nearest_and_farthest, remove


@njit(cache=True, nogil=True)
def bottom_up_cells(free, rows, n_free, turns, labels, n_cells, k, visits, codes):
    """Close cells around records in the order of `turns`, at most `visits` looks.

    Parameters
    ----------
    free, rows : ndarray of n rows
        IN, OUT: records without a cell in the first `n_free` rows, in the order of the
        table, and which record each is.
    turns : ndarray of shape (n_samples,)
        The free record with the lowest number is the next to be drawn.
    labels : ndarray of shape (n_samples,)
        OUT: cell of each record that has one.
    codes : Codes
        Which columns hold codes: none.

    Returns
    -------
    n_free, n_cells : int
    """
    cell, distances = np.empty(k, dtype=np.int64), np.empty(k)
    while n_free >= k and visits > 0:
        visits -= n_free
        drawn = 0
        for i in range(n_free):
            if turns[rows[i]] < turns[rows[drawn]]:
                drawn = i
        nearest_and_farthest(free, n_free, drawn, cell, distances, codes)
        for i in cell:
            labels[rows[i]] = n_cells
        n_cells += 1
        n_free = remove(free, rows, n_free, cell)
    return n_free, n_cells
