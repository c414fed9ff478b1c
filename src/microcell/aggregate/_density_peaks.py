"""DensityPeaks: where a column's density is highest."""

import numpy as np

from microcell._density import check_bandwidth, density_intervals
from microcell.aggregate._centroid import cell_means
from microcell.base import BaseAggregator, Labels, Records


class DensityPeaks(BaseAggregator):
    """Release in each column the peak of the density near the cell's mean [1]_.

    A column is cut where its kernel density has a local minimum; the peak of the
    interval that holds the cell's mean is released. For the cells of `KDECells` that
    are not merged, these are the prototypes of the paper.

    A peak over a single record is nearly that record's value. With `min_k` every peak
    stands for at least that many.

    Parameters
    ----------
    min_k : int, default=1
        Records that an interval must have; one with fewer joins a neighbour.
    bandwidth : {"silverman", "scott"} or float, default="silverman"
        Width of the bells by a rule, or in standard deviations of the column.

    References
    ----------
    .. [1] Zouinina, Bennani, Ben-Fares, Lyhyaoui and Rogovschi (2019). Preserving
       utility during attribute-oriented data anonymization process. Australian
       Journal of Intelligent Information Processing Systems.

    Examples
    --------
    >>> X = [[1.0], [2.0], [2.0], [3.0], [8.0], [9.0], [9.0], [9.2]]
    >>> DensityPeaks(min_k=4).aggregate(X, [0, 0, 0, 0, 1, 1, 1, 1]).ravel()
    array([2., 2., 2., 2., 9., 9., 9., 9.])
    """

    def __init__(self, min_k: int = 1, *, bandwidth: str | float = "silverman") -> None:
        self.min_k = min_k
        self.bandwidth = bandwidth

    def _aggregate(self, X: Records, labels: Labels) -> Records:
        bandwidth = check_bandwidth(self.bandwidth)
        means = cell_means(X, labels)
        peaks = np.empty_like(means)
        for j, column in enumerate(X.T):
            intervals = density_intervals(column, bandwidth, least=self.min_k)
            peaks[:, j] = intervals.peaks[intervals.of(means[:, j])]
        return peaks[labels]
