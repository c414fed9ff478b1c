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
def nearest_coded_cells(middles, start, code, share, halves, cells, nearest, distances):
    """Fill `nearest` and `distances` for each of `cells`, ties to the earlier one.

    Parameters
    ----------
    middles : ndarray of shape (n_cells, n_measured)
    start, code, share : ndarray
        Codes of cell c, ascending, and their shares stand from start[c] to
        start[c + 1].
    halves : ndarray of shape (n_codes,)
        Half the unit of the column of each code.
    """
    for place in range(cells.shape[0]):
        cell, best, found = cells[place], np.inf, np.int64(-1)
        for other in range(middles.shape[0]):
            if other == cell:
                continue
            distance = coded_distance(
                middles, start, code, share, halves, cell, other, best
            )
            if distance < best:
                best, found = distance, np.int64(other)
        nearest[place], distances[place] = found, best
