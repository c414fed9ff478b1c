"""Cells that searches have come to, and the best partition that is made of them."""

from collections.abc import Sequence

import numpy as np

from microcell.refine._cells import Cells

MAX_POOLED_CELLS = 30_000  # cells; with more the integer programme takes too long


class Pool:
    """Distinct cells with what each costs.

    Annealing from the same cells comes to other ones each time, here better and there
    worse. The best partition made of all of them, not only of those that came
    together, is the solution of an integer programme: choose cells so that each record
    is in one, and the sum of their costs is least.

    Records that are equal count as one, with as many places to cover: to name them
    would only give each solution many names.

    Parameters
    ----------
    kinds : ndarray of shape (n_samples,)
        Which records are equal, 0 to n_kinds - 1.
    """

    def __init__(self, kinds: np.ndarray) -> None:
        self.kinds = kinds
        self.costs: dict[bytes, float] = {}

    def add(self, cells: Cells) -> None:
        """Take in all cells of a partition."""
        if len(self.costs) > MAX_POOLED_CELLS:
            self.costs.clear()
        for cell in range(cells.n_cells[0]):
            members = cells.members[cell, : cells.sizes[cell]]
            key = np.sort(self.kinds[members]).tobytes()
            self.costs[key] = cells.own[members].sum()

    def best_partition(
        self, *, seconds: float | None = None, nodes: int | None = None
    ) -> np.ndarray | None:
        """Labels of the best partition that was found, or None.

        Parameters
        ----------
        seconds, nodes : optional
            How long to search, or how many nodes of the search tree to open.
        """
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csc_array

        members = [np.frombuffer(key, dtype=np.int64) for key in self.costs]
        costs = np.fromiter(self.costs.values(), dtype=np.float64)
        counts = np.bincount(self.kinds)
        rows = np.concatenate(members)
        ends = np.cumsum([0] + [len(some) for some in members])
        shape = (len(counts), len(members))
        covers = csc_array((np.ones(len(rows)), rows, ends), shape=shape)
        covers.sum_duplicates()
        limits = {"time_limit": seconds, "node_limit": nodes, "mip_rel_gap": 1e-7}
        found = milp(
            costs / (costs.mean() or 1.0),
            constraints=LinearConstraint(covers, counts, counts),
            integrality=np.ones(len(members)),
            bounds=Bounds(0.0, counts.max()),
            options={name: value for name, value in limits.items() if value},
        )
        if found.x is None:
            return None
        times = np.round(found.x).astype(np.int64)
        if (covers @ times != counts).any():
            return None
        chosen = [members[at] for at in np.repeat(np.arange(len(times)), times)]
        return labels_of_kinds(chosen, self.kinds)


def labels_of_kinds(cells: Sequence[np.ndarray], kinds: np.ndarray) -> np.ndarray:
    """Give each cell records of its kinds, the earlier cell the earlier records.

    Examples
    --------
    >>> cells = [np.array([0, 1]), np.array([0, 0])]
    >>> labels_of_kinds(cells, np.array([0, 1, 0, 0]))
    array([0, 0, 1, 1])
    """
    wanted = np.concatenate(cells)
    cell_of = np.repeat(np.arange(len(cells)), [len(cell) for cell in cells])
    labels = np.empty(len(kinds), dtype=np.int64)
    places = np.argsort(kinds, kind="stable")
    labels[places] = cell_of[np.argsort(wanted, kind="stable")]
    return labels
