"""t-closeness: the values of every class are distributed as those of the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from microcell._validation import check_choice
from microcell.exceptions import InputError, ParameterError, SchemaError
from microcell.privacy._classes import value_codes
from microcell.privacy._distances import (
    equal_distances,
    ordered_distances,
    tree_distances,
)
from microcell.privacy._promise import CellModel
from microcell.privacy._value_order import has_order, ordered_codes
from microcell.privacy._value_tree import leaf_codes, make_tree
from microcell.privacy._view import CellValues

GROUND_DISTANCES = ("auto", "equal", "ordered", "hierarchical")


@dataclass(frozen=True)
class TCloseness(CellModel):
    """The distribution in every class is within t of that in the table [1]_.

    The distance of two distributions is the earth mover's, over a distance of values:
    "equal", any two are one apart, which gives 1/2 sum abs(p - q); "ordered",
    neighbours in order are 1 / (m - 1) apart, which gives 1/(m - 1) sum_i
    abs(sum_{j<=i} p_j - q_j); "hierarchical", two are height of their lowest common
    ancestor / height of the tree apart. A missing value is a value of its own: the last
    in an order, and a branch of its own in a hierarchy.

    Parameters
    ----------
    t : float
        Largest distance, between 0 and 1.
    column : str or tuple of str, optional
        The confidential column, or several jointly (with the distance "equal"); by
        default each alone.
    distance : {"auto", "equal", "ordered", "hierarchical"}, default="auto"
        "auto" is hierarchical if there is a hierarchy, ordered if there is an order or
        values are numbers or dates (also as text of a file), and equal otherwise.
    order : sequence, optional
        Values from the least to the greatest.
    hierarchy : mapping, optional
        For each value its ancestors, the nearest first: ``{"flu": ["lung", "body"],
        "gout": ["joint", "body"]}``.

    References
    ----------
    .. [1] Li, Li and Venkatasubramanian (2007). t-closeness: privacy beyond
       k-anonymity and l-diversity. ICDE, 106-115.

    Examples
    --------
    >>> import polars as pl
    >>> from microcell.privacy import View
    >>> table = pl.DataFrame({"age": [30, 30, 41, 41], "pay": [10, 20, 30, 40]})
    >>> view = View(table, ["age"], confidential=["pay"])
    >>> print(TCloseness(0.4, "pay").verify(view))
    t-closeness of pay (ordered): promised 0.4, found 0.333333
    >>> print(TCloseness(0.4, "pay", distance="equal").verify(view))
    t-closeness of pay (equal): promised 0.4, found 0.5; fails for 4 record(s)
    """

    t: float
    column: str | tuple[str, ...] | None = None
    distance: str = "auto"
    order: tuple[Any, ...] | None = None
    hierarchy: Mapping[Any, Any] | None = None

    name: ClassVar[str] = "t-closeness"
    most: ClassVar[int | None] = 1
    at_least: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("distance", self.distance, GROUND_DISTANCES)
        if self.order is not None:
            object.__setattr__(self, "order", tuple(self.order))
        needs = {"order": "ordered", "hierarchy": "hierarchical"}
        for given, distance in needs.items():
            if getattr(self, given) is not None and self.distance not in (
                "auto",
                distance,
            ):
                raise SchemaError(
                    f"The distance {self.distance!r} has no use for {given}.",
                    option="promises",
                    hint=f"Leave it out, or choose the distance {distance!r}.",
                )
        if self.distance == "hierarchical" and self.hierarchy is None:
            raise SchemaError(
                "The distance 'hierarchical' needs a hierarchy.",
                option="promises",
                hint="Give the ancestors of each value.",
            )
        if self.distance not in ("auto", "equal") and isinstance(self.column, tuple):
            raise SchemaError(
                "Combinations of values have neither order nor hierarchy.",
                option="promises",
                hint="Choose the distance 'equal', or promise of each column alone.",
            )

    @property
    def title(self) -> str:
        """The model with its distance, and what it is about."""
        return super().title + f" ({self.distance})"

    def resolve(self, table: Any) -> TCloseness:
        """The promise with the distance that "auto" stands for on a table."""
        if self.distance != "auto":
            return self
        distance = "equal"
        if self.hierarchy is not None:
            distance = "hierarchical"
        elif self.order is not None:
            distance = "ordered"
        elif isinstance(self.column, str) and has_order(table, self.column):
            distance = "ordered"
        return replace(self, distance=distance)

    def codes(self, table: Any) -> np.ndarray:
        """Values in their order, or as the leaves of the hierarchy."""
        column: Any = self.column
        hierarchy: Any = self.hierarchy
        if self.distance == "ordered":
            return ordered_codes(table, column, self.order)
        if self.distance == "hierarchical":
            return leaf_codes(table, column, hierarchy)
        return value_codes(table, column)

    def levels(self, cells: CellValues) -> np.ndarray:
        """Distance of each cell."""
        if self.distance == "auto":
            raise ParameterError(
                "distance",
                "is 'auto', which a table resolves, and here are codes of values.",
                hint="Choose 'equal', or 'ordered' for codes in the order of values.",
            )
        if self.distance != "equal" and cells.several:
            raise InputError(
                f"Some people have several values of {self.column!r}, and t-closeness "
                f"by the distance {self.distance!r} cannot count people who have a "
                "value.",
                column=self.column if isinstance(self.column, str) else None,
                option="promises",
                hint="Promise it with the distance 'equal', promise l-diversity or "
                "alpha instead, or keep one record of each person.",
            )
        if self.distance == "ordered":
            return ordered_distances(cells)
        if self.distance == "hierarchical":
            hierarchy: Any = self.hierarchy
            paths, heights = make_tree(hierarchy)
            return tree_distances(cells, paths[: cells.totals.size], heights)
        return equal_distances(cells)

    def limit(self, whole: CellValues) -> str:
        """How far the records as one cell are from the table."""
        return (
            "of the records given here, all in one cell are so far from the whole "
            f"table, and {super().limit(whole)}"
        )
