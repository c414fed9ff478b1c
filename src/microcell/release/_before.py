"""The original beside its release, for reports: in memory alone, never written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import narwhals as nw
import numpy as np

from microcell.metrics import SizeRisk
from microcell.pipeline import hash_order
from microcell.privacy import as_polars


@dataclass(frozen=True, eq=False)
class Before:
    """Records before and after, in the same numbers: all, or those of a sample.

    Attributes
    ----------
    encoders : sequence of Encoder
        What was learnt from each quasi-identifier; `name`, `kind`, `decode`.
    X : ndarray of shape (n_records, n_quasi_identifiers)
        The original before anything was clipped, merged or filled: numbers as they
        are, dates in microseconds, categories as codes; NaN is missing.
    X_released : ndarray of shape (n_records, n_quasi_identifiers)
        What was released, in the same numbers; an interval counts as its middle.
    scaler : ColumnScaler
        How columns get a common scale, learnt on the original; codes stay codes.
    table : dataframe
        What was released of these records.
    units : ndarray of shape (n_records,) or None
        Whose record each is, where k counts an identifier.
    cell_sizes : ndarray of shape (n_records,) or None
        Records in the cell of each, where these are of a table in parts.
    knowledge : sequence of SizeRisk or None
        What was counted of all records, if these are a sample: how many share what
        somebody knows.
    is_sample : bool
        Whether these are some of the records alone.
    """

    encoders: Sequence[Any] = field(repr=False)  # no log shows what they learnt
    X: np.ndarray = field(repr=False)
    X_released: np.ndarray = field(repr=False)
    scaler: Any
    table: Any = field(repr=False)
    units: np.ndarray | None = field(default=None, repr=False)
    cell_sizes: np.ndarray | None = field(default=None, repr=False)
    knowledge: Sequence[SizeRisk] | None = None
    is_sample: bool = False

    @property
    def names(self) -> list[str]:
        """The quasi-identifiers."""
        return [encoder.name for encoder in self.encoders]

    def ordered(self) -> Before:
        """The same in an order that depends on the records alone.

        The first of them stand for all where only some are looked at.
        """
        columns = nw.from_native(self.table, eager_only=True).columns
        table = as_polars(self.table, columns)
        rows = hash_order(self.X, self.X_released, table.drop(self.names))
        return replace(
            self,
            X=self.X[rows],
            X_released=self.X_released[rows],
            table=table[rows],
            units=None if self.units is None else self.units[rows],
            cell_sizes=None if self.cell_sizes is None else self.cell_sizes[rows],
        )
