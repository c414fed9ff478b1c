"""DPMicroaggregator: microaggregation whose release is differentially private."""

import numbers
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from microcell._capabilities import Capabilities
from microcell._validation import check_enough, check_k, check_records
from microcell.base import Records, Target
from microcell.compose._noisy_sums import (
    RESOLUTION,
    check_bounds,
    check_epsilon,
    from_steps,
    noisy_sums,
    to_steps,
)
from microcell.compose._plan import Group, Names, Publish
from microcell.exceptions import InputError
from microcell.partition import Insensitive
from microcell.privacy import DifferentialPrivacy, KAnonymity, Promise


class DPMicroaggregator(BaseEstimator):
    """Release noisy centroids of insensitive cells, each as often as its cell [1]_.

    What is private is the whole table: X holds every column that is released, and one
    record may be replaced by any other within the bounds. Values are clipped to the
    bounds. Cells are those of `Insensitive`: replacing a record changes each of the
    n // k cells by one record at most, so the sums of a column over all cells change
    by at most (n // k) times its range, and in a table of one column by its range (see
    `sum_sensitivity`). Laplace noise of that size divided by epsilon, which is split
    equally over the columns, is added to the sums; the centroids, noisy sums divided by
    sizes that follow from n and k alone, are clipped to the bounds.

    Rows come in the order of the released values and not in that of X: which records
    share a cell would not be private. For the same reason nothing of a record is kept,
    and `labels_` are those of the released rows. In two columns and more, noise beats
    that on single records only if k is at least about the square root of n.

    There is no random state: noise that can be repeated can be taken off.

    Parameters
    ----------
    k : int, default=3
        Least number of records in a cell.
    epsilon : float
        Privacy that the release spends; each call spends it again.
    bounds : mapping of column to (low, high), or sequence of (low, high)
        Between which values a column can lie, whoever is in the table. They are
        required, and must not be computed from the table.
    columns : sequence of str, optional
        Names of the columns, for bounds by name; by default those of X.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each released row.
    n_cells_ : int
        Number of cells.
    noise_scale_ : ndarray of shape (n_features,)
        Scale of the Laplace noise on the centroid of a cell of k records.

    References
    ----------
    .. [1] Soria-Comas, Domingo-Ferrer, Sanchez and Martinez (2014). Enhancing data
       utility in differential privacy via microaggregation-based k-anonymity. VLDB
       Journal 23, 771-794.

    Examples
    --------
    >>> ages = [[20], [62], [24], [60], [64]]
    >>> masked = DPMicroaggregator(2, epsilon=1.0, bounds=[(0, 120)])
    >>> masked.fit_transform(ages).shape
    (5, 1)
    >>> sorted(np.bincount(masked.labels_).tolist()), masked.noise_scale_
    ([2, 3], array([60.]))
    """

    capabilities = Capabilities(refinable=False, differentially_private=True)
    notices_: Sequence[str] = ()
    refinement_ = None

    def __init__(
        self,
        k: int = 3,
        *,
        epsilon: float | None = None,
        bounds: Any = None,
        columns: Sequence[str] | None = None,
    ) -> None:
        self.k = k
        self.epsilon = epsilon
        self.bounds = bounds
        self.columns = columns

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Make a release and forget it; see `fit_transform`."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: ArrayLike, y: Target = None) -> Records:
        """Make the release.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Every column that is released, the confidential ones included.
        y : None
            Not used: a column beside X would not be private.

        Returns
        -------
        X_released : ndarray of shape (n_samples, n_features)
            In the order of its values.
        """
        k, epsilon = check_k(self.k), check_epsilon(self.epsilon)
        X = check_records(self, X)
        check_enough(X.shape[0], k)
        bounds = check_bounds(self.bounds, self._names())
        sums, sizes = private_sums(X, k, epsilon, bounds)  # the rest sees no record
        centroids = from_steps(sums, sizes, bounds)
        order = np.lexsort(centroids.T[::-1])
        self.n_cells_ = len(sizes)
        self.labels_ = np.repeat(np.arange(self.n_cells_), sizes[order])
        widths = bounds[:, 1] - bounds[:, 0]
        self.noise_scale_ = sum_sensitivity(*sums.shape) * widths / (k * epsilon)
        return np.repeat(centroids[order], sizes[order], axis=0)

    def equip(self, *, publish: Publish, group: Group) -> Self:
        """What is released and how cells are formed is the mechanism's alone."""
        raise InputError(
            "A differentially private method forms and publishes its cells itself.",
            option="method",
        )

    def weighs(self, weights: Sequence[float]) -> bool:
        """Columns have their scale from the bounds; weights are refused elsewhere."""
        return True

    def _names(self) -> Any:
        if self.columns is not None:
            return list(self.columns)
        names = getattr(self, "feature_names_in_", None)
        return self.n_features_in_ if names is None else list(names)

    def name_columns(self, names: Names) -> None:
        """Say what the columns of X are called, and check that all have bounds."""
        check_epsilon(self.epsilon)
        check_bounds(self.bounds, list(names))
        self.columns = list(names)

    def whole_columns(self, names: Names) -> list[str]:
        """Columns whose bounds were given as integers: a table rounds them."""
        by_name = self.bounds
        if not isinstance(by_name, Mapping):
            by_name = dict(zip(names, by_name, strict=True))
        return [
            name
            for name in names
            if all(isinstance(end, numbers.Integral) for end in by_name[name])
        ]

    def keeps(self, n_columns: int) -> set[str]:
        """What a promise may be about: classes of the release, or how it was made."""
        return {"classes", "construction"}

    def promises(self, names: Names, beside: Names = ()) -> list[Promise]:
        """What a release of this plan promises: two claims that stand each alone."""
        bounds = check_bounds(self.bounds, list(names))
        private = DifferentialPrivacy(
            check_epsilon(self.epsilon),
            columns=tuple(names),
            bounds=tuple((float(low), float(high)) for low, high in bounds),
            mechanism=(
                "Insensitive microaggregation: cells in an order that each record has "
                "by itself, sums of the cells with discrete Laplace noise of OpenDP "
                f"{version('opendp')}, rows in the order of the released values"
            ),
        )
        return [private, KAnonymity(self.k)]

    @property
    def blocks_(self) -> list[list[int]]:
        """Columns that are masked together: all of them."""
        return [list(range(self.n_features_in_))]


