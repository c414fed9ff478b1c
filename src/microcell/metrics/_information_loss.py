"""What the release loses of the records' variance."""

import numpy as np

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
    sse = np.sum((X_original - X_released) ** 2)
    sst = np.sum((X_original - X_original.mean(axis=0)) ** 2)
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
