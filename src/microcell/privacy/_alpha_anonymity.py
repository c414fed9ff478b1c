"""(alpha, k)-anonymity: no value has too large a share of a class."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl

from microcell.exceptions import SchemaError
from microcell.privacy._classes import as_polars, value_codes
from microcell.privacy._promise import CellModel
from microcell.privacy._view import CellValues


@dataclass(frozen=True)
class AlphaAnonymity(CellModel):
    """A confidential value has at most the share alpha of every class [1]_.

    With k-anonymity it is (alpha, k)-anonymity. A missing value is a value of its own.

    Parameters
    ----------
    alpha : float
        Largest share, between 0 and 1.
    column : str or tuple of str, optional
        The confidential column, or several jointly; by default each alone.
    value : object, optional
        The one sensitive value; by default every value is (general (alpha, k)).

    References
    ----------
    .. [1] Wong, Li, Fu and Wang (2006). (alpha, k)-anonymity: an enhanced k-anonymity
       model for privacy-preserving data publishing. KDD, 754-759.

    Examples
    --------
    >>> from microcell.privacy import cell_values
    >>> cells = cell_values(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0]))
    >>> AlphaAnonymity(0.5).levels(cells)
    array([0.5, 1. ])
    """

    alpha: float
    column: str | tuple[str, ...] | None = None
    value: Any = None

    name: ClassVar[str] = "alpha-k-anonymity"
    most: ClassVar[int | None] = 1
    at_least: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.value is not None and not isinstance(self.column, str):
            raise SchemaError(
                "A sensitive value is a value of one column.",
                option="promises",
                hint="Name the column of the value.",
            )

    def codes(self, table: Any) -> np.ndarray:
        """Values as first seen; if one is sensitive, 1 for it and 0 for others."""
        column: Any = self.column
        if self.value is None:
            return value_codes(table, column)
        values = as_polars(table, [column])[column]
        is_text = values.dtype == pl.String
        found = (values == (str(self.value) if is_text else self.value)).fill_null(
            False
        )
        if not found.any():
            raise SchemaError(
                f"The sensitive value of column {self.column!r} is on no record.",
                column=column,
                option="promises",
                hint="Write it as the table does.",
            )
        return found.to_numpy().astype(np.int64)

    def levels(self, cells: CellValues) -> np.ndarray:
        """Largest share of a value in each cell, or the share of the sensitive one."""
        checked = True if self.value is None else cells.value == 1
        return cells.largest(cells.count / cells.sizes[cells.cell] * checked)
