"""Entropy l-diversity: the values of a class are as uncertain as l equal ones."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from microcell.privacy._promise import CellModel
from microcell.privacy._view import CellValues, read_alike

DIGITS = 12  # of what is reached: l equally frequent values are to reach l


@dataclass(frozen=True)
class EntropyLDiversity(CellModel):
    """The entropy of the values of every class is at least log l [1]_.

    What a class reaches is exp(-sum p log p), the number of equally frequent values
    that would be as uncertain, rounded to 12 digits. A missing value is a value of its
    own.

    Parameters
    ----------
    l : float
        At least 1.
    column : str or tuple of str, optional
        The confidential column, or several jointly; by default each alone.

    References
    ----------
    .. [1] Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam (2007). l-diversity:
       privacy beyond k-anonymity. ACM Trans. Knowl. Discov. Data 1(1), 3.

    Examples
    --------
    >>> from microcell.privacy import cell_values
    >>> cells = cell_values(np.array([0, 0, 0, 1, 1]), np.array([0, 1, 2, 0, 0]))
    >>> EntropyLDiversity(2).levels(cells)
    array([3., 1.])
    """

    l: float  # noqa: E741
    column: str | tuple[str, ...] | None = None

    name: ClassVar[str] = "entropy-l-diversity"
    least: ClassVar[int] = 1

    def levels(self, cells: CellValues) -> np.ndarray:
        """Number of equal values that are as uncertain as those of each cell."""
        cells = read_alike(cells)
        shares = cells.count / cells.sizes[cells.cell]
        entropy = np.bincount(cells.cell, -shares * np.log(shares), cells.sizes.size)
        return np.round(np.exp(entropy), DIGITS)
