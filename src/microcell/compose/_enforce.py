"""Enforce: cells that keep a promise about the confidential attribute."""

import numpy as np
from sklearn.base import clone

from microcell._slices import take_rows
from microcell.aggregate._centroid import cell_means
from microcell.compose._wrapper import PartitionWrapper
from microcell.exceptions import InputError
from microcell.privacy import cell_values


class Enforce(PartitionWrapper):
    """Merge the cells of a partition until each keeps a promise.

    The cell that comes first among those that fail is merged with the cell of the
    nearest centroid (the earlier on ties), again and again. Merging never makes a cell
    smaller, so k holds. With F failing cells among m the cost is O(F m d).

    Parameters
    ----------
    partition : partitioner
        How cells are formed at first.
    promise : CellModel
        For example ``PSensitivity(2)``.
    values : array-like of shape (n_samples,), optional
        Codes of the confidential attribute, 0 to n_values - 1; by default `y`.
    totals : array-like of shape (n_values,), optional
        Records of each value in the whole table, if the values here are a part of it.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.
    n_merged_ : int
        How many cells were merged into another.

    Examples
    --------
    >>> from microcell.partition import MDAV
    >>> from microcell.privacy import PSensitivity
    >>> X = [[0.0], [0.1], [5.0], [5.1], [9.0], [9.1]]
    >>> ill = [0, 0, 0, 1, 0, 1]
    >>> Enforce(MDAV(k=2), PSensitivity(2)).fit(X, ill).labels_
    array([1, 1, 1, 1, 0, 0])
    """

    def __init__(self, partition, promise, *, values=None, totals=None):
        self.partition = partition
        self.promise = promise
        self.values = values
        self.totals = totals

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required |= self.values is None
        return tags

    def take_rows(self, rows):
        """The same promise for a part of the records, judged against all of them."""
        if self.values is None:
            return type(self)(take_rows(self.partition, rows), self.promise)
        values = np.asarray(self.values)
        totals = np.bincount(values) if self.totals is None else self.totals
        inside = take_rows(self.partition, rows)
        return type(self)(inside, self.promise, values=values[rows], totals=totals)

    def _partition(self, X, y):
        codes = self._codes(y, X.shape[0])
        totals = np.bincount(codes) if self.totals is None else np.asarray(self.totals)
        whole = cell_values(np.zeros_like(codes), codes, totals)
        if not self.promise.cells_hold(whole).all():
            reached = self.promise.levels(whole)[0].item()
            column = self.promise.column
            of_column = "" if column is None else f" of {column!r}"
            raise InputError(
                f"{self.promise.name}{of_column} of {self.promise.level} cannot hold: "
                f"all {X.shape[0]} records in one cell reach {reached:.6g}.",
                column=column,
                option="promises",
                hint="Promise no more than that, or leave the promise out; inside of "
                "strata it must hold in each.",
            )
        self.partition_ = clone(self.partition).fit(X, y)
        labels = self._merged(X, self.partition_.labels_, codes, totals)
        self.n_merged_ = self.partition_.n_cells_ - (int(labels.max()) + 1)
        return labels

    def _codes(self, y, n_samples):
        given = y if self.values is None else self.values
        if given is None:
            raise ValueError(
                "requires y to be passed, but the target y is None: a promise is about "
                "the confidential attribute."
            )
        codes = np.asarray(given)
        if codes.shape != (n_samples,):
            raise ValueError(
                f"'values' must hold one code for each of the {n_samples} records. "
                f"Got shape {codes.shape} instead."
            )
        return (
            codes
            if self.values is not None
            else np.unique(codes, return_inverse=True)[1]
        )

    def _merged(self, X, labels, codes, totals):
        holds = self.promise.cells_hold(cell_values(labels, codes, totals))
        sizes = np.bincount(labels).astype(np.float64)
        centroids = cell_means(X, labels)
        order = np.argsort(labels, kind="stable")
        members = np.split(order, np.cumsum(sizes.astype(np.int64))[:-1])
        alive = np.ones(sizes.size, dtype=bool)
        for cell in np.flatnonzero(~holds):
            while alive[cell] and not holds[cell]:
                distances = np.sum((centroids - centroids[cell]) ** 2, axis=1)
                distances[~alive] = np.inf
                distances[cell] = np.inf
                into = int(np.argmin(distances))
                share = sizes[cell] / (sizes[cell] + sizes[into])
                centroids[into] += share * (centroids[cell] - centroids[into])
                sizes[into] += sizes[cell]
                members[into] = np.concatenate([members[into], members[cell]])
                alive[cell] = False
                holds[into] = self._holds(codes[members[into]], totals)
                cell = into
        merged = np.empty_like(labels)
        for new, cell in enumerate(np.flatnonzero(alive)):
            merged[members[cell]] = new
        return merged

    def _holds(self, codes, totals):
        cell = cell_values(np.zeros_like(codes), codes, totals)
        return bool(self.promise.cells_hold(cell)[0])
