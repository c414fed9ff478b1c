"""ByColumn: another aggregator for some columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from microcell.base import BaseAggregator
from microcell.exceptions import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from microcell.base import BasePartitioner


class ByColumn(BaseAggregator):
    """Publish groups of columns in different ways.

    Parameters
    ----------
    parts : list of (aggregator, columns)
        Which aggregator works on which columns of X. Every column of X must be named
        once. Where one part releases intervals, a single value of another part
        stands for both ends.

    Examples
    --------
    >>> from microcell.aggregate import Centroid, Mode
    >>> mixed = ByColumn([(Centroid(), [0]), (Mode(), [1])])
    >>> mixed.aggregate([[1, 4], [3, 4], [8, 6]], [0, 0, 0])
    array([[4., 4.],
           [4., 4.],
           [4., 4.]])
    """

    def __init__(self, parts: Sequence[tuple[BaseAggregator, Sequence[int]]]) -> None:
        self.parts = parts

    @property
    def values_per_column(self) -> int:  # type: ignore[override]
        """Columns released for each column of X: the most that a part releases."""
        return max(aggregator.values_per_column for aggregator, _ in self.parts)

    @property
    def constant_within_cells(self) -> bool:  # type: ignore[override]
        """Whether all parts release the records of a cell alike."""
        return all(aggregator.constant_within_cells for aggregator, _ in self.parts)

    @property
    def takes_missing(self) -> bool:  # type: ignore[override]
        """Whether a part does; each checks its own columns."""
        return any(aggregator.takes_missing for aggregator, _ in self.parts)

    @property
    def needs_target(self) -> bool:  # type: ignore[override]
        """Whether a part uses the confidential attribute."""
        return any(aggregator.needs_target for aggregator, _ in self.parts)

    @property
    def needs_partition(self) -> bool:  # type: ignore[override]
        """Whether a part uses the partitioner."""
        return any(aggregator.needs_partition for aggregator, _ in self.parts)

    @property
    def notices_(self) -> list[str]:  # type: ignore[override]
        """What the parts say of the last release."""
        return [notice for part, _ in self.parts for notice in part.notices_]

    @property
    def regroups(self) -> bool:  # type: ignore[override]
        """Whether a part gives records to other cells."""
        return any(part.regroups for part, _ in self.parts)

    def regroup(
        self,
        X: NDArray[np.float64],
        labels: NDArray[np.int64],
        y: ArrayLike | None,
        partition: BasePartitioner,
    ) -> NDArray[np.int64]:
        """New cells, where one part sees all columns."""
        if len(self.parts) > 1:
            raise InputError(
                "Records go to other prototypes by all quasi-identifiers, and some "
                "are not numbers.",
                option="membership",
                hint="Give membership='fixed'.",
            )
        return self.parts[0][0].regroup(X, labels, y, partition)

    def take_columns(self, columns: Sequence[int]) -> ByColumn:
        """The same for a block of the columns, by their new positions."""
        place_of = {column: place for place, column in enumerate(columns)}
        parts = []
        for aggregator, named in self.parts:
            kept = [own for own, column in enumerate(named) if column in place_of]
            if kept and hasattr(aggregator, "take_columns"):
                aggregator = aggregator.take_columns(kept)
            parts.append((aggregator, [place_of[named[own]] for own in kept]))
        return ByColumn([(part, places) for part, places in parts if places])

    def take_rows(self, rows: np.ndarray) -> ByColumn:
        """The same for a part of the records."""
        return ByColumn(
            [
                (part.take_rows(rows) if hasattr(part, "take_rows") else part, columns)
                for part, columns in self.parts
            ]
        )

    def weighed(self, votes: np.ndarray) -> ByColumn:
        """The same, with records that count by votes."""
        return ByColumn(
            [(part.weighed(votes), columns) for part, columns in self.parts]
        )

    def _aggregate(
        self,
        X: NDArray[np.float64],
        labels: NDArray[np.int64],
        y: NDArray[Any] | None = None,
        partition: Any = None,
    ) -> NDArray[np.float64]:
        named = [column for _, columns in self.parts for column in columns]
        if sorted(named) != list(range(X.shape[1])):
            raise ValueError(
                f"'parts' must name each of the {X.shape[1]} columns of X once. "
                f"Got {named} instead."
            )
        width = self.values_per_column
        X_released = np.empty((X.shape[0], X.shape[1], width))
        for aggregator, columns in self.parts:
            columns = list(columns)
            values = aggregator.aggregate(X[:, columns], labels, y, partition=partition)
            values = values.reshape(X.shape[0], len(columns), -1)
            X_released[:, columns] = values  # one value fills both ends
        return X_released.reshape(X.shape[0], -1)
