"""beta-likeness: no value is much more frequent in a class than in the table."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from microcell.privacy._promise import CellModel
from microcell.privacy._view import CellValues


@dataclass(frozen=True)
class BetaLikeness(CellModel):
    """A value of share p in the table has at most p (1 + beta) of a class [1]_.

    Basic beta-likeness: the relative gain (q - p) / p is at most beta for every value
    whose share q in the class is above p. A missing value is a value of its own.

    Parameters
    ----------
    beta : float
        Above 0.
    column : str or tuple of str, optional
        The confidential column, or several jointly; by default each alone.

    References
    ----------
    .. [1] Cao and Karras (2012). Publishing microdata with a robust privacy guarantee.
       Proc. VLDB Endow. 5(11), 1388-1399.

    Examples
    --------
    >>> from microcell.privacy import cell_values
    >>> cells = cell_values(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0]))
    >>> BetaLikeness(1).levels(cells)
    array([1.        , 0.33333333])
    """

    beta: float
    column: str | tuple[str, ...] | None = None

    name: ClassVar[str] = "beta-likeness"
    at_least: ClassVar[bool] = False

    def levels(self, cells: CellValues) -> np.ndarray:
        """Largest relative gain of a value in each cell."""
        return cells.largest(relative_gains(cells))


@dataclass(frozen=True)
class EnhancedBetaLikeness(BetaLikeness):
    """The relative gain of a value is at most min(beta, -ln p) [1]_.

    Enhanced beta-likeness: frequent values are held to less. What a class reaches is
    the least beta that it keeps, infinite if a gain is above its -ln p, because then
    no beta helps.

    Parameters
    ----------
    beta : float
        Above 0.
    column : str or tuple of str, optional
        The confidential column, or several jointly; by default each alone.

    References
    ----------
    .. [1] Cao and Karras (2012). Publishing microdata with a robust privacy guarantee.
       Proc. VLDB Endow. 5(11), 1388-1399.

    Examples
    --------
    >>> from microcell.privacy import cell_values
    >>> cells = cell_values(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0]))
    >>> EnhancedBetaLikeness(1).levels(cells)
    array([ 1., inf])
    """

    name: ClassVar[str] = "enhanced-beta-likeness"

    def levels(self, cells: CellValues) -> np.ndarray:
        """Least beta that each cell keeps."""
        gains = relative_gains(cells)
        most = -np.log(cells.totals[cells.value] / cells.n_people)
        return cells.largest(np.where(gains > most, np.inf, gains))


def relative_gains(cells: CellValues) -> np.ndarray:
    """How much more frequent each value is in its cell than in the table; 0 if less.

    In whole numbers up to the last division, so that a cell like the table gains 0.
    """
    expected = cells.totals[cells.value] * cells.sizes[cells.cell]
    gained = cells.count * cells.n_people - expected
    return np.maximum(gained, 0) / expected