def private_sums(
    X: np.ndarray, k: int, epsilon: float, bounds: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Noisy sums of insensitive cells, in steps and in the order of the cells.

    Returns
    -------
    sums : float64 ndarray of shape (n_cells, n_features)
    sizes : int64 ndarray of shape (n_cells,)
        Records of each cell, which follow from their number and k.
    """
    steps = to_steps(X, bounds)
    cells = Insensitive(k).fit_predict(steps / RESOLUTION)
    by_cell, sizes = np.argsort(cells, kind="stable"), np.bincount(cells)
    starts = np.cumsum(sizes) - sizes
    sums = np.add.reduceat(steps[by_cell], starts, axis=0)
    # All columns have the same range in steps, so one Laplace over all of them is the
    # equal split of epsilon.
    sensitivity = sum_sensitivity(*sums.shape) * RESOLUTION
    return noisy_sums(sums, sensitivity, epsilon), sizes


def sum_sensitivity(n_cells: int, n_features: int) -> int:
    """The most that all sums of insensitive cells move together, in ranges of a column.

    If one record is replaced, each cell changes by one record at most, so each of its
    sums moves by one range at most: n_cells * n_features.

    In one column it is 1. The corners are the two ends, so cells are made of the least
    and of the greatest values that are left, in turn: each cell is a run of the sorted
    column, from a rank to a rank that follow from n and k alone. Let x be replaced by a
    greater x'. No order statistic falls, and the sum of all of them, which is that of
    the column, grows by x' - x. So the absolute changes of the order statistics add up
    to x' - x, and those of sums over disjoint sets of ranks to no more.

    Nothing less is proven for two columns and more. With two cells of two columns the
    sums can move by more than 0.94 of it, and by nearly half of it however many cells
    there are (both are tests): in two columns no more than half could be saved.

    Examples
    --------
    >>> sum_sensitivity(n_cells=11, n_features=2), sum_sensitivity(11, 1)
    (22, 1)
    """
    return 1 if n_features == 1 else n_cells * n_features
