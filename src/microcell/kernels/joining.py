"""Cells that join others, in rounds: arrays in, arrays out, no checks."""

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.records import add_to_sum


@njit(cache=True, nogil=True)
def join_in_turn(cells, places, first, near, sizes, holds, most):
    """The cell that each cell is in after a round; itself if it joins none.

    Parameters
    ----------
    cells : ndarray of int
        Cells that fail.
    places : ndarray of int
        The order in which they have their turn.
    first, near : ndarray
        Cells near to each of them, nearest first, from first[i] to first[i + 1].
    sizes, holds : ndarray of shape (n_cells,)
    most : float
        Records that a cell takes in with one turn, as a share of its own, if they come
        from more than one cell.
    """
    into = np.arange(sizes.shape[0])
    took_part = np.zeros(sizes.shape[0], dtype=np.bool_)
    for place in places:
        cell, nearest = cells[place], near[first[place]]
        if took_part[cell] or (took_part[nearest] and not holds[nearest]):
            continue
        into[cell] = into[nearest]
        took_part[cell] = took_part[nearest] = True
        room = most * sizes[cell] - sizes[nearest]
        for other in near[first[place] + 1 : first[place + 1]]:
            room -= sizes[other]
            if room < 0:
                break
            if not took_part[other]:
                into[other] = into[nearest]
                took_part[other] = True
    return into


@njit(cache=True, nogil=True)
def joined_sums(total, lost, new, n_new):
    """Sums of the new cells that old cells are joined into."""
    new_total = np.zeros((n_new, total.shape[1]))
    new_lost = np.zeros_like(new_total)
    for old in range(new.shape[0]):
        cell = new[old]
        add_to_sum(new_total[cell], new_lost[cell], total[old], 1.0)
        for j in range(total.shape[1]):
            new_lost[cell, j] += lost[old, j]
    return new_total, new_lost
