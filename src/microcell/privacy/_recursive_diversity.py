"""Recursive (c, l)-diversity: the most frequent value is not too frequent."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from microcell._validation import check_count
from microcell.privacy._promise import CellModel
from microcell.privacy._view import CellValues, read_alike


@dataclass(frozen=True)
class RecursiveDiversity(CellModel):
    """In every class r_1 < c (r_l + r_{l+1} + ... + r_m) [1]_.

    r_1 >= r_2 >= ... >= r_m are how often its values occur. What a class reaches is
    r_1 / (r_l + ... + r_m), which must stay below c; it is infinite with fewer than l
    values. A missing value is a value of its own.

    Parameters
    ----------
    c : float
        Above 0.
    l : int
        At least 2.
    column : str or tuple of str, optional
        The confidential column, or several jointly; by default each alone.

    References
    ----------
    .. [1] Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam (2007). l-diversity:
       privacy beyond k-anonymity. ACM Trans. Knowl. Discov. Data 1(1), 3.

    Examples
    --------
    >>> from microcell.privacy import cell_values
    >>> cells = cell_values(np.zeros(6, int), np.array([0, 0, 0, 1, 1, 2]))
    >>> RecursiveDiversity(2, 2).levels(cells), RecursiveDiversity(2, 3).levels(cells)
    (array([1.]), array([3.]))
    """

    c: float
    l: int  # noqa: E741
    column: str | tuple[str, ...] | None = None

    name: ClassVar[str] = "recursive-cl-diversity"
    at_least: ClassVar[bool] = False
    strict: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "l", check_count(self.l, least=2, name="l"))

    @property
    def title(self) -> str:
        """The model with its l, and what it is about."""
        return super().title + f" (l = {self.l})"

    def levels(self, cells: CellValues) -> np.ndarray:
        """How many times the most frequent value outnumbers the l-th and rarer ones."""
        cells = read_alike(cells)
        n_cells = cells.sizes.size
        order = np.lexsort((-cells.count, cells.cell))
        cell, count = cells.cell[order], cells.count[order]
        n_values = np.bincount(cell, minlength=n_cells)
        first = np.cumsum(n_values) - n_values
        place = np.arange(cell.size) - first[cell]
        rare = place >= self.l - 1
        tail = np.bincount(cell[rare], count[rare], minlength=n_cells)
        reached = np.full(n_cells, np.inf)
        return np.divide(count[first], tail, out=reached, where=tail > 0)
