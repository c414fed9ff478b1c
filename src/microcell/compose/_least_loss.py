"""LeastLoss: several ways to form cells, and those that lose least."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from sklearn.base import clone

from microcell._capabilities import Capabilities, capabilities_of
from microcell._slices import take_rows
from microcell.base import BasePartitioner, Columns, Labels, Records, Target, Units
from microcell.compose._wrapper import PartitionWrapper, refinement_of
from microcell.exceptions import Notice, Option
from microcell.kernels.codes import with_codes
from microcell.refine import sum_of_squares

BUILT_LOSES_LESS = (
    "cells are built for the promise, which loses less than to merge them"
)


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

    def __init__(
        self, partition: BasePartitioner, others: Mapping[str, BasePartitioner]
    ) -> None:
        self.partition = partition
        self.others = others

    @property
    def capabilities(self) -> Capabilities:
        """Those of the first; codes only if all of them take them."""
        return replace(
            super().capabilities,
            takes_codes=all(capabilities_of(p).takes_codes for p in self._parts()),
            refinable=False,
            keeps_more=True,
        )

    def mark_codes(self, columns: Columns, units: Units | None = None) -> None:
        """Let these columns of X hold codes."""
        for part in self._parts():
            part.mark_codes(columns, units)

    def take_rows(self, rows: np.ndarray) -> LeastLoss:
        """The same choice for a part of the records."""
        others = {way: take_rows(part, rows) for way, part in self.others.items()}
        return LeastLoss(take_rows(self.partition, rows), others)

    def _parts(self) -> tuple[BasePartitioner, ...]:
        return self.partition, *self.others.values()

    def _partition(self, X: Records, y: Target) -> Labels:
        fitted = [clone(part).fit(X, y) for part in self._parts()]
        table, codes = with_codes(X, self.categorical_features, self.mismatch_units)
        losses = [sum_of_squares(table, codes, part.labels_) for part in fitted]
        best = int(np.argmin(losses))
        self.chosen_ = ("", *self.others)[best]
        self.notices_ = []
        if self.chosen_:
            self.notices_.append(
                Notice(BUILT_LOSES_LESS, Option("enforce", self.chosen_))
            )
        self.partition_ = fitted[best]
        self.refinement_ = refinement_of(self.partition_)
        return self.partition_.labels_
