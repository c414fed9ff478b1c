"""The frontier of two figures: what nothing else beats in both."""

from __future__ import annotations

import numpy as np


def efficient(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Which points no other point beats, O(n log n); low is better in both.

    A point is beaten by one that is no worse in both and better in one. Equal points
    do not beat each other. A point without a number is on no frontier.

    Parameters
    ----------
    x, y : ndarray of shape (n_points,)

    Returns
    -------
    mask : ndarray of bool of shape (n_points,)

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 2.0, 3.0, np.nan])
    >>> y = np.array([5.0, 3.0, 3.0, 4.0, 0.0])
    >>> efficient(x, y)
    array([ True,  True,  True, False, False])
    """
    mask = np.zeros(x.shape[0], dtype=bool)
    rows = np.flatnonzero(~(np.isnan(x) | np.isnan(y)))
    if rows.size == 0:
        return mask
    rows = rows[np.lexsort((y[rows], x[rows]))]
    xs, ys = x[rows], y[rows]
    begins = np.r_[True, xs[1:] != xs[:-1]]  # of points with the same x
    first = np.flatnonzero(begins)[np.cumsum(begins) - 1]
    best = np.minimum.accumulate(ys)
    left = np.r_[np.inf, best[:-1]][first]  # lowest y of points with a lower x
    mask[rows] = (ys == ys[first]) & ((ys < left) | (first == 0))
    return mask
