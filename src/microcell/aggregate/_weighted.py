"""Weighted: aggregators to which records may count more or less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np
from sklearn.base import clone

from microcell._slices import rows_of
from microcell._validation import check_weights
from microcell.base import BaseAggregator

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class Weighted(BaseAggregator):
    """Base of aggregators that take how many people each record stands for."""

    def __init__(self, weights: ArrayLike | None = None) -> None:
        self.weights = weights

    def take_rows(self, rows: np.ndarray) -> Self:
        """The same for a part of the records."""
        return clone(self).set_params(weights=rows_of(self.weights, rows))

    def weighed(self, votes: np.ndarray) -> Self:
        """The same, with votes beside the weights."""
        own = self._checked(len(votes))
        return clone(self).set_params(weights=votes if own is None else votes * own)

    def _checked(self, n_samples: int) -> np.ndarray | None:
        """The weights, one for each record."""
        return None if self.weights is None else check_weights(self.weights, n_samples)
