"""PrincipalComponentProjection: records as numbers along the widest direction."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted

from microcell._centre import centred_and_small, mean_in_two_parts
from microcell._validation import check_records
from microcell.base import Records, Target


class PrincipalComponentProjection(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    """Project records onto the first principal component [1]_.

    Columns are not rescaled: standardise first for the component of the correlation
    matrix. The sign makes the largest loading positive, so that the same table always
    gives the same order.

    scikit-learn's `PCA` gives the same direction, but divides by zero with a single
    record, and its means are rounded to the digits of the values, so that records far
    from zero lose their places.

    Attributes
    ----------
    mean_, rest_ : ndarray of shape (n_features,)
        Mean of each column, and what its rounding left.
    loadings_ : ndarray of shape (n_features,)
        Direction of unit length.

    References
    ----------
    .. [1] Nin and Torra. Modeling projections in microaggregation.

    Examples
    --------
    >>> X = [[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]]
    >>> PrincipalComponentProjection().fit_transform(X).ravel().round(3)
    array([-1.886, -0.471,  2.357])
    """

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Find the direction."""
        X = check_records(self, X)
        self.mean_, self.rest_ = mean_in_two_parts(X)
        centred, _ = centred_and_small(X)
        _, vectors = np.linalg.eigh(centred.T @ centred / X.shape[0])
        direction = vectors[:, -1]
        self.loadings_ = direction * np.sign(direction[np.argmax(np.abs(direction))])
        self._n_features_out = 1
        return self

    def transform(self, X: ArrayLike) -> Records:
        """Places of the records along the direction, shape (n_samples, 1)."""
        check_is_fitted(self)
        X = check_records(self, X, reset=False)
        places = np.zeros(X.shape[0])
        columns = zip(X.T, self.mean_, self.rest_, self.loadings_, strict=True)
        for column, mean, rest, loading in columns:  # equal records, equal places
            places += ((column - mean) - rest) * loading
        return places[:, None]
