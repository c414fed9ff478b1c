"""Records as one number by an aggregation function of their normalised values.

A function takes the values of each record in decreasing order, all in [0, 1], and
gives one number in [0, 1]; a new one is a class with `_aggregate`.
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted

from microcell._validation import check_choice, check_records
from microcell.base import Records, Target

QUANTIFIERS: dict[str, Callable[[float], float]] = {
    "x": lambda x: x,
    "sqrt": lambda x: x**0.5,
    "cbrt": lambda x: x ** (1 / 3),
    "square": lambda x: x**2,
    "cube": lambda x: x**3,
    "at-least-half": lambda x: min(2 * x, 1.0),
    "most": lambda x: min(max((x - 0.3) / 0.5, 0.0), 1.0),
    "as-many-as-possible": lambda x: max(2 * x - 1, 0.0),
}
"""Quantifiers by name; the last three are those of linguistic quantification."""


class BaseAggregationFunction(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    """Normalise columns to [0, 1], then aggregate each record.

    The second column of the result, with ``ties="mean"``, is the mean of the
    normalised values: it orders records whose aggregate is the same.
    """

    def __init__(self, *, normalise: str = "rank", ties: str = "mean") -> None:
        self.normalise = normalise
        self.ties = ties

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Learn how each column is brought to [0, 1]."""
        check_choice("normalise", self.normalise, ("rank", "minmax"))
        check_choice("ties", self.ties, ("mean", "index"))
        X = check_records(self, X)
        self.sorted_ = np.sort(X, axis=0)
        self._check_function(X.shape[1])
        self._n_features_out = 2 if self.ties == "mean" else 1
        return self

    def transform(self, X: ArrayLike) -> Records:
        """Aggregates of the records, with the mean beside them to break ties."""
        check_is_fitted(self)
        X = check_records(self, X, reset=False)
        values = self._normalised(X)
        decreasing = -np.sort(-values, axis=1)
        numbers = [self._aggregate(decreasing)]
        if self.ties == "mean":
            numbers.append(values.mean(axis=1))
        return np.column_stack(numbers)

    def _normalised(self, X: np.ndarray) -> np.ndarray:
        n_seen = self.sorted_.shape[0]
        if self.normalise == "minmax":
            low, span = self.sorted_[0], self.sorted_[-1] - self.sorted_[0]
            scaled = (X - low) / np.where(span > 0, span, 1.0)
            return np.clip(scaled, 0.0, 1.0)
        ranks = np.empty_like(X)
        for j, known in enumerate(np.ascontiguousarray(self.sorted_.T)):
            order = np.argsort(X[:, j])
            ranks[order, j] = mean_ranks(known, X[order, j])
        return np.clip(ranks / max(n_seen - 1, 1), 0.0, 1.0)

    @abstractmethod
    def _check_function(self, n_features: int) -> Any:
        """Raise if the function does not fit so many columns."""

    @abstractmethod
    def _aggregate(self, decreasing: Any) -> Records:
        """One number for each row of values in decreasing order."""


def mean_ranks(known: np.ndarray, values: np.ndarray) -> Records:
    """Places among sorted numbers, from 0; equal numbers share their mean place.

    Parameters
    ----------
    known, values : ndarray
        Both in increasing order, as a sweep needs.

    Examples
    --------
    >>> mean_ranks(np.array([1.0, 2, 2, 5]), np.array([2.0, 3, 5]))
    array([1.5, 3. , 3. ])
    """
    if np.array_equal(known, values):  # the table that was learnt from
        starts = np.flatnonzero(np.append(True, known[1:] != known[:-1]))
        sizes = np.diff(np.append(starts, known.size))
        return np.repeat(starts + (sizes - 1) / 2, sizes)
    first = np.searchsorted(known, values, side="left")
    last = np.maximum(np.searchsorted(known, values, side="right") - 1, first)
    return np.asarray((first + last) / 2)


class FuzzyIntegral(BaseAggregationFunction):
    """Base of functions of a quantifier."""

    def __init__(
        self,
        *,
        quantifier: str | Callable[..., Any] = "x",
        normalise: str = "rank",
        ties: str = "mean",
    ) -> None:
        super().__init__(normalise=normalise, ties=ties)
        self.quantifier = quantifier


