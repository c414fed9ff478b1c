"""How compact and how far apart groups of released records are.

The groups are given: the classes of a confidential attribute, or the cells. Indices of
clusters say nothing of privacy or of what was lost. With cells as the groups of their
own release each group is one point, so both are perfect whatever the cells are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn import config_context
from sklearn.utils import gen_batches

from microcell._centre import centred_and_small
from microcell._validation import check_same_shape
from microcell.aggregate import cell_means
from microcell.exceptions import InputError
from microcell.metrics._homogeneity import values_and_codes

BLOCK_MIB = 16  # of distances at a time


def group_silhouette_score(X: ArrayLike, groups: ArrayLike) -> float:
    """Mean silhouette of records, (b - a) / max(a, b), from -1 to 1; best is 1.

    a is the mean distance to the other records of one's group, b that to the records
    of the nearest other group. A record that is alone in its group counts 0, and so
    does one at a distance of 0 from both.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Records; put columns on a common scale first.
    groups : array-like of shape (n_samples,)
        Group of each record, numbers or text; at least two groups.

    Notes
    -----
    All pairs are looked at, in blocks: O(n_samples**2) time, bounded memory.

    Examples
    --------
    >>> X = [[0.0], [1.0], [10.0], [11.0]]
    >>> group_silhouette_score(X, ["a", "a", "b", "b"])
    0.899...
    >>> round(group_silhouette_score(X, ["a", "b", "a", "b"]), 3)
    -0.45
    """
    from sklearn.metrics import silhouette_score

    X, codes, n_groups = _records_and_groups(X, groups)
    if n_groups == codes.size:
        return 0.0
    # Distances by differences: the default takes them from products, by which
    # coincident records, of which a release has many, are not quite at distance 0.
    unit = np.ones(X.shape[1])
    one_row = 8 * X.shape[0] / 2**20
    with config_context(working_memory=max(BLOCK_MIB, one_row)):
        return float(silhouette_score(X, codes, metric="seuclidean", V=unit))


def group_davies_bouldin_loss(X: ArrayLike, groups: ArrayLike) -> float:
    """Davies-Bouldin index: mean over groups of the worst (s_a + s_b) / d_ab.

    s is the mean distance of a group's records to their mean, d_ab the distance of two
    means; groups with the same mean are not compared. Best is 0, groups of coincident
    records.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Records; put columns on a common scale first.
    groups : array-like of shape (n_samples,)
        Group of each record, numbers or text; at least two groups.

    Notes
    -----
    All pairs of groups are looked at, in blocks: O(n_groups**2) time, bounded memory.

    Examples
    --------
    >>> group_davies_bouldin_loss([[0.0], [1.0], [10.0], [11.0]], ["a", "a", "b", "b"])
    0.1
    """
    from scipy.spatial.distance import cdist

    X, codes, n_groups = _records_and_groups(X, groups)
    means = cell_means(X, codes)
    spread: Any = np.bincount(codes, np.linalg.norm(X - means[codes], axis=1))
    spread = spread / np.bincount(codes)
    # In blocks: scikit-learn's has all pairs of groups at once, and a release can have
    # nearly as many cells as records.
    worst = np.zeros(n_groups)
    n_rows = max(1, int(BLOCK_MIB * 2**20 / (8 * n_groups)))
    for rows in gen_batches(n_groups, n_rows):
        apart = cdist(means[rows], means)
        apart[apart == 0] = np.inf
        worst[rows] = ((spread[rows, None] + spread) / apart).max(axis=1)
    return float(worst.mean())


def _records_and_groups(X: Any, groups: Any) -> tuple[np.ndarray, np.ndarray, int]:
    """Records about their mean and of a common size, which changes neither index."""
    X, _ = check_same_shape(X, X)
    values, codes = values_and_codes(groups, X.shape[0])
    if values.size < 2:
        raise InputError(
            f"All {codes.size} records are in one group: there is nothing to set apart."
        )
    return centred_and_small(X)[0], codes, values.size
