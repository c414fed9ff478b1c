"""delta-disclosure privacy: a class changes no odds by more than a factor."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from microcell.privacy._promise import CellModel
from microcell.privacy._view import CellValues


@dataclass(frozen=True)
class DeltaDisclosure(CellModel):
    """For every class and value, abs(log(share in class / share in table)) < delta.

    The definition of [1]_, with the natural logarithm. It is about every value of the
    table: a value that a class does not have makes the logarithm infinite, so every
    class must have all values. A missing value is a value of its own.

    Parameters
    ----------
    delta : float
        Above 0.
    column : str or tuple of str, optional
        The confidential column, or several jointly; by default each alone.

    References
    ----------
    .. [1] Brickell and Shmatikov (2008). The cost of privacy: destruction of
       data-mining utility in anonymized data publishing. KDD, 70-78.

    Examples
    --------
    >>> from microcell.privacy import cell_values
    >>> cells = cell_values(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0]))
    >>> DeltaDisclosure(1).levels(cells)
    array([0.69314718,        inf])
    """

    delta: float
    column: str | tuple[str, ...] | None = None

    name: ClassVar[str] = "delta-disclosure"
    at_least: ClassVar[bool] = False
    strict: ClassVar[bool] = True

    def levels(self, cells: CellValues) -> np.ndarray:
        """Largest logarithm of a ratio of shares in each cell."""
        in_table = cells.totals / cells.n_people
        in_cell = cells.count / cells.sizes[cells.cell]
        logs = np.abs(np.log(in_cell / in_table[cells.value]))
        largest = cells.largest(logs)
        n_values = np.bincount(cells.cell, minlength=cells.sizes.size)
        largest[n_values < np.count_nonzero(cells.totals)] = np.inf
        return largest