class SugenoIntegral(FuzzyIntegral):
    """Sugeno integral of the normalised values of each record [1]_.

    With the values in decreasing order a_1 >= ... >= a_N, the integral is the largest
    of min(Q(i / N), a_i).

    Parameters
    ----------
    quantifier : str or callable, default="x"
        Non-decreasing Q with Q(0) = 0 and Q(1) = 1: a name, or a function.
    normalise : {"rank", "minmax"}, default="rank"
        How columns get to [0, 1]: by mean ranks, or by their range. The paper does
        not say; ranks come closer to its figures.
    ties : {"mean", "index"}, default="mean"
        The integral is often the same for many records. "mean" adds a second column,
        the mean of the normalised values, that orders those; "index" leaves them in
        the order of the table.

    References
    ----------
    .. [1] Nin and Torra. Modeling projections in microaggregation.

    Examples
    --------
    >>> X = [[0, 0], [10, 4], [8, 10]]
    >>> SugenoIntegral(normalise="minmax").fit_transform(X)
    array([[0. , 0. ],
           [0.5, 0.7],
           [0.8, 0.9]])
    """

    def _check_function(self, n_features: int) -> None:
        self.levels_ = quantifier_levels(self.quantifier, n_features)

    def _aggregate(self, decreasing: np.ndarray) -> Records:
        return np.minimum(self.levels_[1:], decreasing).max(axis=1)


class ChoquetIntegral(FuzzyIntegral):
    """Choquet integral with a symmetric measure, of the normalised values.

    The values in decreasing order are weighted by Q(i / N) - Q((i - 1) / N). With
    Q(x) = x it is their mean.

    Parameters
    ----------
    quantifier : str or callable, default="x"
        Non-decreasing Q with Q(0) = 0 and Q(1) = 1: a name, or a function.
    normalise, ties
        As in `SugenoIntegral`.

    Examples
    --------
    >>> X = [[0, 0], [10, 4], [8, 10]]
    >>> ChoquetIntegral(normalise="minmax", ties="index").fit_transform(X).ravel()
    array([0. , 0.7, 0.9])
    """

    def _check_function(self, n_features: int) -> None:
        self.weights_ = np.diff(quantifier_levels(self.quantifier, n_features))

    def _aggregate(self, decreasing: np.ndarray) -> Records:
        return decreasing @ self.weights_


class OrderedWeightedAverage(BaseAggregationFunction):
    """Weighted mean of the normalised values in decreasing order (OWA).

    Parameters
    ----------
    weights : array-like of shape (n_features,)
        Weight of the largest value first; none negative, with sum 1.
    normalise, ties
        As in `SugenoIntegral`.

    Examples
    --------
    >>> X = [[0, 0], [10, 4], [8, 10]]
    >>> largest = OrderedWeightedAverage([1, 0], normalise="minmax", ties="index")
    >>> largest.fit_transform(X).ravel()
    array([0., 1., 1.])
    """

    def __init__(
        self, weights: ArrayLike, *, normalise: str = "rank", ties: str = "mean"
    ) -> None:
        super().__init__(normalise=normalise, ties=ties)
        self.weights = weights

    def _check_function(self, n_features: int) -> None:
        weights = np.asarray(self.weights, dtype=np.float64)
        right = weights.shape == (n_features,) and weights.min() >= 0
        if not right or not np.isclose(weights.sum(), 1):
            raise ValueError(
                f"'weights' must be {n_features} numbers >= 0 with sum 1, one for each "
                f"column. Got {self.weights!r} instead."
            )
        self.weights_ = weights

    def _aggregate(self, decreasing: np.ndarray) -> Records:
        return decreasing @ self.weights_


def quantifier_levels(
    quantifier: str | Callable[..., Any], n_features: int
) -> np.ndarray:
    """Q(0), Q(1 / N), ..., Q(1), after checking that Q is a quantifier.

    Examples
    --------
    >>> quantifier_levels(lambda x: x**2, 2)
    array([0.  , 0.25, 1.  ])
    """
    places = np.arange(n_features + 1) / n_features
    if not callable(quantifier):
        check_choice("quantifier", quantifier, tuple(QUANTIFIERS))
        quantifier = QUANTIFIERS[quantifier]
    levels = np.array([float(quantifier(place)) for place in places])
    if levels[0] != 0 or levels[-1] != 1 or not (np.diff(levels) >= 0).all():
        raise ValueError(
            "'quantifier' must be non-decreasing with Q(0) = 0 and Q(1) = 1. Got the "
            f"values {levels.tolist()} at {places.tolist()} instead."
        )
    return levels
