"""ObservedScale: a common scale learnt from the values that are there."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from microcell._validation import check_records
from microcell.base import Records, Target
from microcell.embed._scales import SCALES


class ObservedScale(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Scale each column by its observed values; a missing one stands at their mean.

    Missing values are NaN. A column without any value is 0.

    Parameters
    ----------
    scale : {"standard", "minmax", "robust", "none"}, default="standard"
        How the observed values are scaled.

    Attributes
    ----------
    scales_ : list
        The fitted scale of each column; None of one without values.
    means_ : ndarray of shape (n_features,)
        Mean of the observed values.
    counts_ : ndarray of shape (n_features,)
        Number of observed values.

    Examples
    --------
    >>> ObservedScale().fit_transform([[1.0], [np.nan], [3.0]]).ravel()
    array([-1.,  0.,  1.])
    """

    def __init__(self, scale: str = "standard") -> None:
        self.scale = scale

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Learn the scale of each column."""
        X = check_records(self, X, ensure_all_finite="allow-nan")
        self.counts_ = np.sum(~np.isnan(X), axis=0)
        self.means_ = np.zeros(X.shape[1])
        self.scales_: list[Any] = []
        for j, column in enumerate(X.T):
            observed = column[~np.isnan(column)]
            if observed.size == 0:
                self.scales_.append(None)
                continue
            mean = observed.mean()
            self.means_[j] = mean + np.mean(observed - mean)  # what rounding left
            part: Any = SCALES[self.scale]()
            self.scales_.append(part.fit(observed[:, None]))
        return self

    def transform(self, X: ArrayLike) -> Records:
        """The columns on their common scale, without missing values."""
        check_is_fitted(self)
        X = check_records(self, X, reset=False, ensure_all_finite="allow-nan")
        Z = np.where(np.isnan(X), self.means_, X)
        for j, scale in enumerate(self.scales_):
            Z[:, j] = 0.0 if scale is None else scale.transform(Z[:, [j]])[:, 0]
        return Z

    def merge(self, other: Self) -> Self:
        """The scale of two parts of a table, from those of the parts."""
        merged = type(self)(self.scale)
        merged.n_features_in_ = self.n_features_in_
        merged.counts_ = self.counts_ + other.counts_
        share = other.counts_ / np.maximum(merged.counts_, 1)
        merged.means_ = self.means_ + share * (other.means_ - self.means_)
        merged.scales_ = [
            (one or two) if one is None or two is None else one.merge(two)
            for one, two in zip(self.scales_, other.scales_, strict=True)
        ]
        return merged
