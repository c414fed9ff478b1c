"""Mismatch: coordinates for nominal columns."""

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from microcell._validation import check_records
from microcell.base import Records, Target
from microcell.exceptions import InputError

MAX_COORDINATES = 1000  # of a record: a million of them are 8 GB


class Mismatch(TransformerMixin, BaseEstimator):
    """Coordinates in which two records are one unit apart for each mismatch.

    Each category gets a column; a column with two categories needs only one of 0 and
    1, and a constant one is 0.

    Attributes
    ----------
    categories_ : list of ndarray
        Categories of each column, in order.

    Examples
    --------
    >>> Z = Mismatch().fit_transform([[0, 7], [1, 7], [2, 8]])
    >>> Z.shape
    (3, 4)
    >>> np.sum((Z[0] - Z[1]) ** 2).round(12), np.sum((Z[0] - Z[2]) ** 2).round(12)
    (np.float64(1.0), np.float64(2.0))
    """

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Learn the categories of each column."""
        X = check_records(self, X)
        return self.of([np.unique(column) for column in X.T])

    def of(self, categories: Sequence[np.ndarray]) -> Self:
        """Take the categories of each column, in order, as learnt."""
        self.categories_ = categories
        self.n_features_in_ = len(categories)
        n_coordinates = sum(categories.size for categories in self.categories_)
        if n_coordinates > MAX_COORDINATES:
            raise InputError(
                f"The nominal columns have {n_coordinates} categories, and this way of "
                f"grouping needs a coordinate for each: more than {MAX_COORDINATES}.",
                option="method",
                hint="Group rare categories, or choose a method that works with codes: "
                "'mdav' or 'vmdav'.",
            )
        return self

    def merge(self, other: Self) -> Self:
        """The categories of two parts of a table."""
        pairs = zip(self.categories_, other.categories_, strict=True)
        return Mismatch().of([np.union1d(one, two) for one, two in pairs])

    def transform(self, X: ArrayLike, units: Sequence[float] | None = None) -> Records:
        """Coordinates of the records; a category not seen in `fit` is an error.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        units : sequence of float, optional
            What a mismatch in each column counts, as a squared distance; 1 by default.
        """
        check_is_fitted(self)
        X = check_records(self, X, reset=False)
        blocks = []
        sides = np.ones(X.shape[1]) if units is None else np.sqrt(units)
        for column, side, categories in zip(X.T, sides, self.categories_, strict=True):
            if not np.isin(column, categories).all():
                raise ValueError("X holds a category that was not there in `fit`.")
            unit = side if categories.size <= 2 else side * np.sqrt(0.5)
            shown = categories[1:] if categories.size <= 2 else categories
            if shown.size == 0:
                blocks.append(np.zeros((X.shape[0], 1)))
            else:
                blocks.append((column[:, None] == shown) * unit)
        return np.hstack(blocks)
