"""Cell size: every record was masked together with k - 1 others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from microcell._validation import check_k
from microcell.privacy._finding import ON_CELLS, Finding
from microcell.privacy._promise import Promise


@dataclass(frozen=True)
class CellSize(Promise):
    """Every cell has at least k people, though its released records may differ.

    What methods promise whose records draw their own noise: weaker than k-anonymity,
    because the released records of a cell can be told apart, and counted on the cells,
    because the released table cannot show them.

    Parameters
    ----------
    k : int
        Least number of people in a cell.

    Examples
    --------
    >>> from microcell.privacy import View
    >>> import polars as pl
    >>> table = pl.DataFrame({"age": [30.1, 29.9, 41.3]})
    >>> print(CellSize(2).verify(View(table, ["age"], labels=np.array([0, 0, 0]))))
    cells of at least k: promised 2, found 3 (counted on the cells)
    """

    k: int

    name: ClassVar[str] = "cells of at least k"
    over: ClassVar[str] = "cells"

    def __post_init__(self) -> None:
        check_k(self.k)

    def verify(self, view: Any) -> Any:
        """Count the people of each cell."""
        labels = view.labels.reshape(len(view.labels), -1)
        people = np.arange(len(labels)) if view.units is None else view.units
        sizes = np.concatenate([people_of_cells(cells, people) for cells in labels.T])
        return Finding(
            promise=self.name + (f", counted in {view.unit}" if view.unit else ""),
            promised=self.k,
            found=int(sizes.min()),
            records_failing=int(sizes[sizes < self.k].sum()),
            basis=ON_CELLS,
        )


def cells_alone(promises: Iterable[Any], findings: Iterable[Any]) -> list[str]:
    """What a release is not whose cells alone have k people; nothing of others.

    Examples
    --------
    >>> import polars as pl
    >>> from microcell.privacy import KAnonymity, View
    >>> view = View(pl.DataFrame({"age": [3, 4]}), ["age"], labels=np.array([0, 0]))
    >>> promises = [CellSize(2), KAnonymity(2, promised=False)]
    >>> cells_alone(promises, [promise.verify(view) for promise in promises])[0][:50]
    'not k-anonymity (k found on the released records: '
    """
    found = {type(p): f.found for p, f in zip(promises, findings, strict=False)}
    if CellSize not in found:
        return []
    k = next((n for kind, n in found.items() if kind.name == "k-anonymity"), None)
    counted = "" if k is None else f" (k found on the released records: {k:.6g})"
    return [
        f"not k-anonymity{counted}, and not differentially private: records of a cell "
        "are released with values of their own"
    ]


def people_of_cells(labels: np.ndarray, people: Any) -> Any:
    """Number of distinct people in each cell.

    Examples
    --------
    >>> people_of_cells(np.array([0, 0, 0, 1]), np.array([7, 7, 8, 9]))
    array([2, 1])
    """
    pairs = np.unique(np.column_stack([labels, people]), axis=0)
    return np.bincount(pairs[:, 0])
