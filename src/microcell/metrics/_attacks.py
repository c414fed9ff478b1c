"""Attacks on the cells of a release by those who know much of the original."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microcell._validation import check_count, check_labels, check_same_shape
from microcell.aggregate import cell_means

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


SAME = 1e-9  # relative: distances that differ by less are the same


class DifferentialAttack(NamedTuple):
    """What an attacker learns who knows all records of a cell but one.

    Both figures are root mean square errors over all records and columns, in units of
    the columns' standard deviations: 0 is the exact record.

    Attributes
    ----------
    error : float
        Of the guess from the release: what is missing in the cell's mean.
    error_without : float
        Of the guess without the release: the mean of the known records. A release with
        an error above that tells this attacker nothing more.
    """

    error: float
    error_without: float


def differential_attack(
    X_original: ArrayLike, X_released: ArrayLike, labels: ArrayLike
) -> DifferentialAttack:
    """Error of the guess of the last record of a cell from all others.

    The attacker takes the mean of the released records of a cell for the mean of the
    cell, and subtracts the records that are known. Plain microaggregation has no
    answer: the guess is exact. Noise of its own for each record leaves an error of its
    mean times the size of the cell.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    labels : array-like of shape (n_samples,)
        Cell of each record; cells of two or more.

    Returns
    -------
    attack : DifferentialAttack

    Examples
    --------
    >>> X = [[790, 55], [710, 44], [720, 33]]
    >>> X_released = [[740, 44], [740, 44], [740, 44]]
    >>> differential_attack(X, X_released, [0, 0, 0]).error
    0.0
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    labels = check_labels(labels, X_original.shape[0], k=2)
    sizes = np.bincount(labels)[labels, None]
    middle = cell_means(X_original, labels)[labels]
    # size * released mean - the others = own + size * (released mean - mean)
    error = sizes * (cell_means(X_released, labels)[labels] - middle)
    without = (X_original - middle) * sizes / (sizes - 1)
    spread = X_original.std(axis=0)
    spread[np.ptp(X_original, axis=0) == 0] = 1.0
    return DifferentialAttack(
        float(np.sqrt(np.mean((error / spread) ** 2))),
        float(np.sqrt(np.mean((without / spread) ** 2))),
    )


def centroid_linkage_risk(
    X_original: ArrayLike, X_released: ArrayLike, labels: ArrayLike, *, top: int = 1
) -> float:
    """Share of the records nearest to their cell's centroid that linkage finds.

    Microaggregation hardly changes the record in the middle of a cell, so the original
    nearest to a centroid is often the right one. Of each cell one record is looked at,
    the one nearest to its centroid, with the intruder of `distance_linkage_risk`: the
    `top` originals nearest to a released record are named, ties in equal shares.

    Best is 0. Distances are Euclidean in the units given: scale both tables in the
    same way first.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    labels : array-like of shape (n_samples,)
        Cell of each record.
    top : int, default=1
        How many candidates the intruder may name.

    Returns
    -------
    risk : float
        Between 0 and 1.

    Examples
    --------
    >>> X = [[0.0], [1.0], [5.0], [20.0], [30.0], [31.0]]
    >>> X_released = [[2.0], [2.0], [2.0], [27.0], [27.0], [27.0]]
    >>> centroid_linkage_risk(X, X_released, [0, 0, 0, 1, 1, 1])
    1.0
    """
    from scipy.spatial import KDTree

    X_original, X_released = check_same_shape(X_original, X_released)
    labels = check_labels(labels, X_original.shape[0], k=1)
    top = check_count(top, 1, "top")
    gaps = np.sum((X_original - cell_means(X_original, labels)[labels]) ** 2, axis=1)
    order = np.lexsort((gaps, labels))
    _, starts = np.unique(labels[order], return_index=True)
    inner = order[starts]
    own = np.sqrt(np.sum((X_original[inner] - X_released[inner]) ** 2, axis=1))
    tree = KDTree(X_original)
    slack = SAME * own + SAME**2 * np.abs(X_original).max()

    def within(radii: np.ndarray) -> np.ndarray:
        return tree.query_ball_point(X_released[inner], radii, return_length=True)

    nearer = np.where(own > slack, within(np.maximum(own - slack, 0)), 0)
    tied = within(own + slack) - nearer
    return float(np.mean(np.clip((top - nearer) / np.maximum(tied, 1), 0, 1)))
