"""Plan: what a method builds, and all that a release asks of it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from microcell._capabilities import Capabilities, capabilities_of
from microcell.base import BaseAggregator, BasePartitioner, Labels, Records, Target
from microcell.compose._refinement import Refinement
from microcell.exceptions import InputError
from microcell.privacy import KAnonymity, Promise

Names = Sequence[str]
Publish = Callable[[BaseAggregator | None], BaseAggregator | None]
Group = Callable[[BasePartitioner], BasePartitioner]


@runtime_checkable
class GoesByNames(Protocol):
    """A part that wants to know what columns are called."""

    def name_columns(self, names: Names) -> None:
        """Tell it the names, in the order of the columns."""


class Plan(Protocol):
    """What masks a table: built once for each release, by a method.

    Attributes
    ----------
    k : int
        Least number of records in a cell.
    capabilities : Capabilities
        What it can do; a wrapper has those of its inner part, but for what it changes.
    labels_ : ndarray of shape (n_records,) or (n_records, n_blocks)
        Cell of each record, in each block of columns.
    blocks_ : list of list of int
        Columns that are masked together.
    notices_ : sequence of str
        What the owner of the release should know.
    refinement_ : Refinement or None
        What a search for better cells did.
    """

    labels_: Labels

    @property
    def k(self) -> int: ...
    @property
    def capabilities(self) -> Capabilities: ...
    @property
    def blocks_(self) -> list[list[int]]: ...
    @property
    def notices_(self) -> Sequence[str]: ...
    @property
    def refinement_(self) -> Refinement | None: ...

    def fit_transform(
        self, X: NDArray[Any], y: NDArray[Any] | None = None
    ) -> np.ndarray:
        """What is released of each record."""

    def equip(self, *, publish: Publish, group: Group) -> Self:
        """Fit the plan to a table: what is published, how records are grouped."""

    def name_columns(self, names: Names) -> None:
        """Tell the parts that go by them the names of the columns."""

    def weighs(self, weights: Sequence[float]) -> bool:
        """Whether these weights of the columns could change the cells."""

    def keeps(self, n_columns: int) -> set[str]:
        """What a promise about this many columns may be over."""

    def promises(self, names: Names, beside: Names = ()) -> list[Promise]:
        """What a release of these columns promises, with others beside them."""


class AdaptedPlan:
    """An estimator of somebody else as a plan: it masks by itself.

    It needs `fit_transform` and, after that, `labels_`. Its release is held to
    k-anonymity, and nothing of a table can be given to it but the numbers.

    Parameters
    ----------
    estimator : object
    k : int
        What its release is held to.
    """

    def __init__(self, estimator: Any, k: int) -> None:
        self.estimator = estimator
        self.asked = k
        self.k: int = getattr(estimator, "k", k)
        self.capabilities = replace(
            capabilities_of(estimator), refinable=False, can_be_equipped=False
        )

    def __repr__(self) -> str:
        return repr(self.estimator)

    def fit_transform(self, X: ArrayLike, y: Target = None) -> Records:
        """What the estimator makes of the records."""
        X_released = np.asarray(self.estimator.fit_transform(X, y))
        self.labels_ = np.asarray(getattr(self.estimator, "labels_", ()))
        whole = [list(range(np.shape(X)[1]))]
        self.blocks_: list[list[int]] = getattr(self.estimator, "blocks_", whole)
        self.notices_: Sequence[str] = getattr(self.estimator, "notices_", ())
        return X_released

    @property
    def refinement_(self) -> Refinement | None:
        """What a search did, if the estimator says it."""
        return getattr(self.estimator, "refinement_", None)

    def equip(self, *, publish: Publish, group: Group) -> Self:
        """Nothing of a table can be given to it."""
        raise InputError(
            f"{type(self.estimator).__qualname__} masks by itself.", option="method"
        )

    def name_columns(self, names: Names) -> None:
        """Names are told to an estimator that wants them."""
        if isinstance(self.estimator, GoesByNames):
            self.estimator.name_columns(names)

    def weighs(self, weights: Sequence[float]) -> bool:
        """Nobody knows better than its author."""
        return True

    def keeps(self, n_columns: int) -> set[str]:
        """What can be counted; nobody can count how a release was made."""
        return {"classes", "cells"}

    def promises(self, names: Names, beside: Names = ()) -> list[Promise]:
        """k-anonymity of the whole table."""
        return [KAnonymity(self.asked)]


def as_plan(built: Any, k: int) -> Plan:
    """What a method built, as a plan; `k` is what it was asked for.

    Examples
    --------
    >>> from microcell import METHODS
    >>> as_plan(METHODS["mdav"](5), 5).k
    5
    """
    ours = isinstance(getattr(built, "capabilities", None), Capabilities)
    return built if ours else AdaptedPlan(built, k)
