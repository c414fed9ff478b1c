"""Distance from the distribution of values in each cell to that in the whole table.

All take `CellValues`, and work in whole numbers as long as these fit, so that a cell
whose distance is exactly t is seen to be at t.
"""

from collections.abc import Sequence

import numpy as np

from microcell.privacy._distances_kernel import ordered_gaps
from microcell.privacy._view import CellValues

MAX_SUMMED_INTEGER = 2**62  # of numbers that are added up in 64 bits


def equal_distances(cells: CellValues) -> np.ndarray:
    """Half the sum of differences of shares: any two values are one unit apart.

    It is the sum of the positive differences, over values that a cell has. Of people
    with several values it is that of the positive or that of the negative ones, what is
    more, and at most one.

    Examples
    --------
    >>> from microcell.privacy import cell_values
    >>> equal_distances(cell_values(np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1])))
    array([0.25, 0.25])
    """
    n_samples, sizes = cells.n_people, cells.sizes
    excess = cells.count * n_samples - cells.totals[cells.value] * sizes[cells.cell]
    excess = np.bincount(cells.cell, np.maximum(excess, 0), minlength=sizes.size)
    if cells.several:
        held = np.bincount(cells.cell, cells.count, minlength=sizes.size)
        excess += np.maximum(cells.totals.sum() * sizes - held * n_samples, 0)
        excess = np.minimum(excess, sizes * n_samples)
    return excess / (sizes * n_samples)


def ordered_distances(cells: CellValues) -> np.ndarray:
    """Ordered earth mover's distance of each cell, O(n log n) for all together.

    Values are numbered in their order, and neighbours are 1 / (m - 1) apart. The
    distribution function of a cell is a staircase. Along a step it is constant and
    that of the table rises, so the table's is below up to one place, found by
    bisection, and above from there; prefix sums give the area to both sides.

    Examples
    --------
    >>> from microcell.privacy import cell_values
    >>> ordered_distances(cell_values(np.array([0, 0, 1, 1]), np.array([0, 1, 2, 3])))
    array([0.33333333, 0.33333333])
    """
    occurs, sizes = cells.totals > 0, cells.sizes
    totals, value = cells.totals, cells.value
    if not occurs.all():
        value, totals = (np.cumsum(occurs) - 1)[value], totals[occurs]
    n_values, n_samples = totals.size, int(totals.sum())
    if n_values == 1:
        return np.zeros(sizes.size)
    fits = float(sizes.max()) * n_samples * n_values < MAX_SUMMED_INTEGER
    number = np.int64 if fits else np.float64
    below = np.cumsum(totals).astype(number)  # of the table, in records
    area = np.concatenate([np.zeros(1, number), np.cumsum(below)])
    gaps = ordered_gaps(cells.cell, value, cells.count, sizes, below, area)
    return gaps / (sizes * float(n_samples) * (n_values - 1))


def tree_distances(
    cells: CellValues, paths: np.ndarray, heights: Sequence[np.ndarray]
) -> np.ndarray:
    """Earth mover's distance where two values are as far as they are related.

    Two values are height(lowest common ancestor) / height(root) apart. What a node has
    too much of among its children goes to where it lacks, and only the rest goes up
    [1]_.

    Parameters
    ----------
    cells : CellValues
        Values are numbered as the rows of `paths`.
    paths : ndarray of shape (n_values, n_levels)
        Nodes above each value, from the root down; the last is the value itself. Nodes
        are numbered by level, -1 where a value hangs higher than others.
    heights : list of ndarray
        Height of the nodes of each level.

    References
    ----------
    .. [1] Li, Li and Venkatasubramanian (2007). t-closeness: privacy beyond
       k-anonymity and l-diversity. ICDE, 106-115, section 4.3.
    """
    n_cells, n_values = cells.sizes.size, cells.totals.size
    shares = np.zeros((n_cells, n_values))
    shares[cells.cell, cells.value] = cells.count / cells.sizes[cells.cell]
    extra = shares - cells.totals / cells.totals.sum()
    return tree_costs(extra, paths, heights)


def tree_costs(
    extra: np.ndarray, paths: np.ndarray, heights: Sequence[np.ndarray]
) -> np.ndarray:
    """Cost of evening out `extra`, shape (n_cells, n_values), over a tree."""
    height = float(heights[0][0])
    total = np.zeros(extra.shape[0])
    if height == 0:
        return total
    n_levels = paths.shape[1]
    for level in range(n_levels - 1):
        n_nodes, n_below = heights[level].size, heights[level + 1].size
        below = np.zeros((extra.shape[0], n_below))
        parent = np.zeros(n_below, dtype=np.int64)
        for value, path in enumerate(paths):
            if path[level + 1] >= 0:
                below[:, path[level + 1]] += extra[:, value]
                parent[path[level + 1]] = path[level]
        surplus = np.zeros((extra.shape[0], n_nodes))
        lack = np.zeros((extra.shape[0], n_nodes))
        for node in range(n_below):
            surplus[:, parent[node]] += np.maximum(below[:, node], 0)
            lack[:, parent[node]] += np.maximum(-below[:, node], 0)
        total += np.minimum(surplus, lack) @ (heights[level] / height)
    return total
