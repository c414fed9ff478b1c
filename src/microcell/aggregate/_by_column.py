"""ByColumn: another aggregator for some columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microcell._slices import take_columns, take_rows
from microcell.base import BaseAggregator, BasePartitioner, Labels, Records, Target
from microcell.exceptions import InputError


def _together(how: Callable[[Iterator[Any]], Any], name: str) -> Any:
    """What the parts are, all of them, any of them or the most."""
    return property(lambda self: how(getattr(part, name) for part, _ in self.parts))


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

    values_per_column = _together(max, "values_per_column")
    constant_within_cells = _together(all, "constant_within_cells")
    takes_missing = _together(any, "takes_missing")
    needs_target = _together(any, "needs_target")
    needs_partition = _together(any, "needs_partition")
    regroups = _together(any, "regroups")

    @property
    def notices_(self) -> list[str]:  # type: ignore[override]
        """What the parts say of the last release."""
        return [notice for part, _ in self.parts for notice in part.notices_]

    def regroup(
        self, X: Records, labels: Labels, y: Target, partition: BasePartitioner
    ) -> Labels:
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
            if kept:
                places = [place_of[named[own]] for own in kept]
                parts.append((take_columns(aggregator, kept), places))
        return ByColumn(parts)

    def take_rows(self, rows: np.ndarray) -> ByColumn:
        """The same for a part of the records."""
        return ByColumn([(take_rows(part, rows), named) for part, named in self.parts])

    def weighed(self, votes: np.ndarray) -> ByColumn:
        """The same, with records that count by votes."""
        return ByColumn(
            [(part.weighed(votes), columns) for part, columns in self.parts]
        )

    def _aggregate(
        self,
        X: Records,
        labels: Labels,
        y: NDArray[Any] | None = None,
        partition: Any = None,
    ) -> Records:
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
