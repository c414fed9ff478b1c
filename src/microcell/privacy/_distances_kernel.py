"""Ordered distances of cells: arrays in, arrays out, no checks."""

import numpy as np

from microcell.kernels.compiled import njit

MIN_VALUES_PER_STEP = 16  # a cell with one value in so many: all values are looked at


@njit(cache=True, nogil=True)
def ordered_gaps(cell, value, count, sizes, below, area):
    """Area between the distribution functions of each cell and of the table.

    Parameters
    ----------
    cell, value, count : ndarray of shape (n_pairs,)
        By cell and then by value.
    sizes : ndarray of shape (n_cells,)
    below, area : ndarray of shape (n_values,), (n_values + 1,)
        Records of the table up to each value, and sums of that; whole numbers, or
        floats where these do not fit.

    Returns
    -------
    gaps : ndarray of shape (n_cells,)
        Times the size of the cell and of the table.
    """
    n_values, n_samples = below.shape[0], below[-1]
    gaps = np.zeros(sizes.shape[0], dtype=below.dtype)
    pair = 0
    for own in range(sizes.shape[0]):
        first = pair
        while pair < cell.shape[0] and cell[pair] == own:
            pair += 1
        size, reached = sizes[own], 0
        total = area[value[first]] * size  # before its first value the cell is at 0
        if MIN_VALUES_PER_STEP * (pair - first) > n_values:
            at = first
            for v in range(value[first], n_values):
                if at < pair and value[at] == v:
                    reached += count[at]
                    at += 1
                total += abs(reached * n_samples - below[v] * size)
            gaps[own] = total
            continue
        for at in range(first, pair):
            reached += count[at]
            step = reached * n_samples
            start, end = value[at], value[at + 1] if at + 1 < pair else n_values
            # The table's function is below the step up to one place, then above.
            turn = start + np.searchsorted(below[start:end], step / size)
            total += step * (turn - start) - (area[turn] - area[start]) * size
            total += (area[end] - area[turn]) * size - step * (end - turn)
        gaps[own] = total
    return gaps
