"""WrapNoise: for each record a value drawn from the range of its cell."""

from typing import Any

import numpy as np

from microcell._random import NOISE, random_generator
from microcell.aggregate._interval import cell_ends
from microcell.base import BaseAggregator, Labels, Records


class WrapNoise(BaseAggregator):
    """Release for each record a draw from its cell's range, column by column [1]_.

    The paper adds to a value uniform noise as wide as the range of its cell, and moves
    what falls outside by one range. That is addition modulo the range: the result is
    uniform on the range whatever the value was, and is drawn so. It is the law of
    `RandomRho` with rho = 1, and gives as little: random k-anonymity in cells of at
    least k, not k-anonymity, and no differential privacy for any epsilon. Least and
    greatest value of a cell of n, which are those of people, follow from its draws to
    within about range / (n + 1).

    Parameters
    ----------
    random_state : None, int, RandomState or Generator, optional
        None draws fresh entropy, as a release should.

    References
    ----------
    .. [1] Song, Ma, Tian and Al-Rodhaan (2019). A new method of privacy protection:
       random k-anonymous. IEEE Access 7, 75434-75445.

    Examples
    --------
    >>> X, labels = [[1.0], [3.0], [8.0], [9.0]], [0, 0, 1, 1]
    >>> noisy = WrapNoise(random_state=0).aggregate(X, labels).ravel()
    >>> bool(1 <= noisy[:2].min() and noisy[:2].max() <= 3)
    True
    """

    constant_within_cells = False
    bounded = True

    def __init__(self, *, random_state: Any = None) -> None:
        self.random_state = random_state

    def _aggregate(self, X: Records, labels: Labels) -> Records:
        low, high = cell_ends(X, labels)
        draws = random_generator(self.random_state, NOISE).random(X.shape)
        step = (high / 2 - low / 2) * draws  # in two steps a range cannot overflow
        return np.clip((low + step) + step, low, high)
