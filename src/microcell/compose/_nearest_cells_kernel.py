"""The nearest of cells with shares of codes: arrays in, arrays out, no checks."""

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.records import sift_down, sort_heap


@njit(cache=True, nogil=True)
def coded_distance(middles, start, code, share, halves, a, b, most):
    """Squared distance of two cells; what it has come to once it exceeds `most`."""
    total = 0.0
    for j in range(middles.shape[1]):
        gap = middles[a, j] - middles[b, j]
        total += gap * gap
    if total > most:
        return total
    i, j = start[a], start[b]
    while i < start[a + 1] or j < start[b + 1]:
        if j == start[b + 1] or (i < start[a + 1] and code[i] < code[j]):
            gap, at = share[i], code[i]
            i += 1
        elif i == start[a + 1] or code[j] < code[i]:
            gap, at = share[j], code[j]
            j += 1
        else:
            gap, at = share[i] - share[j], code[i]
            i += 1
            j += 1
        total += halves[at] * (gap * gap)
        if total > most:
            return total
    return total


@njit(cache=True, nogil=True)
def nearest_coded_cells(
    middles,
    order,
    along,
    start,
    code,
    share,
    halves,
    cells,
    first,
    end,
    near,
    distances,
):
    """Fill `near` and `distances` for each of `cells`, nearest first, then earlier.

    Cells are looked at from the cell outwards along one measured column, until what
    they differ in it is more than the last of those wanted is away.

    Parameters
    ----------
    middles : ndarray of shape (n_cells, n_measured)
    order, along : ndarray of shape (n_cells,)
        Cells in the order of that column, and its values in this order.
    start, code, share : ndarray
        Codes of cell c, ascending, and their shares stand from start[c] to
        start[c + 1].
    halves : ndarray of shape (n_codes,)
        Half the unit of the column of each code.
    first, end : ndarray of int
        Where the results for each of `cells` begin and end: one to n_cells - 1 of them.
    """
    n_cells = order.shape[0]
    place_of = np.empty(n_cells, dtype=np.int64)
    for place in range(n_cells):
        place_of[order[place]] = place
    for at in range(cells.shape[0]):
        cell = cells[at]
        heap = distances[first[at] : end[at]]
        found = near[first[at] : end[at]]
        heap[:], found[:] = np.inf, n_cells
        own = along[place_of[cell]]
        left, right = place_of[cell] - 1, place_of[cell] + 1
        while left >= 0 or right < n_cells:
            below = own - along[left] if left >= 0 else np.inf
            above = along[right] - own if right < n_cells else np.inf
            gap = min(below, above)
            if gap * gap > heap[0]:
                break
            if below <= above:
                other = order[left]
                left -= 1
            else:
                other = order[right]
                right += 1
            distance = coded_distance(
                middles, start, code, share, halves, cell, other, heap[0]
            )
            if distance < heap[0] or (distance == heap[0] and other < found[0]):
                heap[0], found[0] = distance, other
                sift_down(heap, found, 0, heap.shape[0])
        sort_heap(heap, found)
