"""CutTree: axis cuts that send every record to its shard, whoever holds it.

A Mondrian of embedded records: parts are cut along the column in which their records
differ most, near the quantile that gives both sides their share of the shards. It is
learnt on a sample, and a record needs nothing but the tree to find its leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from microcell.kernels.columns import widest
from microcell.kernels.compiled import njit

FAIR = 0.5  # of its share: a cut that leaves a side less is taken if no other is there


@dataclass(frozen=True)
class CutTree:
    """Cuts in the order in which they were made.

    Attributes
    ----------
    column : ndarray of shape (n_cuts,)
        The column that is cut.
    threshold : ndarray of shape (n_cuts,)
        Values up to it go to the left.
    children : ndarray of shape (n_cuts, 2)
        The next cut on the left and on the right; -1 - leaf where there is none.
    """

    column: np.ndarray
    threshold: np.ndarray
    children: np.ndarray

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return len(self.column) + 1

    def leaves(self, Z: np.ndarray) -> np.ndarray:
        """Leaf of each record, shape (n_records,)."""
        if not len(self.column):
            return np.zeros(len(Z), dtype=np.int32)
        return _leaves(Z, self.column, self.threshold, self.children)

    def join(self, keep: Callable[[list[int]], bool]) -> np.ndarray:
        """Shard of each leaf: what cannot be a shard is joined with its sibling.

        Parameters
        ----------
        keep : callable
            Whether some leaves together can be a shard; a union of those that can
            must be one that can. One that can and one that cannot may be one that
            cannot: t-closeness is such a promise.

        Returns
        -------
        shard_of_leaf : ndarray of shape (n_leaves,)
            Numbered in the order of their first leaves.

        Examples
        --------
        >>> tree = learn_cuts(np.arange(8.0)[:, None], np.ones(8), 4)
        >>> counts = np.array([5, 1, 5, 5])
        >>> tree.join(lambda leaves: counts[leaves].sum() >= 3)
        array([0, 0, 1, 2])
        """
        groups = self._joined(0 if len(self.column) else -1, keep)
        shard_of_leaf = np.empty(self.n_leaves, dtype=np.int64)
        for shard, leaves in enumerate(sorted(sorted(group) for group in groups)):
            shard_of_leaf[leaves] = shard
        return shard_of_leaf

    def _joined(self, node: int, keep: Callable[[list[int]], bool]) -> list[list[int]]:
        """Groups of leaves below a cut; all can be shards, or there is one group."""
        if node < 0:
            return [[-1 - node]]
        left, right = (self._joined(int(child), keep) for child in self.children[node])
        for few, others in ((left, right), (right, left)):
            if len(few) == 1 and not keep(few[0]):
                return _with(few[0], others, keep)
        return [*left, *right]


def _with(
    few: list[int], groups: list[list[int]], keep: Callable[[list[int]], bool]
) -> list[list[int]]:
    """Groups of which one has taken leaves that cannot be a shard, and can be one."""
    taken, left = few, list(groups)
    while left:
        nearest = min(left, key=len)
        left = [group for group in left if group is not nearest]
        taken = [*nearest, *taken]
        if keep(taken):
            break
    return [*left, taken]


@njit(cache=True, nogil=True)
def _leaves(Z, column, threshold, children):
    leaves = np.empty(len(Z), dtype=np.int32)
    for i in range(len(Z)):
        node = 0
        while node >= 0:
            node = children[node, 0 if Z[i, column[node]] <= threshold[node] else 1]
        leaves[i] = -1 - node
    return leaves


def learn_cuts(
    Z: np.ndarray,
    weights: np.ndarray,
    n_shards: int,
    coded: Sequence[int] = (),
    units: Sequence[float] = (),
) -> CutTree:
    """A tree that cuts a table into about equal shards.

    Parameters
    ----------
    Z : ndarray of shape (n_sampled, n_columns)
        Records on the scale of distances.
    weights : ndarray of shape (n_sampled,)
        Records of the table that each stands for.
    n_shards : int
        How many leaves there are to be; fewer where records cannot be told apart.
    coded : sequence of int
        Columns that hold codes, which are cut in the order of their codes.
    units : sequence of float
        What a mismatch in each of them counts, as a squared distance.
    """
    unit_of = dict(zip(coded, units, strict=True))
    cuts: list[tuple[int, float]] = []
    children: list[list[int]] = []
    n_leaves = 0

    def grow(rows: np.ndarray, shards: int) -> int:
        nonlocal n_leaves
        cut = None
        if shards > 1:
            cut = _best_cut(Z[rows], weights[rows], shards, unit_of)
        if cut is None:
            n_leaves += 1
            return -n_leaves
        column, threshold = cut
        left = Z[rows, column] <= threshold
        share = weights[rows[left]].sum() / weights[rows].sum()
        of_left = min(max(round(shards * share), 1), shards - 1)
        node = len(cuts)
        cuts.append((column, threshold))
        children.append([0, 0])
        children[node][0] = grow(rows[left], of_left)
        children[node][1] = grow(rows[~left], shards - of_left)
        return node

    grow(np.arange(len(Z)), n_shards)
    return CutTree(
        np.array([column for column, _ in cuts], dtype=np.int64),
        np.array([threshold for _, threshold in cuts], dtype=np.float64),
        np.array(children, dtype=np.int64).reshape(-1, 2),
    )


def _best_cut(
    Z: np.ndarray, weights: np.ndarray, shards: int, unit_of: dict[int, float]
) -> tuple[int, float] | None:
    """Column and threshold of the next cut; None if all records are the same.

    The column in which records differ most, if a cut in it is fair to both sides; else
    the one whose cut is the fairest. Ties go to the first column, as in `widest`.
    """
    n_columns = Z.shape[1]
    spreads = np.array(
        [_spread(Z[:, j], weights, unit_of.get(j)) for j in range(n_columns)]
    )
    wanted = (shards // 2) / shards
    found: list[tuple[float, int, float]] = []
    while spreads.max(initial=0) > 0:
        j = int(widest(spreads))
        spreads[j] = 0
        threshold, share = _near_quantile(Z[:, j], weights, wanted)
        fairness = min(share / wanted, (1 - share) / (1 - wanted))
        if fairness >= FAIR:
            return j, threshold
        found.append((-fairness, j, threshold))
    return min(found)[1:] if found else None


def _spread(values: np.ndarray, weights: np.ndarray, unit: float | None) -> float:
    """Mean squared distance of two records in a column; 0 if all are the same."""
    if values.min() == values.max():
        return 0.0
    if unit is None:
        mean = np.average(values, weights=weights)
        return float(2 * np.average((values - mean) ** 2, weights=weights))
    _, which = np.unique(values, return_inverse=True)
    shares = np.bincount(which, weights=weights) / weights.sum()
    return float(unit * (1 - np.sum(shares**2)))


def _near_quantile(
    values: np.ndarray, weights: np.ndarray, wanted: float
) -> tuple[float, float]:
    """The value with a share of the weight up to it nearest to `wanted`, and the share.

    Never the greatest value, which would leave nothing on its right.
    """
    distinct, which = np.unique(values, return_inverse=True)
    shares = np.cumsum(np.bincount(which, weights=weights))[:-1] / weights.sum()
    place = int(np.argmin(np.abs(shares - wanted)))
    return float(distinct[place]), float(shares[place])
