"""The contracts: what every partitioner and every aggregator promises."""

from abc import abstractmethod

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_consistent_length, validate_data

from microcell._validation import check_k, check_labels
from microcell.exceptions import PrivacyError, SchemaError  # noqa: F401

__all__ = ["BaseAggregator", "BasePartitioner"]


class BasePartitioner(ClusterMixin, BaseEstimator):
    """Base of all ways to group records into cells of at least `k`.

    A part stores its parameters in `__init__` and writes `_partition`; input is
    checked before it, and the promise "every cell has at least k records" after it,
    here and for all.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record, 0 to `n_cells_` - 1.
    n_cells_ : int
        Number of cells.
    promises_k : bool
        Whether k is what a user asked for. Where cells are what they turn out to be,
        k is 1, and what a release reaches is counted and not promised.
    takes_codes : bool
        Whether `mark_codes` can say which columns hold codes of categories. Other
        parts are given a coordinate for each category instead.
    scale_free : bool
        Whether cells are the same on any scale of the columns, so that weights of
        columns change nothing.
    refinable : bool
        Whether a search for cells of a lower SSE in X may change them. Not where they
        are made for something else: an order, a map, a promise, strata.
    keeps_more : bool
        Whether cells keep to more than k: units, strata or promises, which would be
        broken if records changed cells one by one.
    """

    promises_k = True
    takes_codes = False
    categorical_features = None
    mismatch_units = None
    scale_free = False
    refinable = True
    keeps_more = False

    def mark_codes(self, columns, units=None):
        """Let these columns of X hold codes: a mismatch is one unit, or as given."""
        self.categorical_features = columns
        self.mismatch_units = units

    def fit(self, X, y=None):
        """Group the records.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Records, in the geometry in which cells are formed.
        y : array-like of shape (n_samples,), optional
            Confidential attribute, for the partitioners that use it.

        Returns
        -------
        self
        """
        k = check_k(self.k)
        X = validate_data(self, X, dtype=np.float64, order="C")
        if not X.flags.writeable:  # else kernels would be compiled once more for it
            X = X.copy()
        check_consistent_length(X, y)
        if X.shape[0] < k:
            raise ValueError(
                f"n_samples={X.shape[0]} should be >= k={k}. Lower k or add records."
            )
        self.labels_ = check_labels(self._partition(X, y), X.shape[0], k)
        self.n_cells_ = int(self.labels_.max()) + 1
        return self

    def fit_predict(self, X, y=None):
        """Group the records and return the cell of each, `labels_`."""
        return self.fit(X, y).labels_

    @abstractmethod
    def _partition(self, X, y):
        """Return the label of each record of the checked array `X`."""


class BaseAggregator(BaseEstimator):
    """Base of all ways to publish a cell.

    A part writes `_aggregate`; `aggregate` checks its input.

    Attributes
    ----------
    values_per_column : int
        Columns that are released for each column of X: 1, or 2 for an interval.
    alike : bool
        Whether all records of a cell are released alike. Where each draws its own
        noise they are not, and the release is not k-anonymous: such a part takes
        `random_state`, and what it draws for a record has the same law for all records
        of a cell.
    bounded : bool
        Whether no value lies outside the range of its cell.
    takes_missing : bool
        Whether missing values (NaN) may be among those of X.
    needs_target, needs_partition : bool
        Whether `_aggregate` also takes `y`, the confidential attribute, or
        `partition`, the fitted partitioner.
    notices_ : list of str
        What the owner of a release should know of the last one; empty by default.
    """

    values_per_column = 1
    alike = True
    bounded = False
    takes_missing = False
    needs_target = False
    needs_partition = False
    notices_ = ()

    def aggregate(self, X, labels, y=None, *, partition=None):
        """Released values of the records.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Original records, in their own units.
        labels : array-like of shape (n_samples,)
            Cell of each record, 0 to n_cells - 1.
        y : array-like of shape (n_samples,), optional
            Confidential attribute, for the parts that use it.
        partition : partitioner, optional
            What formed the cells, for the parts that use more of it than labels.

        Returns
        -------
        X_released : ndarray of shape (n_samples, n_features * values_per_column)
            The same row for all records of a cell, if they are released alike.
        """
        X = np.asarray(X, dtype=np.float64)
        if X.ndim != 2:
            raise ValueError(f"X must have 2 dimensions. Got {X.ndim} instead.")
        if not self._in_range(X):
            raise ValueError("X contains NaN or infinity.")
        labels = check_labels(labels, X.shape[0], k=1)
        given = {}
        if self.needs_target:
            if y is None:
                raise ValueError(
                    f"{type(self).__name__} requires y to be passed, but the target y "
                    "is None: it uses the confidential attribute."
                )
            check_consistent_length(X, y)
            given["y"] = np.asarray(y)
        if self.needs_partition:
            given["partition"] = partition
        X_released = self._aggregate(X, labels, **given)
        if not self._in_range(X_released):
            raise ValueError("X holds values so large that those of a cell overflow.")
        return X_released

    def _in_range(self, X):
        outside = np.isinf(X) if self.takes_missing else ~np.isfinite(X)
        return not outside.any()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.needs_target
        return tags

    @abstractmethod
    def _aggregate(self, X, labels):
        """Return the released array; input is checked."""
