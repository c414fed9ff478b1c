"""Top-down splits at the farthest pair."""

from typing import Any

import numpy as np

from microcell._centre import in_range
from microcell._progress import report
from microcell._random import CELLS, random_generator
from microcell.base import BasePartitioner, Labels, Records, Target
from microcell.kernels.distinct import distinct_records
from microcell.kernels.records import VISITS_PER_SLICE
from microcell.partition._coarse_parts import (
    kmeans_parts,
    merge_small_parts,
    number_of_parts,
)
from microcell.partition._farthest_pair_kernel import farthest_pair
from microcell.partition._top_down_kernel import split, split_parts

MAX_PART_WITHOUT_SLICES = (
    50_000  # records of a part whose pair is searched for in slices
)


class TopDown(BasePartitioner):
    """Cells that come from splitting the table at its farthest pair [1]_.

    The table is divided into `c` parts by k-means++. Then a part with 2k records or
    more is split: each record of its farthest pair takes its k - 1 nearest, and every
    other record joins the one of the two groups whose centroid, of those k, is nearer.
    Cells have k to 2k - 1 records. Ties go to what comes first in its part, where a
    group lists its record of the pair, the k - 1 nearest by distance, and then those
    that joined, in their order.

    Two departures from [1]_. A part below k, which there is released as a cell, joins
    the part with the nearest centroid first. No matrix of distances is kept: the
    farthest pair is exact, found by bounds, and memory is O(n d).

    Columns are not rescaled: embed first. A split costs O(n d) where the bounds work,
    in clouds and in clusters, and n^2 distances at worst; with balanced splits the
    whole is near n log n, and n^2 / k where each split sheds few records.

    Parameters
    ----------
    k : int, default=3
        Least number of records in a cell.
    c : int, optional
        Parts to begin with; at most n // k are made. By default one for each 5,000
        records, so that a table of up to 7,500 is split as a whole and nothing is
        random.
    roulette : {"squared", "distance"}, default="squared"
        How k-means++ draws its centres: by squared distance, the best of several
        draws, or by distance, as [1]_ says.
    random_state : None, int, RandomState or Generator, optional
        For k-means++; not used with one part.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.

    References
    ----------
    .. [1] Yang. Random aggregation: differential privacy in k-anonymity.

    Examples
    --------
    >>> TopDown(k=2).fit([[0.0], [0.1], [5.0], [5.1], [5.2]]).labels_
    array([0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        k: int = 3,
        c: int | None = None,
        *,
        roulette: str = "squared",
        random_state: Any = None,
    ) -> None:
        self.k = k
        self.c = c
        self.roulette = roulette
        self.random_state = random_state

    def _partition(self, X: Records, y: Target) -> Labels:
        rng = random_generator(self.random_state, CELLS)
        n_parts = number_of_parts(self.c, X.shape[0], self.k)
        X = in_range(X)
        parts = kmeans_parts(X, n_parts, rng, self.roulette)
        return top_down_labels(X, merge_small_parts(X, parts, self.k), self.k)


def top_down_labels(X: np.ndarray, parts: np.ndarray, k: int) -> np.ndarray:
    """Split each part until its cells have fewer than 2k records.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    parts : ndarray of shape (n_samples,)
        Part of each record, 0 to n_parts - 1, each of at least `k` records.
    k : int

    Returns
    -------
    labels : ndarray of shape (n_samples,)
    """
    n_samples = X.shape[0]
    classes, first_rows = distinct_records(X)
    rows = np.argsort(parts, kind="stable")
    records, classes = X[rows], classes[rows]
    labels = np.full(n_samples, -1, dtype=np.int64)
    seen = np.full(len(first_rows), -1, dtype=np.int64)
    stack = np.empty((n_samples // k + 2, 2), dtype=np.int64)
    ends = np.cumsum(np.bincount(parts))
    depth = len(ends)
    stack[:depth, 1] = ends[::-1]  # the first part is done first, so it goes on top
    stack[:depth, 0] = np.append(ends[-2::-1], 0)
    n_cells, n_done, stamp = 0, 0, 0
    while depth > 0:
        start, stop = stack[depth - 1]
        if stop - start > MAX_PART_WITHOUT_SLICES and stop - start >= 2 * k:
            here, stamp = slice(start, stop), stamp + 1
            part = records[here], rows[here], classes[here]
            first, second, best = farthest_pair(
                part[0],
                part[2],
                seen,
                stamp,
                VISITS_PER_SLICE,
                lambda: report(n_done, n_samples),  # noqa: B023
            )
            if best > 0:
                n_lower = split(*part, first, second, k)
                stack[depth - 1] = start + n_lower, stop
                stack[depth] = start, start + n_lower
                depth += 1
                continue
        depth, n_cells, newly_done, stamp = split_parts(
            records,
            rows,
            classes,
            seen,
            stamp,
            stack,
            depth,
            labels,
            n_cells,
            k,
            max(MAX_PART_WITHOUT_SLICES, stop - start),
            VISITS_PER_SLICE,
        )
        n_done += newly_done
        report(n_done, n_samples)
    return labels
