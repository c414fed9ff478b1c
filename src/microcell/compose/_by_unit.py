"""ByUnit: cells of whole units, for tables in which a person has several records."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import clone

from microcell._capabilities import Capabilities, capabilities_of
from microcell._validation import check_labels
from microcell.aggregate import cell_means, mode_of_cells
from microcell.compose._wrapper import (
    PartitionWrapper,
    refinement_of,
    start_labels_of,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from microcell.base import BasePartitioner, Labels, Records, Target


class OfUnits(PartitionWrapper):
    """Base of partitioners whose k counts units."""

    def __init__(self, partition: BasePartitioner, *, units: ArrayLike) -> None:
        self.partition = partition
        self.units = units

    def take_rows(self, rows: np.ndarray) -> Self:
        """The same units for a part of the records."""
        return type(self)(self.partition, units=np.asarray(self.units)[rows])

    def _count_units(self, n_samples: int) -> np.ndarray:
        """Number of each record's unit; there are k units at least."""
        codes = self._unit_codes(n_samples)
        self.n_units_ = int(codes.max()) + 1
        if self.n_units_ < self.k:
            raise ValueError(
                f"k={self.k} counts units; the table has {self.n_units_}. Lower k or "
                "add units."
            )
        return codes

    def _unit_codes(self, n_samples: int) -> np.ndarray:
        units = np.asarray(self.units)
        if units.shape != (n_samples,):
            raise ValueError(
                f"units must name the unit of each of the {n_samples} records. "
                f"Got shape {units.shape} instead."
            )
        return unit_codes(units)


class ByUnit(OfUnits):
    """Put all records of a unit into one cell, and let k count units.

    A unit is whoever is to be protected: a patient with several visits, a firm with
    several years. Cells of k records may all be visits of one patient; cells of k units
    hide each patient among at least k - 1 others. A unit is represented by the mean of
    its records, and in columns of codes by the most frequent; with one record for each
    unit, cells are those of `partition`.

    Parameters
    ----------
    partition : partitioner
        How cells of units are formed; one that needs y is refused, because the
        records of a unit may differ in it. Units come in the order in which the table
        first names them, so ``ByUnit(ByStratum(MDAV(5), strata=strata), units=units)``
        takes the stratum of each unit in that order.
    units : array-like of shape (n_samples,)
        The unit of each record.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.
    n_units_ : int
        Number of units.
    start_labels_ : ndarray of shape (n_samples,)
        Cells before a search, where `partition` searches.

    Examples
    --------
    >>> from microcell.partition import MDAV
    >>> visits = [[0.0], [0.2], [0.1], [5.0], [5.2]]
    >>> part = ByUnit(MDAV(k=2), units=["ann", "ann", "bob", "cid", "dee"])
    >>> part.fit(visits).labels_
    array([1, 1, 1, 0, 0])
    """

    @property
    def capabilities(self) -> Capabilities:
        """Those of the partitioner inside, whose cells no search would keep."""
        return replace(
            super().capabilities, refinable=False, keeps_more=True, by_unit=True
        )

    def _partition(self, X: Records, y: Target) -> Labels:
        if capabilities_of(self.partition).needs_target:
            raise ValueError(
                f"{type(self.partition).__name__} needs y, which is not defined for a "
                "unit: its records may differ in it. Choose a partitioner without y."
            )
        codes = self._count_units(X.shape[0])
        coded = self.categorical_features
        table = cell_means(X, codes)
        for column in () if coded is None else np.arange(X.shape[1])[coded]:
            table[:, column] = mode_of_cells(X[:, column], codes)
        self.partition_ = clone(self.partition).fit(table)
        self.refinement_ = refinement_of(self.partition_)
        start = start_labels_of(self.partition_)
        self.start_labels_ = None if start is None else start[codes]
        return check_labels(self.partition_.labels_, self.n_units_, self.k)[codes]


def unit_codes(units: Any) -> np.ndarray:
    """Number of each record's unit, in the order of their first records.

    Examples
    --------
    >>> unit_codes(np.array(["bob", "ann", "bob", "cid"]))
    array([0, 1, 0, 2])
    """
    missing = np.asarray(units != units)  # NaN and NaT
    if units.dtype == object:
        missing = missing | np.equal(units, None)  # type: ignore[call-overload]
    if missing.any():
        raise ValueError(
            f"units has {missing.sum()} missing value(s): whose records are those? "
            "Name their units, or leave them out."
        )
    try:
        _, first, codes = np.unique(units, return_index=True, return_inverse=True)
    except TypeError:
        raise ValueError(
            "units holds values of several types that have no common order. Name all "
            "units by text, or all by numbers."
        ) from None
    place = np.empty_like(first)
    place[np.argsort(first)] = np.arange(first.size)
    return place[codes]
