"""k-anonymity: every record shares its released quasi-identifiers with k - 1 others."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from microcell._validation import check_k
from microcell.privacy._finding import Finding
from microcell.privacy._promise import Promise
from microcell.privacy._view import View


@dataclass(frozen=True)
class KAnonymity(Promise):
    """Every equivalence class of the released table has at least k people [1]_.

    Parameters
    ----------
    k : int
        Least size of a class.
    columns : tuple of str, optional
        Columns that make a class; by default all that an intruder may know. A method
        that masks blocks of columns promises it for each block alone.
    promised : bool, default=True
        Whether it is promised, or only counted.

    References
    ----------
    .. [1] Samarati and Sweeney (1998). Protecting privacy when disclosing
       information: k-anonymity and its enforcement through generalization and
       suppression. SRI-CSL-98-04.

    Examples
    --------
    >>> import polars as pl
    >>> print(KAnonymity(2).verify(pl.DataFrame({"age": [30, 30, 41]}), ["age"]))
    k-anonymity: promised 2, found 1; fails for 1 record(s)
    """

    k: int
    columns: tuple[str, ...] | None = None
    promised: bool = True

    name: ClassVar[str] = "k-anonymity"

    def __post_init__(self) -> None:
        check_k(self.k)

    def verify(self, view: View | Any, quasi_identifiers: Any = None) -> Finding:
        """Count the classes of a view, or of a table and its quasi-identifiers.

        Returns
        -------
        finding : Finding
        """
        if not isinstance(view, View):
            view = View(view, quasi_identifiers)
        unit = None if view.units is None else view.unit
        return self.check(view.counts(self.columns).sizes, unit)

    def check(self, sizes: np.ndarray, unit: str | None = None) -> Finding:
        """What classes of these sizes keep; `unit` is what they are counted in."""
        return Finding(
            promise=self._title(unit),
            promised=self.k if self.promised else None,
            found=int(sizes.min(initial=sizes.sum())),
            records_failing=int(sizes[sizes < self.k].sum()),
        )

    def _title(self, unit: str | None) -> str:
        title = self.name if self.promised else "k of the whole table"
        if self.columns is not None:
            title += f" of {', '.join(self.columns)}"
        return title if unit is None else f"{title}, counted in {unit}"


def holds_by_block(promises: Iterable[Promise]) -> bool:
    """Whether k is promised of blocks of columns, not of the whole table.

    Examples
    --------
    >>> holds_by_block([KAnonymity(5)]), holds_by_block([KAnonymity(5, ("age",))])
    (False, True)
    """
    return any(isinstance(p, KAnonymity) and p.columns for p in promises)
