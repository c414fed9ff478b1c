"""RandomRho: the mean of a cell and a draw of uniform noise for each record."""

from typing import Any

import numpy as np

from microcell._random import NOISE, random_generator
from microcell._validation import check_at_least
from microcell.aggregate._centroid import cell_means
from microcell.aggregate._interval import cell_ends
from microcell.base import BaseAggregator, Labels, Records


class RandomRho(BaseAggregator):
    """Release the mean of each cell plus noise that each record draws for itself [1]_.

    In a column where a cell has the least value b, the mean m and the greatest value a,
    a record gets m + u with u uniform between rho (b - m) and rho (a - m). With rho = 0
    that is the mean, `Centroid`; with rho = 1 any value of the cell's range.

    What it gives is random k-anonymity: inside a cell of at least k, every record's
    output has the same distribution. Released records are distinct, so the release is
    not k-anonymous, and the promise is the size of the cells. It is not differentially
    private either, for any epsilon: the noise ends where the data end. Change the
    record that is the greatest of its cell, and outputs become possible that were not.
    With rho = 1, the draws of a cell of n records give its least and greatest value,
    which are those of people, to within about range / (n + 1).

    Parameters
    ----------
    rho : float, default=0.5
        Between 0 and 1: the share of the cell's range that noise covers.
    centre : bool, default=False
        Noise as in [1]_ has the mean rho ((a + b) / 2 - m), so means of columns move.
        If True, it is symmetric, of half-width rho min(a - m, m - b), and they are
        kept on average.
    random_state : None, int, RandomState or Generator, optional
        None draws fresh entropy, as a release should: with a seed that becomes known,
        the noise can be subtracted.

    References
    ----------
    .. [1] Yang. Random aggregation: differential privacy in k-anonymity.

    Examples
    --------
    >>> X, labels = [[1.0], [3.0], [8.0]], [0, 0, 0]
    >>> RandomRho(0, random_state=0).aggregate(X, labels).ravel()
    array([4., 4., 4.])
    >>> noisy = RandomRho(0.5, random_state=0).aggregate(X, labels)
    >>> bool(2.5 <= noisy.min() < noisy.max() <= 6.0)
    True
    """

    constant_within_cells = False
    bounded = True

    def __init__(
        self, rho: float = 0.5, *, centre: bool = False, random_state: Any = None
    ) -> None:
        self.rho = rho
        self.centre = centre
        self.random_state = random_state

    def _aggregate(self, X: Records, labels: Labels) -> Records:
        rho = check_at_least("rho", self.rho, 0, most=1)
        low, high = cell_ends(X, labels)
        means = cell_means(X, labels)[labels]
        draws = random_generator(self.random_state, NOISE).random(X.shape)
        with np.errstate(over="ignore", invalid="ignore"):  # the base class looks
            below, above = rho * (low - means), rho * (high - means)
            if self.centre:
                above = np.maximum(np.minimum(above, -below), 0)
                below = -above
            released = means + (below * (1 - draws) + above * draws)
        # Rounding may not lead out of the range; a mean may be a last digit outside.
        return np.clip(released, np.minimum(low, means), np.maximum(high, means))
