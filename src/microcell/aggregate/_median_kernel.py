"""Inner loop of the weighted median: arrays in, arrays out, no checks."""

import numpy as np

from microcell.kernels.compiled import njit

HALF_WEIGHT_SLACK = 1e-12  # relative, for sums that differ by rounding alone


@njit(cache=True, nogil=True)
def middle_places(weights, starts, sizes):
    """Places of the two middle records of each cell, which may be one.

    Parameters
    ----------
    weights : ndarray of shape (n_samples,)
        Of the records, cell by cell, in each by value.
    starts, sizes : ndarray of shape (n_cells,)

    Returns
    -------
    lower, upper : ndarray of shape (n_cells,)
        The first record at which the weight reaches half of the cell's, and the first
        at which it exceeds it.
    """
    lower = np.empty_like(starts)
    upper = np.empty_like(starts)
    for cell in range(starts.shape[0]):
        end = starts[cell] + sizes[cell]
        half = weights[starts[cell] : end].sum() / 2
        slack = HALF_WEIGHT_SLACK * half
        total = 0.0
        place = starts[cell]
        while total + weights[place] < half - slack and place < end - 1:
            total += weights[place]
            place += 1
        lower[cell] = place
        while total + weights[place] <= half + slack and place < end - 1:
            total += weights[place]
            place += 1
        upper[cell] = place
    return lower, upper
