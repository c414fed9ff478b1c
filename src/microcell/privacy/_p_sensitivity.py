"""p-sensitive k-anonymity: every class has at least p confidential values."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from microcell.privacy._promise import CellModel
from microcell.privacy._view import CellValues, read_alike


class DistinctValues(CellModel):
    """Base of models with a least number of distinct values, by any name."""

    least: ClassVar[int] = 2
    whole: ClassVar[bool] = True

    def levels(self, cells: CellValues) -> np.ndarray:
        """Number of distinct values in each cell."""
        return np.bincount(read_alike(cells).cell, minlength=cells.sizes.size)


@dataclass(frozen=True)
class PSensitivity(DistinctValues):
    """Every equivalence class has at least p distinct confidential values [1]_.

    With k-anonymity it is p-sensitive k-anonymity. A missing value is a value of its
    own. Without a `column` it is promised of each confidential column alone.

    Parameters
    ----------
    p : int
        Least number of distinct values in a class.
    column : str or tuple of str, optional
        The confidential column, or several jointly.

    References
    ----------
    .. [1] Truta and Vinay (2006). Privacy protection: p-sensitive k-anonymity
       property. ICDE Workshops, 94.

    Examples
    --------
    >>> import polars as pl
    >>> from microcell.privacy import View
    >>> ill = ["flu", "gout", "flu", "flu"]
    >>> table = pl.DataFrame({"age": [30, 30, 41, 41], "ill": ill})
    >>> print(PSensitivity(2, "ill").verify(View(table, ["age"], confidential=["ill"])))
    p-sensitivity of ill: promised 2, found 1; fails for 2 record(s)
    """

    p: int
    column: str | tuple[str, ...] | None = None

    name: ClassVar[str] = "p-sensitivity"
