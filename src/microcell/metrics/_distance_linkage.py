"""Distance-based record linkage (DLD)."""

import numpy as np

from microcell._validation import check_count, check_same_shape
from microcell.kernels.box_tree import sort_into_leaves
from microcell.kernels.distinct import distinct_records
from microcell.kernels.nearest_others import QUERIES_AT_ONCE
from microcell.kernels.threads import in_slices
from microcell.metrics._distance_linkage_kernel import (
    BOXED,
    SAME_DISTANCE,
    Originals,
    boxes_of,
    own_distances,
    search_all,
)
from microcell.metrics._sse_loss import mismatch_units

LEAST_DISTANCE = 1e-18  # of the largest squared distance to the mean: less is rounding


def distance_linkage_risk(X_original, X_released, *, top=1, nominal=(), units=None):
    """Share of released records that their nearest original records give away.

    An intruder who holds the original table links each released record to the `top`
    original records nearest to it, and is right if its own is among them. Original
    records at the same distance share their places fairly: with `a` originals nearer
    than its own and `t` at the same distance (its own counted), a record is found with
    probability (top - a) / t, kept between 0 and 1. Distances that differ by less than
    a billionth, which rounding does, are the same.

    Best is 0. Distances are Euclidean in the units given: standardise both tables in
    the same way first. Each distinct released record is looked up once, among boxes of
    the distinct original records.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    top : int, default=1
        How many candidates the intruder may name: 1 is the usual measure, 2 counts
        the second nearest as well.
    nominal : sequence of int, optional
        Columns that hold codes: a mismatch in one is a distance of one unit.
    units : sequence of float, optional
        What a mismatch in each of these columns counts instead, as a squared distance.

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
    return linkage_risks(X_original, X_released, (top,), nominal, units)[0]


def linkage_risks(X_original, X_released, tops, nominal=(), units=None, rows=None):
    """`distance_linkage_risk` for several values of `top` at the price of the largest.

    Parameters
    ----------
    rows : ndarray, optional
        Released records that are looked up among all originals; by default all.

    Returns
    -------
    risks : list of float
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    n_samples, n_features = X_original.shape
    tops = [min(check_count(top, 1, "top"), n_samples) for top in tops]
    unit_of = np.zeros(n_features)  # 0 where a column is measured
    unit_of[list(nominal)] = mismatch_units(nominal, units)
    measured = unit_of == 0

    original_class, first = distinct_records(X_original)
    originals, copies = X_original[first], np.bincount(original_class)
    rows = np.arange(n_samples) if rows is None else np.asarray(rows)
    queries = X_released[rows]
    released_class, first = distinct_records(queries)
    order = neighbours_together(originals, ~measured)
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    apart = (X_original - X_original.mean(axis=0))[:, measured]
    least = LEAST_DISTANCE * (np.square(apart).sum(axis=1).max() + unit_of.sum())
    records = originals[order]
    boxed = Originals(records, copies[order], *boxes_of(records), unit_of, least)
    first_boxes = place[original_class[rows[first]]] // BOXED
    values, counts = nearest_distances(boxed, queries[first], first_boxes, max(tops))
    own = own_distances(X_original[rows], queries, unit_of)[:, None]
    values, counts = values[released_class], counts[released_class]
    slack = SAME_DISTANCE * own + least
    nearer = np.sum(counts * (values < own - slack), axis=1)
    tied = np.sum(counts * (np.abs(values - own) <= slack), axis=1)
    shares = [np.clip((top - nearer) / np.maximum(tied, 1), 0, 1) for top in tops]
    return [float(np.mean(share * (tied > 0))) for share in shares]


def nearest_distances(originals, queries, first_boxes, places):
    """Distances at which the nearest originals lie, and how many lie there.

    Parameters
    ----------
    originals, queries, first_boxes
        As in `search_all`.
    places : int
        How many originals the intruder may name.

    Returns
    -------
    values, counts : ndarray of shape (n_queries, places)
    """
    values = np.full((queries.shape[0], places), np.inf)
    counts = np.zeros((queries.shape[0], places), dtype=np.int64)

    def search_some(some):
        search_all(
            originals, queries[some], first_boxes[some], values[some], counts[some]
        )

    in_slices(search_some, queries.shape[0], QUERIES_AT_ONCE)
    return values, counts


def neighbours_together(X, is_nominal):
    """An order of the records in which neighbours are close to each other."""
    order = np.arange(X.shape[0])
    sorted_copy = X.copy()
    codes = sorted_copy[:, is_nominal]
    # Codes are spread like a column of unit variance, so that they are halved as often.
    sorted_copy[:, is_nominal] = codes / np.maximum(codes.std(axis=0), 1e-300)
    sort_into_leaves(sorted_copy, order, X.shape[1])
    return order
