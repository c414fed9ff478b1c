"""OneVote: nobody counts more than once in what a cell publishes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from microcell._slices import take_columns, take_rows
from microcell.base import BaseAggregator

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class OneVote(BaseAggregator):
    """Let each unit of a cell have one vote, however many records it has there.

    The votes of a unit are shared out among its records in the cell: of a cell with
    three visits of one patient and one of each of four others, a mean is the mean over
    five patients, of the mean of the three and the four. With sampling weights a unit
    weighs what its records do on average. That holds for means, medians and modes;
    medoids, sets and the ends of intervals are values that occur, however often.

    Parameters
    ----------
    aggregator : aggregator
        What is published; one that needs neither y nor the partitioner.
    units : array-like of shape (n_samples,)
        The unit of each record.

    Attributes
    ----------
    published_ : aggregator
        What the last release was published by.

    Examples
    --------
    >>> from microcell.aggregate import Centroid
    >>> stays = [[9.0], [9.0], [9.0], [1.0], [2.0]]
    >>> OneVote(Centroid(), units=list("aaabc")).aggregate(stays, [0] * 5)[0]
    array([4.])
    """

    def __init__(self, aggregator: BaseAggregator, *, units: ArrayLike) -> None:
        self.aggregator = aggregator
        self.units = units

    @property
    def values_per_column(self) -> int:  # type: ignore[override]
        """Columns released for each column of X, as the aggregator inside has it."""
        return self.aggregator.values_per_column

    @property
    def constant_within_cells(self) -> bool:  # type: ignore[override]
        """Whether all records of a cell are released alike."""
        return self.aggregator.constant_within_cells

    @property
    def bounded(self) -> bool:  # type: ignore[override]
        """Whether values stay in the range of their cell."""
        return self.aggregator.bounded

    @property
    def takes_missing(self) -> bool:  # type: ignore[override]
        """Whether missing values may be among those of X."""
        return self.aggregator.takes_missing

    @property
    def notices_(self) -> list[str]:  # type: ignore[override]
        """What is to be said of the last release."""
        published: Any = getattr(self, "published_", self.aggregator)
        return list(published.notices_)

    def take_rows(self, rows: np.ndarray) -> Self:
        """The same for a part of the records."""
        inside = take_rows(self.aggregator, rows)
        return type(self)(inside, units=np.asarray(self.units)[rows])

    def take_columns(self, columns: Any) -> Self:
        """The same for a block of the columns."""
        return type(self)(take_columns(self.aggregator, columns), units=self.units)

    def _aggregate(
        self, X: NDArray[np.float64], labels: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        units = np.asarray(self.units)
        if units.shape != labels.shape:
            raise ValueError(
                f"units must name the unit of each of the {labels.size} records. "
                f"Got shape {units.shape} instead."
            )
        self.published_, votes = self.aggregator, votes_of(labels, units)
        if (votes < 1).any():
            self.published_ = self.aggregator.weighed(votes)
        return self.published_.aggregate(X, labels)


def votes_of(labels: np.ndarray, units: np.ndarray) -> np.ndarray:
    """What each record counts, so that a unit has one vote in a cell.

    Examples
    --------
    >>> votes_of(np.array([0, 0, 0, 1]), np.array([7, 7, 3, 7]))
    array([0.5, 0.5, 1. , 1. ])
    """
    codes = np.unique(units, return_inverse=True)[1]
    pairs = labels * (int(codes.max(initial=0)) + 1) + codes
    which, counts = np.unique(pairs, return_inverse=True, return_counts=True)[1:]
    return 1.0 / counts[which]
