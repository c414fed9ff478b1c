"""Cells that searches have come to, and the best partition that is made of them."""

import numpy as np

MOST_POOLED = 30_000  # cells; with more the integer programme takes too long


class Pool:
    """Distinct cells with what each costs.

    Annealing from the same cells comes to other ones each time, here better and there
    worse. The best partition made of all of them, not only of those that came
    together, is the solution of an integer programme: choose cells so that each record
    is in one, and the sum of their costs is least.

    Parameters
    ----------
    n_samples : int
        Records that a partition has to cover.
    """

    def __init__(self, n_samples):
        self.n_samples = n_samples
        self.costs = {}

    def add(self, cells):
        """Take in all cells of a partition."""
        if len(self.costs) > MOST_POOLED:
            self.costs.clear()
        for cell in range(cells.n_cells[0]):
            members = np.sort(cells.members[cell, : cells.sizes[cell]])
            self.costs[members.tobytes()] = cells.own[members].sum()

    def best_partition(self, *, seconds=None, nodes=None):
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
        rows = np.concatenate(members)
        ends = np.cumsum([0] + [len(some) for some in members])
        shape = (self.n_samples, len(members))
        covers = csc_array((np.ones(len(rows)), rows, ends), shape=shape)
        limits = {"time_limit": seconds, "node_limit": nodes, "mip_rel_gap": 1e-7}
        found = milp(
            costs / costs.mean(),
            constraints=LinearConstraint(covers, 1.0, 1.0),
            integrality=np.ones(len(members)),
            bounds=Bounds(0.0, 1.0),
            options={name: value for name, value in limits.items() if value},
        )
        if found.x is None:
            return None
        labels = np.full(self.n_samples, -1, dtype=np.int64)
        for label, at in enumerate(np.flatnonzero(found.x > 0.5)):
            labels[members[at]] = label
        counts = covers @ (found.x > 0.5)
        return labels if (counts == 1).all() else None
