"""Enforce: cells that keep promises about confidential attributes, by merging."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import clone

from microcell._capabilities import Capabilities
from microcell._slices import take_rows
from microcell.compose._by_unit import unit_codes
from microcell.compose._merging import merge_until_kept
from microcell.compose._promise_check import (
    PromiseCheck,
    as_promises,
    codes_of,
    n_units,
    totals_of,
)
from microcell.compose._wrapper import (
    PartitionWrapper,
    refinement_of,
    start_labels_of,
)
from microcell.kernels.codes import with_codes
from microcell.refine import sum_of_squares

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from sklearn.utils import Tags

    from microcell.base import BasePartitioner, Labels, Records, Target
    from microcell.compose._promise_check import Totals
    from microcell.privacy import CellModel


class Enforce(PartitionWrapper):
    """Merge the cells of a partition until each keeps all promises.

    In rounds: each cell that fails looks for the cell of the nearest centroid (the
    earlier on ties), and they are joined in the order of those distances; who took part
    waits for the next round, but a cell that keeps the promises takes in all that come,
    and one that has become large takes in several that are small beside it. Merging
    never makes a cell smaller, so k holds, and of two cells that keep a promise the
    union does. A round costs a search for nearest neighbours among the centroids, and
    as a rule half of the failing cells are gone after it.

    Cells that a search made lose less than those that it began with, but once merged
    they can lose more: both are merged then, and those that lose less are the result.

    Parameters
    ----------
    partition : partitioner
        How cells are formed at first.
    promises : CellModel or sequence of CellModel
        For example ``PSensitivity(2)``, or several that are to hold together.
    values : array-like of shape (n_samples,) or (n_samples, n_promises), optional
        Codes of the confidential attribute, 0 to n_values - 1, in order for promises
        that go by it; a column for each promise if they differ. By default `y`.
    totals : sequence of array-like, optional
        People of each value in the whole table, for each promise, if the values here
        are a part of it.
    units : array-like of shape (n_samples,), optional
        Whose record each is: promises count people who have a value. `partition` puts
        all records of a unit into one cell, as `ByUnit` does, or is `UnitsApart`.
    n_people : int, optional
        People of the whole table, where `totals` counts some of them several times.

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

    def __init__(
        self,
        partition: BasePartitioner,
        promises: CellModel | Sequence[CellModel],
        *,
        values: ArrayLike | None = None,
        totals: Totals | None = None,
        units: ArrayLike | None = None,
        n_people: int | None = None,
    ) -> None:
        self.partition = partition
        self.promises = promises
        self.values = values
        self.totals = totals
        self.units = units
        self.n_people = n_people

    @property
    def capabilities(self) -> Capabilities:
        """Those of the partitioner inside, whose cells no search would keep."""
        return replace(
            super().capabilities, refinable=False, keeps_more=True, by_unit=True
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required |= self.values is None
        return tags

    def take_rows(self, rows: np.ndarray) -> Self:
        """The same promises for a part of the records, checked against all of them."""
        inside = take_rows(self.partition, rows)
        units = self._units()
        given: dict[str, Any] = {} if units is None else {"units": units[rows]}
        if self.values is None:
            return type(self)(inside, self.promises, **given)
        n_samples = np.shape(self.values)[0]
        n_promises = len(as_promises(self.promises))
        codes = codes_of(self.values, None, n_samples, n_promises)
        given |= {"totals": self.totals, "n_people": self.n_people}
        if self.totals is None:
            given |= {"totals": totals_of(codes, units), "n_people": n_units(units)}
        return type(self)(inside, self.promises, values=codes[rows], **given)

    def _partition(self, X: Records, y: Target) -> Labels:
        check = PromiseCheck(
            as_promises(self.promises),
            self._codes(y, len(X)),
            self.totals,
            self._units(),
            self.n_people,
        )
        check.check_possible()
        self.partition_ = clone(self.partition).fit(X, y)
        cells = self.partition_.labels_
        if check.parts_units(cells) and not self.capabilities.units_apart:
            raise ValueError(
                "Promises count units, but some units have records in several cells. "
                "Put the partition into ByUnit, or into UnitsApart."
            )
        table, codes = with_codes(X, self.categorical_features, self.mismatch_units)
        labels = merge_until_kept(table, self.partition_.labels_, check, codes)
        n_before = self.partition_.n_cells_
        refined = self.refinement_ = refinement_of(self.partition_)
        start = start_labels_of(self.partition_)
        if start is not None and refined is not None:
            merged = merge_until_kept(table, start, check, codes)
            merged_sse = sum_of_squares(table, codes, merged)
            if merged_sse < sum_of_squares(table, codes, labels):
                labels, n_before = merged, int(start.max()) + 1
                self.refinement_ = replace(
                    refined, start_loss=None, loss=None, lower_bound=None
                )
        self.notices_ = list(self.partition_.notices_)
        self.n_merged_ = n_before - (int(labels.max()) + 1)
        return labels

    def _units(self) -> np.ndarray | None:
        return None if self.units is None else unit_codes(np.asarray(self.units))

    def _codes(self, y: ArrayLike | None, n_samples: int) -> np.ndarray:
        return codes_of(self.values, y, n_samples, len(as_promises(self.promises)))
