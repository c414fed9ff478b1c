"""t-closeness first: each cell takes a record from every part of the values' order."""

import math

import numpy as np

from microcell._validation import check_at_least
from microcell.compose._promised_cells import PromisedCells
from microcell.compose._t_closeness_first_kernel import (
    indexed_t_closeness_first_rounds,
    t_closeness_first_rounds,
)
from microcell.partition import Rounds
from microcell.privacy import TCloseness


class TClosenessFirst(PromisedCells):
    """Cells that follow the distribution of the confidential attribute [1]_.

    The records are sorted by their confidential value and cut into k' consecutive
    subsets, so many that a cell with one record of each is within t of the table: k' is
    the larger of k and n / (2 (n - 1) t + 1), rounded up, and then raised as far as the
    number of cells stays the same. Records that are left over are in the middle
    subsets, where they do least. A cell is built around the free record that is
    farthest from the centroid of the free ones, of the nearest record in each subset;
    ties go to the earlier record.

    The bound holds for distinct values in order and n divisible by k'; cells are
    verified in any case, and merged where they fail. Values without an order are taken
    by their codes, which keeps cells close to the table's shares too.

    Large tables are indexed, which changes nothing but the speed.

    Parameters
    ----------
    promise : TCloseness
        What every cell is to keep; its distance is named, not "auto".
    k : int, default=3
        Least number of records in a cell.
    values : array-like of shape (n_samples,), optional
        Codes of the confidential attribute in the order of its values; by default `y`.
    totals : sequence of array-like, optional
        Records of each value in the whole table, if the values here are a part of it.
    categorical_features, mismatch_units : optional
        Columns that hold codes of categories, and what a mismatch counts; see `MDAV`.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.
    n_subsets_ : int
        The k' of the method.
    n_merged_ : int
        How many cells were merged into another.

    References
    ----------
    .. [1] Soria-Comas, Domingo-Ferrer, Sanchez and Martinez (2015). t-closeness through
       microaggregation: strict privacy with enhanced utility preservation. IEEE Trans.
       Knowl. Data Eng. 27(11), 3098-3110, algorithm 3.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [0.3], [5.0], [5.1], [5.2], [5.3]]
    >>> pay = [1, 2, 3, 4, 5, 6, 7, 8]
    >>> close = TCloseness(0.3, distance="ordered")
    >>> TClosenessFirst(close, k=2).fit(X, pay).labels_
    array([0, 3, 2, 1, 0, 3, 2, 1])
    """

    models = (TCloseness,)
    promise: TCloseness

    def _plan_rounds(self, values: np.ndarray, totals: np.ndarray) -> Rounds:
        self.n_subsets_ = subsets_needed(len(values), self.k, self.promise.t)
        subset, extras = cut_into_subsets(values, self.n_subsets_)
        return Rounds(
            t_closeness_first_rounds,
            indexed_t_closeness_first_rounds,
            1,
            (extras,),
            subset,
        )


def subsets_needed(n_samples: int, k: int, t: float) -> int:
    """The k' of the method: subsets that keep a cell of one of each within t.

    Examples
    --------
    >>> subsets_needed(1080, 2, 0.05), subsets_needed(1080, 30, 0.05)
    (10, 30)
    """
    check_at_least("t", t, 0)
    needed = max(k, math.ceil(n_samples / (2 * (n_samples - 1) * t + 1)))
    return needed + (n_samples % needed) // (n_samples // needed)


def cut_into_subsets(
    values: np.ndarray, n_subsets: int
) -> tuple[np.ndarray, np.ndarray]:
    """Subset of each record, by its value and then its row, and extras of each.

    Examples
    --------
    >>> cut_into_subsets(np.array([3, 1, 2, 5, 4, 6, 7]), 3)
    (array([1, 0, 0, 1, 1, 2, 2]), array([0, 1, 0]))
    """
    n_cells, n_extras = divmod(len(values), n_subsets)
    extras = np.zeros(n_subsets, dtype=np.int64)
    extras[(n_subsets - 1) // 2] = n_extras - n_extras // 2
    extras[n_subsets // 2] += n_extras // 2  # the same one if there is one middle
    subset = np.empty(len(values), dtype=np.int64)
    order = np.argsort(values, kind="stable")
    subset[order] = np.repeat(np.arange(n_subsets), n_cells + extras)
    return subset, extras
