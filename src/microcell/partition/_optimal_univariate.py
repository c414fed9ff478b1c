"""The best cells along an order."""

import numpy as np

from microcell._progress import report
from microcell._validation import check_choice, check_count
from microcell.base import BasePartitioner, Labels, Records, Target
from microcell.partition._optimal_univariate_kernel import best_cuts, label_cells

STEPS_PER_SLICE = 100_000_000  # a fraction of a second, so that Ctrl-C is noticed


class OptimalUnivariate(BasePartitioner):
    """Cells of consecutive records with the least sum of squared errors [1]_.

    Records are ordered by the first column, equal ones by the next, and so on, those
    equal in all by their place in the table; the order is cut into cells of k to 2k - 1
    records by dynamic programming. On one column no partition into cells of at least k
    has a lower SSE.

    The cost of a cell is a sum of positive terms, so that huge, clustered and negative
    values lose no digits. Cost O(n k d) after the sort, memory O(n d).

    Parameters
    ----------
    k : int, default=3
        Least number of records in a cell.
    cost : {"first", "rest", "all"}, default="first"
        Columns whose SSE is minimised. "first" takes the column of the order, and
        further columns only break its ties. "rest" takes the columns after the first
        `n_keys`, which alone give the order: the best cut for those columns of an
        order that something else decides. "all" takes all.
    n_keys : int, default=1
        With ``cost="rest"``, how many leading columns give the order.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record, numbered along the order.
    n_cells_ : int
        Number of cells.

    References
    ----------
    .. [1] Hansen and Mukherjee (2003). A polynomial algorithm for optimal univariate
       microaggregation. IEEE Trans. Knowl. Data Eng. 15, 1043-1044.

    Examples
    --------
    >>> x = [[10], [12], [13], [15], [16], [22], [22], [23], [25], [29]]
    >>> OptimalUnivariate(k=3).fit(x).labels_
    array([0, 0, 0, 0, 1, 1, 1, 2, 2, 2])
    """

    refinable = False  # a search would leave the line

    def __init__(self, k: int = 3, *, cost: str = "first", n_keys: int = 1) -> None:
        self.k = k
        self.cost = cost
        self.n_keys = n_keys

    def _partition(self, X: Records, y: Target) -> Labels:
        check_choice("cost", self.cost, ("first", "rest", "all"))
        n_keys = check_count(self.n_keys, 1, "n_keys")
        if self.cost == "rest" and X.shape[1] <= n_keys:
            raise ValueError(
                f"cost='rest' needs {n_keys} column(s) of the order and at least one "
                f"more. Got {X.shape[1]} column(s) instead."
            )
        rest = X[:, n_keys:]
        columns = {"first": X[:, :1], "rest": rest, "all": X}[self.cost]
        keys = X[:, :n_keys] if self.cost == "rest" else X
        order = np.lexsort(keys.T[::-1])
        labels, _ = cut_order(columns, order, self.k)
        return labels


def cut_order(X: np.ndarray, order: np.ndarray, k: int) -> tuple[np.ndarray, float]:
    """Cut an order into cells of k to 2k - 1 records with the least SSE.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The columns whose SSE is minimised.
    order : ndarray of shape (n_samples,)
        Rows in their order.
    k : int

    Returns
    -------
    labels : ndarray of shape (n_samples,)
        Cell of each record, numbered along the order.
    sse : float

    Examples
    --------
    >>> cut_order(np.array([[0.0], [9.0], [2.0], [9.0]]), np.array([0, 2, 1, 3]), k=2)
    (array([0, 1, 0, 1]), 2.0)
    """
    n_samples = X.shape[0]
    Y = np.ascontiguousarray(X[order])
    cost = np.full(n_samples + 1, np.inf)
    cost[0] = 0.0
    size = np.zeros(n_samples + 1, dtype=np.int64)
    at_once = max(1, STEPS_PER_SLICE // (2 * k * Y.shape[1]))
    for start in range(k, n_samples + 1, at_once):
        stop = min(start + at_once, n_samples + 1)
        best_cuts(Y, k, start, stop, cost, size)
        report(stop - 1, n_samples)
    labels = np.empty(n_samples, dtype=np.int64)
    label_cells(size, order, labels)
    return labels, float(cost[-1])
