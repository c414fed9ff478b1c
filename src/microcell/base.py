"""The contracts: what every partitioner and every aggregator promises."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_consistent_length

from microcell._capabilities import Capabilities
from microcell._validation import check_enough, check_k, check_labels, check_records
from microcell.exceptions import PrivacyError, SchemaError  # noqa: F401

Records = NDArray[np.float64]
Labels = NDArray[np.int64]
Target = ArrayLike | None  # the confidential attribute, where there is one
Columns = Sequence[int] | NDArray[np.int64]
Units = Sequence[float] | NDArray[np.float64]

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
    cells_of_map : bool
        Whether cells are units of a map, which has a prototype for each.
    capabilities : Capabilities
        All of this together, as others ask for it.
    notices_ : list of str
        What the owner of a release should know of the cells; empty by default.
    """

    k: int
    labels_: Labels
    n_cells_: int
    promises_k: bool = True
    takes_codes: bool = False
    categorical_features: Columns | None = None
    mismatch_units: Units | None = None
    scale_free: bool = False
    refinable: bool = True
    keeps_more: bool = False
    cells_of_map: bool = False
    notices_: Sequence[str] = ()

    def __init__(self, k: int = 3) -> None:
        self.k = k

    @property
    def capabilities(self) -> Capabilities:
        """What this part can do."""
        target = get_tags(self).target_tags
        return Capabilities(
            promises_k=self.promises_k,
            takes_codes=self.takes_codes,
            scale_free=self.scale_free,
            refinable=self.refinable,
            keeps_more=self.keeps_more,
            cells_of_map=self.cells_of_map,
            needs_target=target.required,
            takes_several_targets=bool(target.multi_output),
        )

    def mark_codes(self, columns: Columns, units: Units | None = None) -> None:
        """Let these columns of X hold codes: a mismatch is one unit, or as given."""
        self.categorical_features = columns
        self.mismatch_units = units

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
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
        records = check_records(self, X, order="C")
        if not records.flags.writeable:  # else kernels would be compiled once more
            records = records.copy()
        check_consistent_length(records, y)
        n_samples = records.shape[0]
        check_enough(n_samples, k)
        self.labels_ = check_labels(self._partition(records, y), n_samples, k)
        self.n_cells_ = int(self.labels_.max()) + 1
        return self

    def fit_predict(self, X: ArrayLike, y: Target = None) -> Labels:
        """Group the records and return the cell of each, `labels_`."""
        return self.fit(X, y).labels_

    @abstractmethod
    def _partition(self, X: Records, y: Target) -> Labels:
        """Return the label of each record of the checked array `X`."""


class BaseAggregator(BaseEstimator):
    """Base of all ways to publish a cell.

    A part writes `_aggregate`; `aggregate` checks its input.

    Attributes
    ----------
    values_per_column : int
        Columns that are released for each column of X: 1, or 2 for an interval.
    constant_within_cells : bool
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
    regroups : bool
        Whether `regroup` gives records to other cells before they are published.
    notices_ : list of str
        What the owner of a release should know of the last one; empty by default.
    """

    values_per_column: int = 1
    constant_within_cells: bool = True
    bounded: bool = False
    takes_missing: bool = False
    needs_target: bool = False
    needs_partition: bool = False
    regroups: bool = False
    notices_: Sequence[str] = ()

    def regroup(
        self, X: Records, labels: Labels, y: Target, partition: BasePartitioner
    ) -> Labels:
        """Cells of the records before they are published: those of the partitioner."""
        return labels

    def weighed(self, votes: NDArray[np.float64]) -> Self:
        """The same, with records that count by votes; itself where none counts."""
        return self

    def aggregate(
        self,
        X: ArrayLike,
        labels: ArrayLike,
        y: Target = None,
        *,
        partition: BasePartitioner | None = None,
    ) -> Records:
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
        given: dict[str, Any] = {}
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

    def _in_range(self, X: Records) -> bool:
        outside = np.isinf(X) if self.takes_missing else ~np.isfinite(X)
        return not bool(outside.any())

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.needs_target
        return tags

    @abstractmethod
    def _aggregate(
        self, X: Records, labels: Labels, *more: Any, **given: Any
    ) -> Records:
        """Return the released array; input is checked."""
