"""Common scales for columns, exact on values far from zero and on tiny ones.

scikit-learn's scalers take a column for constant when its variance is small beside its
values (20240101000000, 20240101000007, ...) or small at all (1e-20), and leave it
unscaled. Here a column is constant if all its values are equal, and nothing else is.
"""

from abc import abstractmethod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from microcell._centre import exponents_of_ranges, mean_in_two_parts, times_power_of_two
from microcell._validation import check_records
from microcell.base import Records, Target
from microcell.exceptions import InputError, Option
from microcell.kernels.columns import column_ranges, mean_squares

OfColumns = tuple[np.ndarray, np.ndarray, np.ndarray]


MIN_QUARTILE_RANGE = 1e-100  # of the range, which is about 1 here


class BaseScale(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Subtract an origin from each column, then a place near it, and divide.

    The origin is as large as the values and the place no larger than their range, so
    that nothing cancels. A power of two keeps tiny and huge values in range. A scale
    writes `_learn`.

    Attributes
    ----------
    n_samples_seen_ : int
        Records that the scale was learnt from.
    low_, high_ : ndarray of shape (n_features,)
        Least and greatest value of each column.
    exponents_ : ndarray of shape (n_features,)
        Columns are divided by two to this power before anything else.
    origin_, place_, divisor_ : ndarray of shape (n_features,)
        A column becomes ((column - origin) - place) / divisor. Where `_learn` finds
        no divisor, as of a constant column, values stay in their own units.
    """

    scale_free = True  # whatever scale columns had before is gone

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Learn the scale of each column."""
        # Sums run along memory, so one order of it gives one and the same scale.
        X = check_records(self, X, order="C")
        self.n_samples_seen_ = X.shape[0]
        self._between(np.stack(column_ranges(X)))
        return self._set(*self._learn(times_power_of_two(X, -self.exponents_)))

    def _between(self, ends: np.ndarray) -> Self:
        """For columns between their least and greatest values."""
        self.n_features_in_ = ends.shape[1]
        self.low_, self.high_ = ends
        self.exponents_ = exponents_of_ranges(ends)
        return self

    def merge(self, other: Self) -> Self:
        """The scale of two parts of a table, from those of the parts."""
        check_is_fitted(self)
        check_is_fitted(other)
        low = np.minimum(self.low_, other.low_)
        merged = type(self)()._between(
            np.stack([low, np.maximum(self.high_, other.high_)])
        )
        merged.n_samples_seen_ = self.n_samples_seen_ + other.n_samples_seen_
        return merged._set(*self._merged(other, merged))

    def _set(self, origin: np.ndarray, place: np.ndarray, divisor: np.ndarray) -> Self:
        self.origin_, self.place_ = origin, place
        own_units = np.ldexp(1.0, -np.maximum(self.exponents_, -1000))
        self.divisor_ = np.where(divisor > 0, divisor, own_units)
        return self

    def transform(self, X: ArrayLike) -> Records:
        """The columns on their common scale."""
        check_is_fitted(self)
        X = check_records(self, X, reset=False)
        with np.errstate(over="ignore"):  # values unlike any that were seen in `fit`
            Z = times_power_of_two(X, -self.exponents_)
            Z -= self.origin_
            Z -= self.place_
            Z /= self.divisor_
        return Z

    @abstractmethod
    def _learn(self, X: np.ndarray) -> OfColumns:
        """Origin, place and divisor of each column of ranges below 1."""

    def _merged(self, other: Self, merged: Self) -> OfColumns:
        """Origin, place and divisor of two parts, in the units of `merged`."""
        raise InputError(
            f"{type(self).__name__} of a table does not follow from those of its "
            "parts.",
            option="scale",
            hint=["Choose ", Option("scale", "standard"), "."],
        )


class StandardScale(BaseScale):
    """Columns of mean 0 and variance 1; a constant column is 0.

    Examples
    --------
    >>> StandardScale().fit_transform([[20240101000000.0], [20240101000002.0]]).ravel()
    array([-1.,  1.])
    """

    def _learn(self, X: np.ndarray) -> OfColumns:
        origin, place = mean_in_two_parts(X)
        return origin, place, np.sqrt(mean_squares(X, origin, place))

    def _merged(self, other: Self, merged: Self) -> OfColumns:
        shares, origins, places, variances = [], [], [], []
        for part in (self, other):
            shift = part.exponents_ - merged.exponents_
            shares.append(part.n_samples_seen_ / merged.n_samples_seen_)
            origins.append(np.ldexp(part.origin_, shift))
            places.append(np.ldexp(part.place_, shift))
            varies = part.high_ > part.low_
            variances.append(np.where(varies, np.ldexp(part.divisor_, shift), 0) ** 2)
        apart = (origins[1] - origins[0]) + (places[1] - places[0])
        variance = shares[0] * variances[0] + shares[1] * variances[1]
        variance += shares[0] * shares[1] * apart**2
        return origins[0], places[0] + shares[1] * apart, np.sqrt(variance)


class RangeScale(BaseScale):
    """Columns from 0 to 1, by their least and greatest value; a constant one is 0.

    Examples
    --------
    >>> RangeScale().fit_transform([[5.0, 1e-300], [6.0, 3e-300], [9.0, 5e-300]])
    array([[0.  , 0.  ],
           [0.25, 0.5 ],
           [1.  , 1.  ]])
    """

    def _learn(self, X: np.ndarray) -> OfColumns:
        low = X.min(axis=0)
        return low, np.zeros_like(low), X.max(axis=0) - low

    def _merged(self, other: Self, merged: Self) -> OfColumns:
        ends = np.stack([merged.low_, merged.high_])
        return self._learn(np.ldexp(ends, -merged.exponents_))


class QuartileScale(BaseScale):
    """Columns with median 0 and a distance of 1 between their quartiles.

    Few outliers change nothing. A column whose quartiles are equal, or so close that
    squares of others would overflow, has no such scale: its values stay in their own
    units about the median.

    Examples
    --------
    >>> QuartileScale().fit_transform([[1.0], [2.0], [3.0], [4.0], [500.0]]).ravel()
    array([ -1. ,  -0.5,   0. ,   0.5, 248.5])
    """

    def _learn(self, X: np.ndarray) -> OfColumns:
        middle = (X.shape[0] - 1) // 2
        origin = np.partition(X, middle, axis=0)[middle]
        first, median, third = np.quantile(X - origin, [0.25, 0.5, 0.75], axis=0)
        between = third - first
        return origin, median, np.where(between < MIN_QUARTILE_RANGE, 0, between)


class NoScale(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Columns as they are.

    Examples
    --------
    >>> NoScale().fit_transform([[1, 2], [3, 4]])
    array([[1., 2.],
           [3., 4.]])
    """

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Check the input; there is nothing to learn."""
        check_records(self, X)
        return self

    def merge(self, other: Self) -> Self:
        """There is nothing to learn from parts either."""
        return self

    def transform(self, X: ArrayLike) -> Records:
        """The columns as they are."""
        check_is_fitted(self, "n_features_in_")
        return check_records(self, X, reset=False, copy=True)


SCALES = {
    "standard": StandardScale,
    "minmax": RangeScale,
    "robust": QuartileScale,
    "none": NoScale,
}
