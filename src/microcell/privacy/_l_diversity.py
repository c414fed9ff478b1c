"""Distinct l-diversity: every class has at least l confidential values."""

from dataclasses import dataclass
from typing import ClassVar

from microcell.privacy._p_sensitivity import DistinctValues


@dataclass(frozen=True)
class LDiversity(DistinctValues):
    """Every equivalence class has at least l distinct confidential values [1]_.

    The weakest reading of "l well-represented values"; it is p-sensitivity by another
    name. A missing value is a value of its own.

    Parameters
    ----------
    l : int
        Least number of distinct values in a class.
    column : str or tuple of str, optional
        The confidential column, or several jointly; by default each alone.

    References
    ----------
    .. [1] Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam (2007). l-diversity:
       privacy beyond k-anonymity. ACM Trans. Knowl. Discov. Data 1(1), 3.

    Examples
    --------
    >>> import polars as pl
    >>> from microcell.privacy import View
    >>> ill = ["flu", "gout", "flu", "flu"]
    >>> table = pl.DataFrame({"age": [30, 30, 41, 41], "ill": ill})
    >>> print(LDiversity(2, "ill").verify(View(table, ["age"], confidential=["ill"])))
    l-diversity of ill: promised 2, found 1; fails for 2 record(s)
    """

    l: int  # noqa: E741
    column: str | tuple[str, ...] | None = None

    name: ClassVar[str] = "l-diversity"
