"""Codes in a tree: each record has a value, and a cell what its values have in common.

Nodes are numbered: values first, in sorted order, then the groups that tell values of
the table apart. The number of a node is what X holds. Levels and groups that no two
values of the table differ in are left out.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple, Self

import narwhals as nw
import numpy as np

from microcell.columns._encoder import Encoder
from microcell.columns._series import dictionary, series_like
from microcell.columns._text_types import HOLDS, refuse_first
from microcell.embed import Levels
from microcell.exceptions import SchemaError

MARK = "*"  # of what a group leaves open


class Groups(NamedTuple):
    """Groups of values that have more than one part.

    Attributes
    ----------
    levels : Levels
        Of the values, and then of the groups.
    places : ndarray of shape (n_groups,)
        The level, as it was given, on which each group falls into parts.
    members : ndarray of shape (n_groups,)
        One value of each.
    """

    levels: Levels
    places: np.ndarray
    members: np.ndarray


def grow(groups: np.ndarray, places: Any, n_places: int) -> Groups:
    """The tree of nested groups.

    Parameters
    ----------
    groups : ndarray of shape (n_values, n_levels)
        Group of each value on each level, coarse levels first; on the last level each
        value is alone.
    places : sequence of int
        Where these levels stand among all that there are, in ascending order; on one
        that is not given, groups are as on the one before.
    n_places : int
        How many there are.

    Examples
    --------
    >>> zips = grow(np.array([[0, 0], [0, 1], [1, 2]]), [0, 1], 5)
    >>> zips.levels.units
    array([0.2, 0.8])
    >>> zips.levels.codes.tolist()
    [[0, 0], [0, 1], [2, 2], [3, 3], [0, 4]]
    """
    n_values = len(groups)
    columns, kept, n_before = [], [], 1
    for place, column in zip(places, groups.T, strict=True):
        _, first, which = np.unique(column, return_index=True, return_inverse=True)
        if first.size > n_before:  # else it tells nothing apart that is not already
            columns.append(first[which])
            kept.append(place)
            n_before = first.size
    if not columns:  # one value
        none = np.empty(0, np.int64)
        levels = Levels(np.zeros((1, 1), np.int64), np.ones(1), 1)
        return Groups(levels, none, none)
    codes = np.column_stack(columns)
    spans = np.diff([*kept, n_places]).astype(np.float64)
    depths, members = [], []
    for place in range(len(kept)):
        parts = np.unique(codes[:, place])
        wholes = codes[parts, place - 1] if place else np.zeros_like(parts)
        whole, n_parts = np.unique(wholes, return_counts=True)
        members.append(whole[n_parts > 1])
        depths.append(np.full(members[-1].size, place))
    depth, member = np.concatenate(depths), np.concatenate(members)
    numbers = n_values + np.arange(member.size)
    below = np.arange(len(kept)) >= depth[:, None]
    of_groups = np.where(below, numbers[:, None], codes[member])
    levels = Levels(np.vstack([codes, of_groups]), spans / spans.sum(), n_values)
    return Groups(levels, np.array(kept)[depth], member)


class TreeEncoder(Encoder):
    """Values and the groups above them.

    Attributes
    ----------
    values : list of str
        The values that occur, sorted.
    nodes : ndarray of str
        Texts of all nodes: of the values, then of the groups.
    levels : Levels
    """

    representative = "ancestor"
    tree = True

    def __init__(self, like: nw.Series[Any], values: Any) -> None:
        super().__init__(like)
        self.values = values
        groups, names = self._grow(values)
        self.levels = groups.levels
        self.nodes = np.array([*values, *names], dtype=object)
        self.node_of = {text: node for node, text in enumerate(self.nodes)}

    @abstractmethod
    def _grow(self, values: Any) -> Any:
        """The tree of sorted values, and the texts of its groups."""

    def encode(self, series: nw.Series[Any]) -> np.ndarray:
        """Numbers of nodes; a group that a release wrote is read back."""
        seen, categories = dictionary(series)
        nodes = [self.node_of.get(str(value), -1) for value in categories]
        unknown = [node == -1 for node in nodes]
        which = "which is neither a value of the original nor a group of them."
        refuse_first(self.name, categories, seen, unknown, which, holds=HOLDS)
        return np.array(nodes)[seen].astype(np.float64)

    def decode(self, values: np.ndarray) -> nw.Series[Any]:
        """Texts of the nodes."""
        places = np.asarray(values).astype(np.int64)
        known = (places == values) & (places >= 0) & (places < self.nodes.size)
        if not known.all():
            raise SchemaError(
                f"The method released numbers for column {self.name!r} that are no "
                f"codes of its {self.kind}.",
                column=self.name,
                hint="Let it publish the lowest common ancestor or the mode.",
            )
        return series_like(self.like, self.nodes[places].tolist(), nw.String())

    def merge(self, other: Any) -> Self:
        """Values of both parts."""
        return self._with(sorted({*self.values, *other.values}))

    @abstractmethod
    def _with(self, values: Any) -> Self:
        """The encoder of other values of the same column."""

    def text(self, value: float) -> str:
        """Text of the node."""
        return str(self.nodes[int(value)])

    def number(self, text: str) -> float:
        """The node of a text."""
        if text not in self.node_of:
            raise ValueError("That is no node.")
        return float(self.node_of[text])

    def to_dict(self) -> dict[str, Any]:
        """With the values that occur."""
        return super().to_dict() | {"values": list(self.values)}
