"""What cells have, and what they have together: arrays in, arrays out, no checks."""

from typing import NamedTuple

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.records import add_to_sum


class Counts(NamedTuple):
    """How often each cell has each value; those of cell c from start[c] on."""

    start: np.ndarray  # (n_cells + 1,)
    value: np.ndarray  # (n_pairs,) ascending in each cell
    count: np.ndarray  # type: ignore[assignment] # (n_pairs,)


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
def members_of(new, n_new):
    """Old cells by their new cell, and where those of each begin."""
    start = np.zeros(n_new + 1, dtype=np.int64)
    for old in range(new.shape[0]):
        start[new[old] + 1] += 1
    for cell in range(n_new):
        start[cell + 1] += start[cell]
    members, filled = np.empty_like(new), start.copy()
    for old in range(new.shape[0]):
        members[filled[new[old]]] = old
        filled[new[old]] += 1
    return start, members


@njit(cache=True, nogil=True)
def joined_counts(counts, new, n_new):
    """Counts of the new cells that old cells are joined into."""
    first, members = members_of(new, n_new)
    value, count = np.empty_like(counts.value), np.empty_like(counts.count)
    old_value, old_count = np.empty_like(value), np.empty_like(count)
    start, end = np.zeros(n_new + 1, dtype=np.int64), 0
    for cell in range(n_new):
        low = end
        for place in range(first[cell], first[cell + 1]):
            i, i_end = counts.start[members[place]], counts.start[members[place] + 1]
            j_end = end - low  # what the cell has so far is put aside
            if j_end > 0:
                old_value[:j_end] = value[low:end]
                old_count[:j_end] = count[low:end]
            j, end = 0, low
            while i < i_end or j < j_end:
                takes_old = j < j_end and (
                    i == i_end or old_value[j] <= counts.value[i]
                )
                takes_new = i < i_end and (
                    j == j_end or counts.value[i] <= old_value[j]
                )
                value[end] = old_value[j] if takes_old else counts.value[i]
                count[end] = 0
                if takes_old:
                    count[end] += old_count[j]
                    j += 1
                if takes_new:
                    count[end] += counts.count[i]
                    i += 1
                end += 1
        start[cell + 1] = end
    return Counts(start, value[:end].copy(), count[:end].copy())


@njit(cache=True, nogil=True)
def sums_of_cells(X, labels, n_cells):
    """Compensated sums of the records of each cell, as the pair (total, lost)."""
    total = np.zeros((n_cells, X.shape[1]))
    lost = np.zeros_like(total)
    for i in range(X.shape[0]):
        add_to_sum(total[labels[i]], lost[labels[i]], X[i], 1.0)
    return total, lost


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
