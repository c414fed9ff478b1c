"""The original beside its release, for reports: in memory alone, never written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Before:
    """Quasi-identifiers before and after, in the same numbers.

    Attributes
    ----------
    encoders : sequence of Encoder
        What was learnt from each quasi-identifier; `name`, `kind`, `decode`.
    X : ndarray of shape (n_released, n_quasi_identifiers)
        The original before anything was clipped, merged or filled: numbers as they
        are, dates in microseconds, categories as codes; NaN is missing.
    X_released : ndarray of shape (n_released, n_quasi_identifiers)
        What was released, in the same numbers; an interval counts as its middle.
    scaler : ColumnScaler
        How columns get a common scale, learnt on the original; codes stay codes.
    target : ndarray of shape (n_released,) or None
        The confidential attribute that shaped the cells.
    """

    encoders: Sequence[Any] = field(repr=False)  # no log shows what they learnt
    X: np.ndarray = field(repr=False)
    X_released: np.ndarray = field(repr=False)
    scaler: Any
    target: np.ndarray | None = field(default=None, repr=False)

    @property
    def names(self) -> list[str]:
        """The quasi-identifiers."""
        return [encoder.name for encoder in self.encoders]
