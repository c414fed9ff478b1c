"""Distortion of the quasi-identifiers and of the confidential attribute together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from microcell._validation import check_at_least, check_same_shape
from microcell.aggregate import cell_means
from microcell.kernels.distinct import distinct_records
from microcell.metrics._sse_loss import sse_loss


def combined_distortion(
    X_original: ArrayLike, X_released: ArrayLike, Y: ArrayLike, *, lambda_: float = 0.5
) -> float:
    """(1 - lambda) SSE_X / SST_X + lambda SSE_Y / SST_Y [1]_.

    The second term is what is lost of the confidential attribute by one who knows
    only the released quasi-identifiers and predicts the mean of all records that
    share them. Best is 0.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    Y : array-like of shape (n_samples,) or (n_samples, n_columns)
        The confidential attribute as numbers, or one column per category.
    lambda_ : float, default=0.5
        Weight of the confidential attribute, between 0 and 1.

    References
    ----------
    .. [1] Rebollo-Monedero, Forné, Soriano and Puiggalí Allepuz (2016). k-anonymous
       microaggregation with preservation of statistical dependence. Inf. Sci. 342,
       1-23.

    Examples
    --------
    >>> X, X_released = [[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]]
    >>> combined_distortion(X, X_released, [0, 0, 1, 1], lambda_=1)
    0.0
    >>> combined_distortion(X, X_released, [0, 1, 0, 1], lambda_=1)
    1.0
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    lambda_ = check_at_least("lambda_", lambda_, 0, most=1)
    Y = np.asarray(Y, dtype=np.float64).reshape(X_original.shape[0], -1)
    classes, _ = distinct_records(X_released)
    means = cell_means(Y, classes)
    of_x = sse_loss(X_original, X_released)
    return (1 - lambda_) * of_x + lambda_ * sse_loss(Y, means[classes])
