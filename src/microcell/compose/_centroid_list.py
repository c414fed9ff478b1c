"""Centroid list: the marginal of one column under differential privacy."""

import numpy as np
from numpy.typing import ArrayLike

from microcell._validation import check_enough, check_k
from microcell.compose._noisy_sums import (
    RESOLUTION,
    check_bounds,
    check_epsilon,
    from_steps,
    noisy_sums,
    to_steps,
)


def dp_centroid_list(
    x: ArrayLike, *, epsilon: float, k: int, bounds: tuple[int, int]
) -> np.ndarray:
    """Noisy means of each k values of a sorted column [1]_.

    The list says how the column is distributed. If one value is replaced, a run of
    the sorted values moves up or down by one place and the changes of all sums
    together are those of that one value; so the noise of a mean is the column's range
    divided by k and epsilon, whatever the number of cells.

    .. warning::
       The list is private, rows that carry it are not. Which rows share a value says
       which values are near each other, and that changes with certainty when one
       record does: of the rows 1, 2, 3, 4 with k = 2 the first two share a value; if
       the first is 5, the second and the third do. Never put the list back onto
       records, nor beside another column.

    Parameters
    ----------
    x : array-like of shape (n_samples,)
        The column.
    epsilon : float
        Privacy that the list spends; it adds up over lists and releases.
    k : int
        Least number of values in a cell.
    bounds : (low, high)
        Between which values the column can lie, not computed from it.

    Returns
    -------
    centroids : ndarray of shape (n_samples // k,)
        Noisy means, lowest cell first, clipped to the bounds; each stands for k
        values, the last for up to 2k - 1. With noise they need not ascend.

    References
    ----------
    .. [1] Sanchez, Domingo-Ferrer, Martinez and Soria-Comas (2016). Utility-preserving
       differentially private data releases via individual ranking microaggregation.
       Information Fusion 30, 1-14.

    Examples
    --------
    >>> ages = [20, 62, 24, 60, 64]
    >>> dp_centroid_list(ages, epsilon=1.0, k=2, bounds=(0, 120)).shape
    (2,)
    """
    k, epsilon = check_k(k), check_epsilon(epsilon)
    x = np.asarray(x, dtype=np.float64)
    if x.ndim != 1 or not np.isfinite(x).all():
        raise ValueError(
            "x must be one column of finite numbers. Fill missing values, or leave a "
            "number of records out that does not depend on them."
        )
    check_enough(x.size, k)
    pair = check_bounds(None if bounds is None else [bounds], 1)
    steps = np.sort(to_steps(x[:, np.newaxis], pair), axis=0)
    starts = np.arange(x.size // k) * k
    sums = np.add.reduceat(steps, starts, axis=0)
    sizes = np.diff(starts, append=x.size)
    return from_steps(noisy_sums(sums, RESOLUTION, epsilon), sizes, pair)[:, 0]
