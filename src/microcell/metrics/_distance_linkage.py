"""Distance-based record linkage (DLD)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from microcell._validation import check_count, check_same_shape, mismatch_units
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

if TYPE_CHECKING:
    from microcell.base import Units


RESORTED_ABOVE_RATIO = (
    4  # times as many records, from which those of some columns are sorted anew
)
SAMPLED_FOR_TIES = 20_000  # records, to see whether they differ
MIN_RELATIVE_DISTANCE = (
    1e-18  # of the largest squared distance to the mean: less is rounding
)


def distance_linkage_risk(
    X_original: ArrayLike,
    X_released: ArrayLike,
    *,
    top: int = 1,
    nominal: Sequence[int] = (),
    units: Sequence[float] | None = None,
) -> float:
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


def linkage_risks(
    X_original: ArrayLike,
    X_released: ArrayLike,
    tops: Sequence[int],
    nominal: Sequence[int] = (),
    units: Units | None = None,
) -> list[float]:
    """`distance_linkage_risk` for several values of `top` at the price of the largest.

    Returns
    -------
    risks : list of float
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    n_samples, n_features = X_original.shape
    tops = [min(check_count(top, 1, "top"), n_samples) for top in tops]
    unit_of = units_of_columns(n_features, nominal, units)
    index = BoxedOriginals(X_original, unit_of)
    shares = found_records(index, X_original, X_released, index.places, tops)
    return [float(np.mean(share)) for share in shares]


