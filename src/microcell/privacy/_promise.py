"""Promise: the contract of a privacy model.

A model is one file: a frozen dataclass of its parameters with `verify(view)`. A model
that counts how often confidential values occur in a cell writes `levels` alone and is
verified and enforced by what is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from microcell._validation import check_at_least, check_count
from microcell.exceptions import InputError, SchemaError, nearest_name
from microcell.privacy._classes import value_codes
from microcell.privacy._finding import WITHSTANDS_NO_REPLAY, Finding
from microcell.privacy._view import CellValues, View, cell_values


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
    differentially_private : bool
        Whether it forbids to publish what else was computed from the original, such as
        loss and risk.
    """

    name: ClassVar[str]
    over: ClassVar[str] = "classes"
    differentially_private: ClassVar[bool] = False

    @abstractmethod
    def verify(self, view: View) -> Finding:
        """Count what the release keeps."""

    def bind(self, confidential: Sequence[str]) -> list[Promise]:
        """The promises that this one stands for on a table; itself by default."""
        return [self]

    def to_dict(self) -> Any:
        """What a recipe holds of it: one parameter as it is, several by name.

        Parameters at their default are left out.
        """
        given = {
            f.name: getattr(self, f.name)
            for f in fields(self)  # type: ignore[arg-type]
            if f.default is MISSING or getattr(self, f.name) != f.default
        }
        return next(iter(given.values())) if len(given) == 1 else given

    @classmethod
    def from_dict(cls, value: Any) -> Promise:
        """Read what `to_dict` wrote."""
        return cls(**value) if isinstance(value, dict) else cls(value)  # type: ignore[call-arg]


class CellModel(Promise):
    """Base of the models that count the confidential values of a cell.

    A model is a frozen dataclass whose first field is what it promises and that has
    `column`. `least`, `most` and `whole` say what may be promised, `at_least` and
    `strict` how it is compared, and `levels` gives what each cell reaches.

    A `column` of None stands for each confidential column alone. Several names, as
    ``("ill", "job")``, are one promise about them jointly: the combination of their
    values is the value.

    Models are monotone: of two cells that keep the promise, the union does. So cells
    that are merged go on keeping it, and no partition reaches more than the table as
    one cell does. Entropy and recursive diversity are so where everybody has one value;
    of people with several a bound is counted, and cells that were merged are checked
    again.
    """

    column: str | tuple[str, ...] | None

    least: ClassVar[int] = 0
    most: ClassVar[int | None] = None
    whole: ClassVar[bool] = False
    at_least: ClassVar[bool] = True
    strict: ClassVar[bool] = False

    @property
    def level(self) -> float:
        """The parameter that is promised."""
        return getattr(self, self._promised())

    @classmethod
    def _promised(cls) -> str:
        return fields(cls)[0].name  # type: ignore[arg-type]

    @abstractmethod
    def levels(self, cells: CellValues) -> np.ndarray:
        """What each cell reaches, shape (n_cells,)."""

    def cells_hold(self, cells: CellValues) -> np.ndarray:
        """Which cells keep the promise, shape (n_cells,)."""
        reached = self.levels(cells)
        if self.strict:
            return reached > self.level if self.at_least else reached < self.level
        return reached >= self.level if self.at_least else reached <= self.level

    @property
    def names_values(self) -> bool:
        """Whether a parameter names values as the table writes them."""
        return any(
            getattr(self, parameter, None) is not None
            for parameter in ("order", "hierarchy", "value")
        )

    def resolve(self, table: Any) -> CellModel:
        """The same promise with what it leaves to the table decided; itself here."""
        return self

    def codes(self, table: Any) -> np.ndarray:
        """Confidential value of each record as `levels` wants values numbered."""
        return value_codes(table, self.column)  # type: ignore[arg-type]

    def limit(self, whole: CellValues) -> str:
        """Why some records in one cell reach no more, in words."""
        largest, n_values = int(whole.count.max()), len(whole.count)
        share = 100 * largest / int(whole.sizes.sum())
        return (
            f"they have {n_values} value(s), and the most frequent one is on "
            f"{largest} of them ({share:.4g} %)"
        )

    @property
    def title(self) -> str:
        """The model and what it is about, as a finding names it."""
        named = self.column if isinstance(self.column, tuple) else (str(self.column),)
        return f"{self.name} of {' and '.join(named)}"

    def bind(self, confidential: Sequence[str]) -> list[Promise]:
        """One promise for each confidential column, or the one that names its own."""
        if self.column is None and not confidential:
            raise SchemaError(
                f"{self.name} protects confidential columns, and there is none.",
                hint="Name them as confidential.",
            )
        if self.column is None:
            return [replace(self, column=name) for name in confidential]  # type: ignore[type-var]
        named = self.column if isinstance(self.column, tuple) else (self.column,)
        for name in named:
            if name not in confidential:
                raise SchemaError(
                    f"A promise names the column {name!r}, which is not confidential.",
                    column=name,
                    option="promises",
                    hint=f"{nearest_name(name, confidential)} The confidential columns "
                    f"are {list(confidential)}.".lstrip(),
                )
        return [self]

    def verify(self, view: View) -> Finding:
        """PromiseCheck the classes of the released table."""
        view.check_confidential(self.column)
        model = self.resolve(view.table)
        cells = cell_values(view.classes, model.codes(view.table), units=view.units)
        return model.check(cells, "" if view.units is None else view.unit)

    def check(self, cells: CellValues, unit: str = "") -> Finding:
        """What cells keep of a promise; `unit` is what they are counted in."""
        reached, holds = self.levels(cells), self.cells_hold(cells)
        worst = reached.min() if self.at_least else reached.max()
        return Finding(
            promise=f"{self.title}, counted in {unit}" if unit else self.title,
            promised=self.level,
            found=worst.item(),
            records_failing=int(cells.sizes[~holds].sum()),
            basis=WITHSTANDS_NO_REPLAY,
        )

    def __post_init__(self) -> None:
        if isinstance(self.column, list):  # as a file has several names
            object.__setattr__(self, "column", tuple(self.column))
        if type(self).level is not CellModel.level:  # a model that says it itself
            return
        name, level = self._promised(), self.level
        checked = (
            check_count(level, self.least, name)
            if self.whole
            else check_at_least(name, level, self.least, self.most)
        )
        object.__setattr__(self, name, checked)


def written_population(population: Any) -> str:
    """A population as a recipe holds it: by its path."""
    if not isinstance(population, (str, Path)):
        raise InputError(
            "A recipe can be written with a population that is a file, not a table in "
            "memory.",
            option="promises",
            hint="Write the population to a file and give its path.",
        )
    return str(population)
