"""Promise: the contract of a privacy model.

A model is one file: a frozen dataclass of its parameters with `verify(view)`. A model
that judges how often confidential values occur in a cell writes `levels` alone and is
verified and enforced by what is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np

from microcell.exceptions import SchemaError
from microcell.privacy._finding import Finding
from microcell.privacy._view import CellValues, View


class Promise(ABC):
    """What a release promises, and how that is counted.

    Attributes
    ----------
    name : str
        The model, as findings and recipes name it.
    over : {"classes", "cells", "construction"}
        What has to hold it: the equivalence classes of the released table, the cells
        behind it, or the way it was made. A plan whose release has no classes of k
        records cannot keep a promise over classes.
    seals : bool
        Whether it forbids to publish what else was computed from the original, such as
        loss and risk.
    """

    name: ClassVar[str]
    over: ClassVar[str] = "classes"
    seals: ClassVar[bool] = False

    @abstractmethod
    def verify(self, view: View) -> Finding:
        """Count what the release keeps."""

    def bind(self, confidential: Sequence[str]) -> list[Promise]:
        """The promises that this one stands for on a table; itself by default."""
        return [self]

    def to_dict(self) -> Any:
        """What a recipe holds of it: one parameter as it is, several by name."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        given = {name: value for name, value in values.items() if value is not None}
        return next(iter(given.values())) if len(given) == 1 else given

    @classmethod
    def from_dict(cls, value: Any) -> Promise:
        """Read what `to_dict` wrote."""
        return cls(**value) if isinstance(value, dict) else cls(value)


@dataclass(frozen=True)
class CellModel(Promise):
    """Base of the models that judge the confidential values of a cell.

    A model has one parameter, `at_least` says whether it is a lower bound, and
    `levels` gives what each cell reaches.
    """

    column: str | None = None

    at_least: ClassVar[bool] = True

    @property
    @abstractmethod
    def level(self) -> float:
        """The parameter that is promised."""

    @abstractmethod
    def levels(self, cells: CellValues) -> np.ndarray:
        """What each cell reaches, shape (n_cells,)."""

    def cells_hold(self, cells: CellValues) -> np.ndarray:
        """Which cells keep the promise, shape (n_cells,)."""
        reached = self.levels(cells)
        return reached >= self.level if self.at_least else reached <= self.level

    def bind(self, confidential: Sequence[str]) -> list[Promise]:
        """One promise for each confidential column, or for the one that is named."""
        if self.column is None and not confidential:
            raise SchemaError(
                f"{self.name} protects confidential columns, and there is none.",
                hint="Name them as confidential.",
            )
        names = list(confidential) if self.column is None else [self.column]
        for name in names:
            if name not in confidential:
                raise SchemaError(
                    f"A promise names the column {name!r}, which is not confidential.",
                    column=name,
                    option="promises",
                    hint=f"The confidential columns are {list(confidential)}.",
                )
        return [replace(self, column=name) for name in names]

    def verify(self, view: View) -> Finding:
        """Judge the classes of the released table."""
        cells = view.values_in_classes(str(self.column))
        reached, holds = self.levels(cells), self.cells_hold(cells)
        worst = reached.min() if self.at_least else reached.max()
        return Finding(
            promise=f"{self.name} of {self.column}",
            promised=self.level,
            found=worst.item(),
            records_failing=int(cells.sizes[~holds].sum()),
        )
