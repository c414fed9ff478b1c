"""The nearest of cells with shares of codes: arrays in, arrays out, no checks."""

import numpy as np

from microcell.kernels.compiled import njit


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
    middles, order, along, start, code, share, halves, cells, nearest, distances
):
    """Fill `nearest` and `distances` for each of `cells`, ties to the earlier one.

    Cells are looked at from the cell outwards along one measured column, until what
    they differ in it is more than the nearest is away.

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
    """
    n_cells = order.shape[0]
    place_of = np.empty(n_cells, dtype=np.int64)
    for place in range(n_cells):
        place_of[order[place]] = place
    for at in range(cells.shape[0]):
        cell, best, found = cells[at], np.inf, np.int64(-1)
        own = along[place_of[cell]]
        left, right = place_of[cell] - 1, place_of[cell] + 1
        while left >= 0 or right < n_cells:
            below = own - along[left] if left >= 0 else np.inf
            above = along[right] - own if right < n_cells else np.inf
            gap = min(below, above)
            if gap * gap > best:
                break
            if below <= above:
                other = order[left]
                left -= 1
            else:
                other = order[right]
                right += 1
            distance = coded_distance(
                middles, start, code, share, halves, cell, other, best
            )
            if distance < best or (distance == best and other < found):
                best, found = distance, np.int64(other)
        nearest[at], distances[at] = found, best
