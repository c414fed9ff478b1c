"""A hierarchy of confidential values as a tree of nodes in levels."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from microcell.privacy._classes import as_polars
from microcell.privacy._value_order import places_of


def make_tree(hierarchy: Mapping[Any, Any]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Nodes above each value, and how high they are.

    The last row is of a missing value, which hangs from the root. If the values have
    several topmost ancestors, a root above them is added.

    Parameters
    ----------
    hierarchy : mapping
        For each value its ancestors, the nearest first; a text is one ancestor.

    Returns
    -------
    paths : ndarray of shape (n_values + 1, n_levels)
        Nodes from the root down to the value, numbered by level; -1 below a value that
        hangs higher than others.
    heights : list of ndarray
        Height of the nodes of each level: the longest way down to a value.

    Examples
    --------
    >>> paths, heights = make_tree({"flu": ["lung"], "cold": ["lung"], "gout": []})
    >>> paths.tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, -1], [0, 2, -1]]
    >>> [one.tolist() for one in heights]
    [[2], [1, 0, 0], [0, 0]]
    """
    chains = []
    for value, above in hierarchy.items():
        names = [above] if isinstance(above, str) else list(above)
        chains.append([*reversed(names), ("value", value)])
    tops = {chain[0] for chain in chains}
    if len(tops) > 1 or len(chains[0]) == 1:
        chains = [["\0root", *chain] for chain in chains]
    chains.append([chains[0][0], ("missing",)])
    n_levels = max(map(len, chains))
    paths = np.full((len(chains), n_levels), -1, dtype=np.int64)
    numbers: list[dict[tuple[Any, ...], int]] = [{} for _ in range(n_levels)]
    for row, chain in enumerate(chains):
        for level in range(len(chain)):
            known = numbers[level]
            node = tuple(chain[: level + 1])
            paths[row, level] = known.setdefault(node, len(known))
    heights = [np.zeros(len(known), dtype=np.int64) for known in numbers]
    for row, chain in enumerate(chains):
        for level in range(len(chain)):
            node, height = paths[row, level], len(chain) - 1 - level
            heights[level][node] = max(heights[level][node], height)
    return paths, heights


def leaf_codes(table: Any, column: str, hierarchy: Mapping[Any, Any]) -> np.ndarray:
    """Confidential value of each record, numbered as in the hierarchy.

    Examples
    --------
    >>> import polars as pl
    >>> leaf_codes(pl.DataFrame({"ill": ["gout", "", "flu"]}), "ill",
    ...            {"flu": ["lung"], "gout": ["joint"]})
    array([1, 2, 0])
    """
    values = as_polars(table, [column])[column]
    if values.dtype.is_float():
        values = values.fill_nan(None)
    leaves = [str(value) for value in hierarchy]
    hint = "Name the ancestors of all values."
    places = places_of(values, leaves, column, "hierarchy", hint)
    return places.fill_null(len(leaves)).to_numpy()
