"""Distance-based record linkage (DLD)."""

import numpy as np
from scipy.spatial import KDTree

from microcell._validation import check_k, check_same_shape
from microcell.kernels.distinct import distinct_records

SPARE_NEIGHBOURS = 2  # enough to see that there is no tie, almost always
ROUNDING = 1e-9  # more than distances can differ by the order of their sums


def distance_linkage_risk(X_original, X_released, *, top=1):
    """Share of released records that their nearest original records give away.

    An intruder who holds the original table links each released record to the `top`
    original records nearest to it, and is right if its own is among them. Original
    records at the same distance share their places fairly: with `a` originals nearer
    than its own and `t` at the same distance (its own counted), a record is found with
    probability (top - a) / t, kept between 0 and 1.

    Best is 0. Distances are Euclidean in the units given: standardise both tables in
    the same way first. Each distinct released record is looked up once in a k-d tree
    of the distinct original records.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    top : int, default=1
        How many candidates the intruder may name: 1 is the usual measure, 2 counts
        the second nearest as well.

    Returns
    -------
    risk : float
        Between 0 and 1.

    Examples
    --------
    >>> X = [[0.0], [2.0], [10.0], [13.0], [14.0]]
    >>> X_released = [[1.0], [1.0], [12.0], [12.0], [12.0]]
    >>> distance_linkage_risk(X, X_released)
    0.4
    >>> distance_linkage_risk(X, X_released, top=2)
    0.8
    """
    return linkage_risks(X_original, X_released, (top,))[0]


def linkage_risks(X_original, X_released, tops):
    """`distance_linkage_risk` for several values of `top` at the price of the largest.

    Returns
    -------
    risks : list of float
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    tops = [min(check_k(top, name="top"), X_original.shape[0]) for top in tops]
    original_class, first = distinct_records(X_original)
    originals, copies = X_original[first], np.bincount(original_class)
    released_class, first = distinct_records(X_released)
    queries = X_released[first]
    own = squared_distances(X_original, X_released)

    tree = KDTree(originals)
    n_wanted = min(max(tops), originals.shape[0])
    n_neighbours = min(n_wanted + SPARE_NEIGHBOURS, originals.shape[0])
    _, neighbours = tree.query(queries, k=n_neighbours, workers=-1)
    neighbours = neighbours.reshape(queries.shape[0], n_neighbours)
    distances = squared_distances(originals[neighbours], queries[:, None])
    reach = np.partition(distances, n_wanted - 1, axis=1)[:, n_wanted - 1]
    # A query whose last neighbour is still within reach may have more of them.
    unclear = (n_neighbours < originals.shape[0]) & (
        distances.max(axis=1) <= reach * (1 + ROUNDING)
    )
    clear = ~unclear[released_class]
    of_record = released_class[clear]
    found = np.zeros(len(tops))
    found += found_shares(
        own[clear], distances[of_record], copies[neighbours[of_record]], tops
    )

    by_class = np.argsort(released_class, kind="stable")
    starts = np.searchsorted(released_class[by_class], np.arange(queries.shape[0] + 1))
    for query in np.flatnonzero(unclear):
        radius = np.sqrt(reach[query]) * (1 + ROUNDING)
        near = np.asarray(tree.query_ball_point(queries[query], radius))
        members = by_class[starts[query] : starts[query + 1]]
        ball = squared_distances(originals[near], queries[query])
        found += found_shares(own[members], ball[None], copies[near][None], tops)
    return [float(share) for share in found / X_original.shape[0]]


def squared_distances(A, B):
    """Squared distances of rows, summed in column order so that equal is equal."""
    total = 0.0
    for j in range(A.shape[-1]):
        total = total + (A[..., j] - B[..., j]) ** 2
    return total


def found_shares(own, distances, copies, tops):
    """For each of `tops`, in how many records the own original is among the nearest.

    Parameters
    ----------
    own : ndarray of shape (n_records,)
        Squared distance of each released record to its own original.
    distances, copies : ndarray of shape (n_records or 1, n_neighbours)
        Squared distances to the nearest distinct originals, and how many records
        each of them stands for.
    """
    nearer = np.sum(copies * (distances < own[:, None]), axis=1)
    tied = np.sum(copies * (distances == own[:, None]), axis=1)
    chances = [
        np.clip((top - nearer) / np.maximum(tied, 1), 0, 1) * (tied > 0) for top in tops
    ]
    return np.array([chance.sum() for chance in chances])
