"""Differential privacy: a property of how a release was made."""

import math
from dataclasses import dataclass
from typing import ClassVar

import narwhals as nw

from microcell.privacy._finding import BY_CONSTRUCTION, Finding
from microcell.privacy._promise import Promise
from microcell.privacy._view import View


@dataclass(frozen=True)
class DifferentialPrivacy(Promise):
    """Whoever is in the table, the release comes out nearly as likely [1]_.

    No output is more than exp(epsilon) times as likely for a table as for a table with
    one record replaced. No released table can show it: it is known by construction, of
    a plan that promises it. What can be seen is verified: that each released column
    went through the mechanism.

    Parameters
    ----------
    epsilon : float
        Privacy that the release spends; it adds up over releases of the same people.
    columns : tuple of str
        Columns that went through the mechanism.
    bounds : tuple of (float, float)
        Bounds of each, which came from outside of the table.
    mechanism : str
        What was done.

    References
    ----------
    .. [1] Dwork, McSherry, Nissim and Smith (2006). Calibrating noise to sensitivity
       in private data analysis. TCC 2006, LNCS 3876, 265-284.

    Examples
    --------
    >>> import polars as pl
    >>> private = DifferentialPrivacy(1.0, ("age",), ((0, 120),), "Laplace noise")
    >>> print(private.verify(View(pl.DataFrame({"age": [31.2, 58.0]}), ["age"])))
    differential privacy: promised 1, found 1 (by construction)
    """

    epsilon: float
    columns: tuple[str, ...] = ()
    bounds: tuple[tuple[float, float], ...] = ()
    mechanism: str = ""

    name: ClassVar[str] = "differential privacy"
    over: ClassVar[str] = "construction"
    differentially_private: ClassVar[bool] = True

    def verify(self, view: View) -> Finding:
        """Whether all that is released went through the mechanism."""
        frame = nw.from_native(view.table, eager_only=True)
        passed = set(frame.columns) <= set(self.columns)
        return Finding(
            promise=self.name,
            promised=self.epsilon,
            found=self.epsilon if passed else math.inf,
            records_failing=0 if passed else len(frame),
            basis=BY_CONSTRUCTION,
            argument=self.argument,
        )

    @property
    def argument(self) -> str:
        """Mechanism, neighbouring relation, bounds, and what epsilon is of."""
        within = ", ".join(
            f"{name} {low:g} to {high:g}"
            for name, (low, high) in zip(self.columns, self.bounds, strict=True)
        )
        return (
            f"{self.mechanism}. Neighbouring tables have the same number of records, "
            "which is public, and differ in one record. Bounds, given and not computed "
            f"from the table: {within}. Epsilon {self.epsilon:g} is of this release "
            "and adds up with that of every other release of the same people."
        )
