"""ByStratum: cells that never cross the border of a stratum."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import Tags

from microcell._capabilities import Capabilities, capabilities_of
from microcell._patterns import pattern_of
from microcell._progress import listen, part_of
from microcell._slices import take_rows
from microcell._validation import check_choice
from microcell.aggregate import cell_means
from microcell.base import BasePartitioner, Labels, Records, Target
from microcell.compose._refinement import refinement_of_strata
from microcell.compose._wrapper import PartitionWrapper, refinement_of


class ByStratum(PartitionWrapper):
    """Partition the records of each stratum by themselves.

    Parameters
    ----------
    partition : partitioner
        How cells are formed inside a stratum.
    strata : partitioner or array-like of shape (n_samples,)
        The stratum of each record, or a coarse partitioner whose cells are the
        strata: ``ByStratum(MDAV(5), strata=Mondrian(10_000))``.
    small : {"error", "merge"}, default="error"
        What to do with a stratum of fewer than k records: name it and stop, or merge
        it with the stratum of the nearest centroid, smallest first.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.
    strata_ : ndarray of shape (n_samples,)
        Stratum of each record, after merging.

    Examples
    --------
    >>> from microcell.partition import MDAV
    >>> X = [[0.0], [0.1], [0.2], [0.3]]
    >>> ByStratum(MDAV(k=2), strata=["a", "b", "a", "b"]).fit(X).labels_
    array([0, 1, 0, 1])
    """

    def __init__(
        self,
        partition: BasePartitioner,
        *,
        strata: BasePartitioner | ArrayLike,
        small: str = "error",
    ) -> None:
        self.partition = partition
        self.strata = strata
        self.small = small

    @property
    def capabilities(self) -> Capabilities:
        """Those of the partitioner inside; codes only if strata are given and kept."""
        inside = super().capabilities
        kept = self._coarse() is None and self.small == "error"
        return replace(
            inside,
            takes_codes=kept and inside.takes_codes,
            refinable=False,
            keeps_more=True,
        )

    def _coarse(self) -> BasePartitioner | None:
        """The partitioner that makes the strata; None where they are given."""
        return self.strata if isinstance(self.strata, BasePartitioner) else None

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required |= capabilities_of(self._coarse()).needs_target
        return tags

    def _partition(self, X: Records, y: Target) -> Labels:
        check_choice("small", self.small, ("error", "merge"))
        coarse = self._coarse()
        if coarse is not None:
            strata = names = _coarse_cells(coarse, X, y)
        else:
            names = np.asarray(self.strata)
            if names.shape != (X.shape[0],):
                raise ValueError(
                    f"strata must hold one value for each of the {X.shape[0]} records. "
                    f"Got shape {names.shape} instead."
                )
            strata = np.unique(names, return_inverse=True)[1]
        if self.small == "merge":
            strata = merge_small(X, strata, self.k)
        self._check_sizes(strata, names)
        self.strata_ = strata
        y = None if y is None else np.asarray(y)
        labels = np.empty(X.shape[0], dtype=np.int64)
        order = np.argsort(strata, kind="stable")
        n_cells = n_done = 0
        records = np.split(order, np.flatnonzero(np.diff(strata[order])) + 1)
        refined = []
        for rows in records:
            with part_of(n_done, X.shape[0]):
                part = take_rows(clone(self.partition), rows)
                if isinstance(part, PartitionWrapper):
                    part.take_share(len(rows) / X.shape[0])
                part.fit(X[rows], None if y is None else y[rows])
            labels[rows] = part.labels_ + n_cells
            n_cells += part.n_cells_
            n_done += len(rows)
            refined.append(refinement_of(part))
        self.refinement_ = refinement_of_strata(X, self, records, refined)
        return labels

    def _check_sizes(self, strata: np.ndarray, names: np.ndarray) -> None:
        sizes = np.bincount(strata)
        small = np.flatnonzero((sizes < self.k) & (sizes > 0))
        if small.size:
            shown = [
                f"like {pattern_of(names[np.argmax(strata == stratum)])!r} "
                f"({sizes[stratum]})"
                for stratum in small[:5]
            ]
            more = f" and {small.size - 5} more" if small.size > 5 else ""
            raise ValueError(
                f"{small.size} stratum/strata with fewer than k={self.k} records: "
                f"{', '.join(shown)}{more}. Lower k, join strata, or let small ones "
                "be merged with small='merge'."
            )


def _coarse_cells(coarse: BasePartitioner, X: np.ndarray, y: Any) -> np.ndarray:
    if X.shape[0] < coarse.k:  # the whole table is one stratum
        return np.zeros(X.shape[0], dtype=np.int64)
    with listen(None):  # only the cells count as progress
        return clone(coarse).fit_predict(X, y)


def merge_small(X: np.ndarray, strata: np.ndarray, k: int) -> np.ndarray:
    """Merge each stratum of fewer than k records with the one of nearest centroid.

    The smallest goes first, the earlier one on ties.
    """
    strata = np.unique(strata, return_inverse=True)[1]
    return joined_strata(cell_means(X, strata), np.bincount(strata), k)[strata]


def joined_strata(
    centroids: np.ndarray, sizes: np.ndarray, k: int, own: np.ndarray | None = None
) -> Any:
    """For each stratum the one that it joins, by their centroids and sizes.

    Where people have records in several strata, `own` are those who are counted in
    this one alone: strata together have no fewer people than these, or than one has.

    Examples
    --------
    >>> joined_strata(np.array([[0.0], [9.0], [1.0]]), np.array([5, 7, 2]), 3)
    array([0, 1, 0])
    """
    centroids, sizes = centroids.copy(), sizes.astype(np.float64)
    own = sizes.copy() if own is None else own.copy()
    joined = np.arange(sizes.size)
    for _ in range(sizes.size - 1):
        smallest = int(np.argmin(sizes))
        if sizes[smallest] >= k:
            break
        distances = np.sum((centroids - centroids[smallest]) ** 2, axis=1)
        distances[(sizes == np.inf) | (np.arange(sizes.size) == smallest)] = np.inf
        nearest = int(np.argmin(distances))
        share = sizes[smallest] / (sizes[smallest] + sizes[nearest])
        centroids[nearest] += share * (centroids[smallest] - centroids[nearest])
        own[nearest] += own[smallest]
        sizes[nearest] = max(sizes[nearest], own[nearest])
        sizes[smallest] = np.inf  # it is gone
        joined[joined == smallest] = nearest
    return np.unique(joined, return_inverse=True)[1]
