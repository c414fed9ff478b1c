"""What the release loses of the records' variance."""

import numpy as np

from microcell._centre import centred_and_small
from microcell._validation import check_same_shape


def sse_loss(X_original, X_released):
    """Share of the variance that the release loses, SSE / SST.

    Best is 0, nothing changed; one centroid for all gives 1; noise can give more.
    Columns count by their variance: standardise both tables with the original's mean
    and standard deviation to give each the same say.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.

    Returns
    -------
    loss : float
        A constant original has no variance to lose: 0 if nothing changed, else 1.

    Examples
    --------
    >>> sse_loss([[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]])
    0.038...
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    centred, exponent = centred_and_small(X_original)
    before, after = max(exponent, 0), min(exponent, 0)  # neither may overflow
    with np.errstate(over="ignore"):  # a loss beyond all numbers is infinite
        changes = np.ldexp(X_original, -before) - np.ldexp(X_released, -before)
        sse = np.sum(np.ldexp(changes, -after) ** 2)
    sst = np.sum(centred**2)
    return float(sse / sst) if sst > 0 else float(sse > 0)


def mse_distortion(X_original, X_released):
    """Mean squared change of a value, over all records and columns.

    On columns of unit variance it equals `sse_loss`.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.

    Examples
    --------
    >>> mse_distortion([[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]])
    1.0
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    return float(np.mean((X_original - X_released) ** 2))
