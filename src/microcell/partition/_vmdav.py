"""MDAV with cells of variable size (V-MDAV)."""

import numpy as np

from microcell._validation import check_at_least
from microcell.base import BasePartitioner, Columns, Labels, Records, Target, Units
from microcell.kernels.codes import (
    Codes,
    centre_of,
    distances_to_centre,
    sum_of_records,
    with_codes,
)
from microcell.partition._rounds import Rounds, closed_cells, place_rest
from microcell.partition._vmdav_kernel import indexed_vmdav_rounds, vmdav_rounds


class VMDAV(BasePartitioner):
    """Cells of k to 2k - 1 records that grow where records lie close together [1]_.

    The free record farthest from the centroid of all records takes its k - 1 nearest;
    then the free record nearest to the cell joins while its distance to the cell is
    less than `gamma` times its distance to any other free record. Records that are
    left at the end, fewer than k, join the cell of the nearest centroid, and only so
    can a cell have more than 2k - 1 records.

    Columns are not rescaled: embed first. Ties go to the earlier record. Large tables
    are indexed as in MDAV, which changes nothing but the speed. Memory is O(n d).

    Parameters
    ----------
    k : int, default=3
        Least number of records in a cell.
    gamma : float, default=0.2
        How willingly a cell grows; 0 gives cells of exactly k. The loss is not
        monotone in it: on Census (k=3) it is 5.66 % at 0.2 and 6.36 % at 0.9, the
        value that some papers use; on EIA (k=5) 1.73 % and 1.24 %.
    categorical_features : array-like of int or bool, optional
        Columns that hold codes of categories, or a mask of them: a mismatch is one
        unit of squared distance, whatever the codes.
    mismatch_units : array-like of float, optional
        What a mismatch in each of those columns counts instead.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.

    References
    ----------
    .. [1] Solanas and Martinez-Balleste (2006). V-MDAV: a multivariate
       microaggregation with variable group size. COMPSTAT 2006, 917-925.

    Examples
    --------
    >>> VMDAV(k=2, gamma=1.1).fit([[0.0], [0.1], [0.2], [5.0], [5.1], [9.0]]).labels_
    array([1, 1, 1, 0, 0, 0])
    """

    takes_codes = True

    def __init__(
        self,
        k: int = 3,
        *,
        gamma: float = 0.2,
        categorical_features: Columns | None = None,
        mismatch_units: Units | None = None,
    ) -> None:
        self.k = k
        self.gamma = gamma
        self.categorical_features = categorical_features
        self.mismatch_units = mismatch_units

    def _partition(self, X: Records, y: Target) -> Labels:
        gamma = check_at_least("gamma", self.gamma, 0)
        X, codes = with_codes(X, self.categorical_features, self.mismatch_units)
        order = outermost_first(X, codes)
        rounds = rounds_in_turn(order, self.k, gamma, in_order=True)
        return place_rest(X, self.k, codes, closed_cells(X, self.k, codes, rounds))


def outermost_first(X: np.ndarray, codes: Codes) -> np.ndarray:
    """Records by decreasing distance to the centre of all."""
    middle = centre_of(*sum_of_records(X, codes), X.shape[0], codes)
    return np.argsort(-distances_to_centre(X, middle, codes), kind="stable")


def rounds_in_turn(
    order: np.ndarray, k: int, gamma: float, in_order: bool = False
) -> Rounds:
    """Cells around the next free record of an order, which may grow.

    With `in_order` the earlier of equal records comes first there.
    """
    given = (order, float(gamma), np.zeros(1, dtype=np.int64))
    kernels = vmdav_rounds, indexed_vmdav_rounds
    return Rounds(*kernels, k, given, by_centre=False, in_order=in_order)