def sampled_linkage_risks(
    X_original: ArrayLike,
    X_released: ArrayLike,
    rows: ArrayLike,
    subsets: Sequence[list[int]],
    nominal: Sequence[int] = (),
    units: Units | None = None,
    top: int = 1,
) -> list[float]:
    """Share of some released records that are found, by what the intruder knows.

    As `distance_linkage_risk`, for intruders who know some of the columns each, and
    for a sample of the released records, looked up among all originals. One index of
    the originals serves all subsets.

    Parameters
    ----------
    X_original, X_released, nominal, units, top
        As in `distance_linkage_risk`.
    rows : array-like of int
        The released records that are looked up.
    subsets : sequence of sequences of int
        The columns that each intruder knows.

    Returns
    -------
    risks : list of float
        One for each subset.

    Examples
    --------
    >>> X = [[0.0, 5.0], [2.0, 5.0], [10.0, 7.0], [13.0, 7.0]]
    >>> X_released = [[1.0, 5.0], [1.0, 5.0], [11.5, 7.0], [11.5, 7.0]]
    >>> sampled_linkage_risks(X, X_released, [0, 2], [[0], [1], [0, 1]])
    [0.5, 0.5, 0.5]
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    unit_of = units_of_columns(X_original.shape[1], nominal, units)
    rows = np.asarray(rows)
    own, queries = X_original[rows], X_released[rows]
    index = None
    risks = []
    for subset in subsets:
        columns = list(subset)
        if len(columns) == 1 and top == 1:
            (j,) = columns
            shares = found_by_one_column(
                X_original[:, j], own[:, j], queries[:, j], unit_of[j]
            )
        else:
            if index is None:
                index = BoxedOriginals(X_original, unit_of)
            part = index.of_columns(columns)
            (shares,) = found_records(
                part, own[:, columns], queries[:, columns], part.places[rows], (top,)
            )
        risks.append(float(np.mean(shares)))
    return risks


def units_of_columns(
    n_features: int, nominal: Sequence[int], units: Units | None
) -> np.ndarray:
    """What a mismatch counts in each column; 0 where a column is measured."""
    unit_of = np.zeros(n_features)
    unit_of[list(nominal)] = mismatch_units(nominal, units)
    return unit_of


class BoxedOriginals:
    """Original records sorted into boxes.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    unit_of : ndarray of shape (n_features,)
        What a mismatch counts in a column of codes; 0 where a column is measured.

    Attributes
    ----------
    boxed : Originals
    places : ndarray of shape (n_samples,)
        Place of each record among the sorted ones.
    """

    def __init__(self, X: np.ndarray, unit_of: np.ndarray) -> None:
        classes, first = distinct_records(X)
        originals = X[first]
        order = neighbours_together(originals, unit_of > 0)
        place = np.empty_like(order)
        place[order] = np.arange(order.size)
        self.places = place[classes]
        self._apart = np.square(X - X.mean(axis=0)).T  # column by column
        self._apart[unit_of > 0] = 0
        records = originals[order]
        copies = np.bincount(classes)[order]
        least = self._least(range(X.shape[1]), unit_of)
        boxes: Any = boxes_of(records)
        self.boxed = Originals(records, copies, *boxes, unit_of, least)  # type: ignore[call-arg]

    def _least(self, columns: Sequence[int], unit_of: np.ndarray) -> float:
        """Squared distances that differ by less are the same: rounding may do it."""
        farthest = self._apart[columns[0]].copy()
        for j in columns[1:]:
            farthest += self._apart[j]
        return MIN_RELATIVE_DISTANCE * (farthest.max() + unit_of.sum())

    def of_columns(self, columns: Sequence[int]) -> BoxedOriginals:
        """The same records, as far as some columns tell them apart.

        Boxes around all columns are also boxes around some. If few records differ in
        these, which a look at some shows, it is cheaper to sort them anew.
        """
        records = np.ascontiguousarray(self.boxed.records[:, columns])
        unit_of = self.boxed.units[columns]
        looked_at = records[:: max(len(records) // SAMPLED_FOR_TIES, 1)]
        if RESORTED_ABOVE_RATIO * distinct_records(looked_at)[1].size < len(looked_at):
            return BoxedOriginals(records[self.places], unit_of)
        part = copy(self)
        part.boxed = self.boxed._replace(
            records=records,
            low=np.ascontiguousarray(self.boxed.low[:, columns]),
            high=np.ascontiguousarray(self.boxed.high[:, columns]),
            units=unit_of,
            least=self._least(columns, unit_of),
        )
        return part


def found_records(
    index: BoxedOriginals,
    own: np.ndarray,
    queries: np.ndarray,
    places: np.ndarray,
    tops: Sequence[int],
) -> list[np.ndarray]:
    """Probability that each record is found, for each value of `top`.

    Parameters
    ----------
    index : BoxedOriginals
    own, queries : ndarray of shape (n_queries, n_features)
        Original and released values of the records that are looked up.
    places : ndarray of shape (n_queries,)
        Where they stand in the index.
    tops : sequence of int

    Returns
    -------
    shares : list of ndarray of shape (n_queries,)
    """
    own, queries = np.ascontiguousarray(own), np.ascontiguousarray(queries)
    released_class, first = distinct_records(queries)
    boxed, first_boxes = index.boxed, places[first] // BOXED
    values, counts = nearest_distances(boxed, queries[first], first_boxes, max(tops))
    own = own_distances(own, queries, boxed.units)[:, None]
    values, counts = values[released_class], counts[released_class]
    slack = SAME_DISTANCE * own + boxed.least
    nearer = np.sum(counts * (values < own - slack), axis=1)
    tied = np.sum(counts * (np.abs(values - own) <= slack), axis=1)
    return [
        np.clip((top - nearer) / np.maximum(tied, 1), 0, 1) * (tied > 0) for top in tops
    ]


def found_by_one_column(
    original: np.ndarray, own: np.ndarray, queries: np.ndarray, unit: float
) -> np.ndarray:
    """Probability that records are found by one column, by counting in sorted values.

    Parameters
    ----------
    original : ndarray of shape (n_samples,)
    own, queries : ndarray of shape (n_queries,)
        Original and released values of the records that are looked up.
    unit : float
        What a mismatch of codes counts; 0 of numbers.
    """
    ordered = np.sort(original)

    def below(values: Any, side: Any) -> np.ndarray:
        return np.searchsorted(ordered, values, side=side)

    if unit > 0:
        equal = below(queries, "right") - below(queries, "left")
        return np.where(
            own == queries,
            1 / np.maximum(equal, 1),
            np.where(equal == 0, 1 / ordered.size, 0.0),
        )
    distance = np.square(own - queries)
    middle = original.mean()
    farthest = max((ordered[0] - middle) ** 2, (ordered[-1] - middle) ** 2)
    least = MIN_RELATIVE_DISTANCE * farthest
    slack = SAME_DISTANCE * distance + least
    inner = np.sqrt(np.maximum(distance - slack, 0))
    outer = np.sqrt(distance + slack)
    nearer = below(queries + inner, "left") - below(queries - inner, "right")
    nearer = np.where(distance > slack, np.maximum(nearer, 0), 0)
    within = below(queries + outer, "right") - below(queries - outer, "left")
    return (nearer == 0) / np.maximum(within, 1)


def nearest_distances(
    originals: Originals, queries: np.ndarray, first_boxes: np.ndarray, places: int
) -> tuple[np.ndarray, np.ndarray]:
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
    # Those that look at the same boxes come one after the other: boxes stay in caches.
    order = np.argsort(first_boxes, kind="stable")
    values = np.full((queries.shape[0], places), np.inf)
    counts = np.zeros((queries.shape[0], places), dtype=np.int64)

    def search_some(some: slice) -> None:
        rows = order[some]
        near, how_many = values[rows], counts[rows]
        search_all(originals, queries[rows], first_boxes[rows], near, how_many)
        values[rows], counts[rows] = near, how_many

    in_slices(search_some, queries.shape[0], QUERIES_AT_ONCE)
    return values, counts


def neighbours_together(X: np.ndarray, is_nominal: np.ndarray) -> np.ndarray:
    """An order of the records in which neighbours are close to each other."""
    order = np.arange(X.shape[0])
    sorted_copy = X.copy()
    codes = sorted_copy[:, is_nominal]
    # Codes are spread like a column of unit variance, so that they are halved as often.
    sorted_copy[:, is_nominal] = codes / np.maximum(codes.std(axis=0), 1e-300)
    sort_into_leaves(sorted_copy, order, X.shape[1])
    return order
