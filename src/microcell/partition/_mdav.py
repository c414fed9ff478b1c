"""Maximum distance to average vector (MDAV)."""

import numpy as np

from microcell._validation import check_choice
from microcell.base import BasePartitioner, Columns, Labels, Records, Target, Units
from microcell.kernels.codes import Codes, with_codes
from microcell.partition._mdav_kernel import (
    close_last_cell,
    indexed_mdav_rounds,
    mdav_rounds,
)
from microcell.partition._rounds import Rounds, closed_cells, place_rest


class MDAV(BasePartitioner):
    """Cells of k records around those farthest from the centroid [1]_.

    Each round takes the free record farthest from the centroid of the free records,
    and the record farthest from that one, and closes a cell of k around each, while
    3k records are free; then one cell while 2k are, and the rest is the last cell.
    All cells have k records but the last, which has k to 2k - 1.

    Columns are not rescaled: embed first. Ties go to the earlier record. Large tables
    are indexed, which changes nothing but the speed: with few columns, or columns that
    move together, the cost is near n log n, and equal records cost no more than one; at
    worst it is n^2 / (2 k) distances in float32. Memory is O(n d).

    Parameters
    ----------
    k : int, default=3
        Least number of records in a cell.
    leftover : {"last", "nearest", "each"}, default="last"
        "last" is Algorithm 5.1 of [1]_. "nearest" is the variant that closes cells in
        pairs while 2k records are free; fewer than k records that are left then join
        the cell of the nearest centroid one by one, so cells may be larger than
        2k - 1. "each" is the variant that [2]_ compares with as MDAV-1: as "nearest",
        but of k to 2k - 1 records that are left, k around the one farthest from their
        centroid are a cell, and each other one joins the nearest.
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
    .. [1] Domingo-Ferrer and Torra (2005). Ordinal, continuous and heterogeneous
       k-anonymity through microaggregation. Data Min. Knowl. Discov. 11, 195-212.
    .. [2] Lin, Wen, Hsieh and Chang (2010). Density-based microaggregation for
       statistical disclosure control. Expert Syst. Appl. 37, 3256-3263.

    Examples
    --------
    >>> MDAV(k=2).fit([[0.0], [0.1], [5.0], [5.1], [5.2]]).labels_
    array([0, 0, 1, 1, 1])
    """

    takes_codes = True

    def __init__(
        self,
        k: int = 3,
        *,
        leftover: str = "last",
        categorical_features: Columns | None = None,
        mismatch_units: Units | None = None,
    ) -> None:
        self.k = k
        self.leftover = leftover
        self.categorical_features = categorical_features
        self.mismatch_units = mismatch_units

    def _partition(self, X: Records, y: Target) -> Labels:
        check_choice("leftover", self.leftover, ("last", "nearest", "each"))
        pairs_from = 3 * self.k if self.leftover == "last" else 2 * self.k
        X, codes = with_codes(X, self.categorical_features, self.mismatch_units)
        return mdav_labels(X, self.k, codes, pairs_from, self.leftover == "each")


def mdav_labels(
    X: np.ndarray, k: int, codes: Codes, pairs_from: int, each: bool
) -> np.ndarray:
    """Cells of MDAV, two in a round while `pairs_from` records are free."""
    rounds = Rounds(
        mdav_rounds, indexed_mdav_rounds, 2 * k, (pairs_from,), in_order=True
    )
    labels, rows, n_cells = closed_cells(X, k, codes, rounds)
    if each and len(rows) >= k:
        rows = close_last_cell(X, rows, k, n_cells, codes, labels)
        n_cells += 1
    return place_rest(X, k, codes, (labels, rows, n_cells))
