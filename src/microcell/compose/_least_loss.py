"""LeastLoss: several ways to form cells, and those that lose least."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from microcell._slices import take_rows
from microcell.compose._refinement import refinement_of
from microcell.compose._wrapper import PartitionWrapper
from microcell.exceptions import Notice, Option
from microcell.kernels.codes import with_codes
from microcell.refine import sum_of_squares

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microcell.base import BasePartitioner


class LeastLoss(PartitionWrapper):
    """The cells of the partitioner that loses least.

    Parameters
    ----------
    partition : partitioner
        The first one; it wins ties.
    others : mapping of str to partitioner
        Further ones, which keep the same promises, by the way they go.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    chosen_ : str
        Which of `others` it was; empty for `partition`.

    Examples
    --------
    >>> from microcell.partition import MDAV, Mondrian
    >>> X = [[0.0], [0.1], [5.0], [5.1], [5.2], [5.3]]
    >>> LeastLoss(Mondrian(k=2), {"mdav": MDAV(k=2)}).fit(X).chosen_
    'mdav'
    """

    refinable = False
    keeps_more = True

    def __init__(
        self, partition: BasePartitioner, others: Mapping[str, BasePartitioner]
    ) -> None:
        self.partition = partition
        self.others = others

    @property
    def takes_codes(self) -> bool:  # type: ignore[override]
        """Whether all of them do."""
        return all(getattr(part, "takes_codes", False) for part in self._parts())

    def mark_codes(self, columns: Any, units: Any = None) -> None:
        """Let these columns of X hold codes."""
        for part in self._parts():
            part.mark_codes(columns, units)

    def take_rows(self, rows: np.ndarray) -> LeastLoss:
        """The same choice for a part of the records."""
        others = {way: take_rows(part, rows) for way, part in self.others.items()}
        return LeastLoss(take_rows(self.partition, rows), others)

    @property
    def notices_(self) -> list[str]:
        """What was chosen, where it is not the first."""
        if not self.chosen_:
            return []
        said = "cells are built for the promise, which loses less than to merge them"
        return [Notice(said, Option("enforce", self.chosen_))]

    def _parts(self) -> tuple[BasePartitioner, ...]:
        return self.partition, *self.others.values()

    def _partition(self, X: NDArray[np.float64], y: Any) -> NDArray[np.int64]:
        fitted = [clone(part).fit(X, y) for part in self._parts()]
        table, codes = with_codes(X, self.categorical_features, self.mismatch_units)
        losses = [sum_of_squares(table, codes, part.labels_) for part in fitted]
        best = int(np.argmin(losses))
        self.chosen_ = ("", *self.others)[best]
        self.partition_ = fitted[best]
        self.refinement_ = refinement_of(self.partition_)
        return self.partition_.labels_
