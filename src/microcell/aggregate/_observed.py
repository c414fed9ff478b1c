"""Observed: what is published of cells in which values are missing."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from microcell._slices import take_columns, take_rows
from microcell._validation import check_choice
from microcell.aggregate._mode import Mode
from microcell.base import BaseAggregator, Labels, Records


class Observed(BaseAggregator):
    """Publish the values of a cell that are there; missing ones (NaN) have no say.

    All records of a cell get the same, so nobody learns who of them missed a value.
    Where a cell has a single value, that value is published.

    Parameters
    ----------
    aggregator : aggregator
        What is published of the values that are there, column by column.
    missing : {"ignore", "category"}, default="ignore"
        What a cell releases that misses a value: if ignored, it gets what all records
        together would publish where none of its own has a value, and so nothing is
        missing in the release. As a category, missing is released where more than half
        of the records miss the value, or, of a mode, where that is the most frequent.

    Examples
    --------
    >>> from microcell.aggregate import Centroid
    >>> X = [[1.0], [2.0], [np.nan], [4.0]]
    >>> Observed(Centroid()).aggregate(X, [0, 0, 0, 0]).ravel()
    array([2.33333333, 2.33333333, 2.33333333, 2.33333333])
    """

    takes_missing = True

    def __init__(self, aggregator: BaseAggregator, missing: str = "ignore") -> None:
        self.aggregator = aggregator
        self.missing = missing

    @property
    def values_per_column(self) -> int:  # type: ignore[override]
        """Columns released for each column of X, as the aggregator inside has it."""
        return self.aggregator.values_per_column

    @property
    def bounded(self) -> bool:  # type: ignore[override]
        """Whether values stay in the range of their cell; not where it has none."""
        return self.aggregator.bounded and self.missing == "category"

    def weighed(self, votes: np.ndarray) -> Observed:
        """The same, with records that count by votes."""
        return Observed(self.aggregator.weighed(votes), self.missing)

    def _aggregate(self, X: Records, labels: Labels) -> Records:
        check_choice("missing", self.missing, ("ignore", "category"))
        if not self.aggregator.constant_within_cells:
            raise ValueError(
                f"{type(self.aggregator).__name__} gives each record a value of its "
                "own, so that one that misses it cannot be published."
            )
        columns = [self._column(X[:, [j]], j, labels) for j in range(X.shape[1])]
        return np.hstack(columns)

    def _column(self, column: np.ndarray, j: int, labels: np.ndarray) -> np.ndarray:
        part = take_columns(clone(self.aggregator), [j])
        observed = ~np.isnan(column[:, 0])
        if observed.all():
            return part.aggregate(column, labels)
        if self.missing == "category" and isinstance(part, Mode):
            values, codes = np.unique(column, return_inverse=True)  # NaN comes last
            return values[part.aggregate(codes.reshape(-1, 1), labels).astype(int)]
        rows = np.flatnonzero(observed)
        values = np.full((labels.max() + 1, self.values_per_column), np.nan)
        if rows.size == 0:
            return values[labels]
        part = take_rows(part, rows)
        cells, first, inside = np.unique(
            labels[rows], return_index=True, return_inverse=True
        )
        values[cells] = part.aggregate(column[rows], inside)[first]
        if self.missing == "category":
            n_observed = np.bincount(labels[rows], minlength=len(values))
            values[2 * n_observed < np.bincount(labels)] = np.nan
        elif cells.size < len(values):
            of_all = part.aggregate(column[rows], np.zeros_like(rows))[0]
            values[np.setdiff1d(np.arange(len(values)), cells)] = of_all
        return values[labels]
