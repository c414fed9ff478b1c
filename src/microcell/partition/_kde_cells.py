"""KDECells: cells between the valleys of each column's density."""

import numpy as np

from microcell._density import check_bandwidth, density_intervals
from microcell.base import BasePartitioner, Labels, Records, Target
from microcell.kernels.distinct import distinct_records
from microcell.partition._found_k import FoundK
from microcell.partition._small_cells import merge_small_cells


class KDECells(FoundK, BasePartitioner):  # type: ignore[override]
    """Records that lie between the same valleys of the density in every column [1]_.

    Each column is cut where its kernel density has a local minimum, so that an interval
    holds one peak. As published, k is not chosen but found: several columns together
    can leave a record alone, and an interval can hold a single value. With `min_k`,
    first the intervals of a column are joined until each has that many records, then
    cells, nearest first, until each has.

    `DensityPeaks` publishes the peaks. A column with at most 10 values has an interval
    for each. Time is O(n d) for the cells, and that of a few searches for nearest
    neighbours if they are merged.

    Parameters
    ----------
    min_k : int, default=1
        Least number of records in a cell; 1 is as published, and no promise.
    bandwidth : {"silverman", "scott"} or float, default="silverman"
        Width of the bells by a rule, or in standard deviations of the column.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.
    intervals_ : list of Intervals
        Borders and peaks of each column.

    References
    ----------
    .. [1] Zouinina, Bennani, Ben-Fares, Lyhyaoui and Rogovschi (2019). Preserving
       utility during attribute-oriented data anonymization process. Australian
       Journal of Intelligent Information Processing Systems.

    Examples
    --------
    >>> low, high = [1.0, 1.2, 1.4, 1.5, 1.6, 1.8], [9.0, 9.1, 9.2, 9.3, 9.4]
    >>> KDECells().fit([[value] for value in low + high]).labels_
    array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    """

    refinable = False  # cells lie between valleys of densities

    def __init__(self, min_k: int = 1, *, bandwidth: str | float = "silverman") -> None:
        self.min_k = min_k
        self.bandwidth = bandwidth

    def _partition(self, X: Records, y: Target) -> Labels:
        bandwidth = check_bandwidth(self.bandwidth)
        self.intervals_ = [
            density_intervals(column, bandwidth, least=self.k) for column in X.T
        ]
        places = [i.of(column) for i, column in zip(self.intervals_, X.T, strict=True)]
        labels, _ = distinct_records(np.column_stack(places).astype(np.float64))
        return merge_small_cells(X, labels, self.k)[labels]
