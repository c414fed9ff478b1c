"""Methods compared over several data sets."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from microcell.exceptions import InputError


def relative_scores(utilities: ArrayLike) -> np.ndarray:
    """Sum over data sets of a method's utility as a share of the best method's [1]_.

    A method that is the best on each of m data sets scores m. The score depends on
    who else is compared, since that decides on the best.

    Parameters
    ----------
    utilities : array-like of shape (n_methods, n_data_sets)
        Utility of each method on each data set, higher is better. On each data set one
        method's is above 0.

    Returns
    -------
    scores : ndarray of shape (n_methods,)

    References
    ----------
    .. [1] `Score` in Zouinina, Bennani, Rogovschi and Lyhyaoui (2020). A two-levels
       data anonymization approach. AIAI, 85-95.

    Examples
    --------
    >>> relative_scores([[0.8, 0.3], [0.4, 0.6]])
    array([1.5, 1.5])
    """
    utilities = np.asarray(utilities, dtype=np.float64)
    if utilities.ndim != 2 or utilities.size == 0:
        raise InputError(
            "Utilities are a table, a row for each method and a column for each data "
            f"set. Got shape {utilities.shape} instead."
        )
    best = utilities.max(axis=0)
    if not (np.isfinite(utilities).all() and (best > 0).all()):
        raise InputError(
            "Utilities must be finite, and on each data set the best above 0. "
            f"Got {best.tolist()} as the best."
        )
    return (utilities / best).sum(axis=1)
