"""ZScoreSum: records as the sum of their z-scores."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted

from microcell._validation import check_records
from microcell.base import Records, Target
from microcell.embed._scales import StandardScale


class ZScoreSum(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Sum of the columns' z-scores, (value - mean) / standard deviation [1]_.

    The paper calls the divisor a variance; its table does not decide, and z-scores
    are divided by the standard deviation. A constant column adds 0.

    Attributes
    ----------
    scaler_ : StandardScale

    References
    ----------
    .. [1] Nin and Torra. Modeling projections in microaggregation.

    Examples
    --------
    >>> ZScoreSum().fit_transform([[0.0, 5.0], [2.0, 5.0]]).ravel()
    array([-1.,  1.])
    """

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Learn mean and standard deviation of each column."""
        X = check_records(self, X)
        self.scaler_ = StandardScale().fit(X)
        self._n_features_out = 1
        return self

    def transform(self, X: ArrayLike) -> Records:
        """Sums of z-scores, shape (n_samples, 1)."""
        check_is_fitted(self)
        X = check_records(self, X, reset=False)
        z_scores = np.asarray(self.scaler_.transform(X))  # whatever the global output
        return z_scores.sum(axis=1, keepdims=True)
