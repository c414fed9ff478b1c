"""Cell size: every record was masked together with k - 1 others."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from microcell._validation import check_k
from microcell.privacy._finding import ON_CELLS, Finding
from microcell.privacy._k_anonymity import KAnonymity, holds_by_block
from microcell.privacy._promise import Promise
from microcell.privacy._view import View


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

    def verify(self, view: View) -> Finding:
        """Count the people of each cell."""
        labels = np.asarray(view.labels)
        labels = labels.reshape(len(labels), -1)
        people = np.arange(len(labels)) if view.units is None else view.units
        sizes = np.concatenate([people_of_cells(cells, people) for cells in labels.T])
        return Finding(
            promise=self.name + (f", counted in {view.unit}" if view.unit else ""),
            promised=self.k,
            found=int(sizes.min()),
            records_failing=int(sizes[sizes < self.k].sum()),
            basis=ON_CELLS,
        )


def weaker_than_k(
    promises: Iterable[Promise], findings: Iterable[Finding]
) -> list[str]:
    """What a release is not whose cells or columns alone have k people.

    Nothing of others.

    Examples
    --------
    >>> import polars as pl
    >>> from microcell.privacy import KAnonymity, View
    >>> view = View(pl.DataFrame({"age": [3, 4]}), ["age"], labels=np.array([0, 0]))
    >>> promises = [CellSize(2), KAnonymity(2, promised=False)]
    >>> weaker_than_k(promises, [each.verify(view) for each in promises])[0][:50]
    'not k-anonymity (k found on the released records: '
    """
    promises = list(promises)
    counted = _counted_k(promises, findings)
    if any(isinstance(promise, CellSize) for promise in promises):
        k = "".join(f" (k found on the released records: {f.found:g})" for f in counted)
        return [
            f"not k-anonymity{k}, and not differentially private: records of a cell "
            "are released with values of their own"
        ]
    if not holds_by_block(promises):
        return []
    return [
        "k holds for each block of columns alone: of the whole table k is "
        f"{f.found:g}, {f.records_failing} record(s) are alone or in smaller classes"
        for f in counted
    ]


def below_k(
    promises: Iterable[Promise], findings: Iterable[Finding], k: int
) -> list[str]:
    """The warning of a release of which k was counted and not promised."""
    promises = list(promises)
    if holds_by_block(promises):
        return []  # the owner decides about it
    return [
        f"k={k} is not promised: {finding.records_failing} record(s) are in smaller "
        "classes"
        for finding in _counted_k(promises, findings)
    ]


def _counted_k(
    promises: Iterable[Promise], findings: Iterable[Finding]
) -> list[Finding]:
    """Findings of k that nobody promised."""
    return [
        finding
        for promise, finding in zip(promises, findings, strict=False)
        if isinstance(promise, KAnonymity) and not promise.promised
    ]


def people_of_cells(labels: np.ndarray, people: np.ndarray) -> np.ndarray:
    """Number of distinct people in each cell.

    Examples
    --------
    >>> people_of_cells(np.array([0, 0, 0, 1]), np.array([7, 7, 8, 9]))
    array([2, 1])
    """
    pairs = np.unique(np.column_stack([labels, people]), axis=0)
    return np.bincount(pairs[:, 0])
