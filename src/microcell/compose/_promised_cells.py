"""PromisedCells: base of partitioners that build cells for a promise."""

from abc import abstractmethod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Tags

from microcell.base import BasePartitioner, Columns, Labels, Records, Target, Units
from microcell.compose._merging import merge_until_kept
from microcell.compose._promise_check import PromiseCheck, Totals, codes_of, totals_of
from microcell.exceptions import ParameterError
from microcell.kernels.codes import Codes, with_codes
from microcell.partition import Rounds, closed_cells
from microcell.privacy import CellModel


class PromisedCells(BasePartitioner):
    """Base of partitioners that build cells with a promise in mind.

    A part writes `_plan_rounds`. What is built is verified, and where the promise does
    not hold yet, cells are merged as `Enforce` does. For several promises put it into
    `Enforce`. Large tables are indexed, which changes nothing but the speed.

    Attributes
    ----------
    models : tuple of type
        Promises that it can build for.
    """

    takes_codes = True
    refinable = False  # a search would not keep the promise
    keeps_more = True
    models: tuple[type[CellModel], ...] = ()

    def __init__(
        self,
        promise: CellModel,
        k: int = 3,
        *,
        values: ArrayLike | None = None,
        totals: Totals | None = None,
        categorical_features: Columns | None = None,
        mismatch_units: Units | None = None,
    ) -> None:
        self.promise = promise
        self.k = k
        self.values = values
        self.totals = totals
        self.categorical_features = categorical_features
        self.mismatch_units = mismatch_units

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.values is None
        return tags

    def take_rows(self, rows: np.ndarray) -> Self:
        """The same promise for a part of the records, checked against all of them."""
        if self.values is None:
            return self
        codes = codes_of(self.values, None, np.shape(self.values)[0], 1)
        totals = totals_of(codes) if self.totals is None else self.totals
        given = {"values": codes[rows], "totals": totals}
        return type(self)(**{**self.get_params(deep=False), **given})

    def _partition(self, X: Records, y: Target) -> Labels:
        if not isinstance(self.promise, self.models):
            names = " or ".join(model.__name__ for model in self.models)
            raise ParameterError(
                "promise",
                f"of {type(self).__name__} must be a {names}. Got {self.promise!r} "
                "instead.",
                hint="Enforce merges cells for any promise about them.",
            )
        values = self._codes(y, X.shape[0])
        check = PromiseCheck([self.promise], values, self.totals)
        check.check_possible()
        X, codes = with_codes(X, self.categorical_features, self.mismatch_units)
        built = self._build(X, codes, values[:, 0], np.asarray(check.totals[0]))
        labels = merge_until_kept(X, built, check, codes)
        self.n_merged_ = int(built.max() - labels.max())
        return labels

    def _codes(self, y: Target, n_samples: int) -> np.ndarray:
        return codes_of(self.values, y, n_samples, 1)

    def _build(
        self, X: np.ndarray, codes: Codes, values: np.ndarray, totals: np.ndarray
    ) -> np.ndarray:
        """Labels of cells of at least k, good for the promise if that can be."""
        rounds = self._plan_rounds(values, totals)
        labels, rows, n_cells = closed_cells(X, self.k, codes, rounds)
        labels[rows] = n_cells
        return labels

    @abstractmethod
    def _plan_rounds(self, values: np.ndarray, totals: np.ndarray) -> Rounds:
        """How cells are built, from the codes of the values and how often each is."""
