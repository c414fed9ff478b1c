"""k-anonymity first: cells of the nearest records, whose members are exchanged."""

import numpy as np
from numpy.typing import ArrayLike

from microcell._validation import check_count
from microcell.base import Columns, Units
from microcell.compose._k_anonymity_first_kernel import (
    Values,
    indexed_k_anonymity_first_rounds,
    k_anonymity_first_rounds,
)
from microcell.compose._promise_check import Totals
from microcell.compose._promised_cells import PromisedCells
from microcell.exceptions import ParameterError
from microcell.partition import Rounds
from microcell.privacy import TCloseness


class KAnonymityFirst(PromisedCells):
    """Cells of the nearest k records, with exchanges until they are within t [1]_.

    A cell starts with the free record farthest from the centroid of the free ones and
    its k - 1 nearest. While it is farther than t from the table's distribution, the
    next nearest free record is exchanged for the member whose leaving brings the cell
    closest, if that is closer than before; on ties the farthest one leaves. The record
    in the middle stays, unlike in the paper, so that the cell stays where it is. The
    last k to 2k - 1 records are a cell. Cells that are still too far are merged. Ties
    between records go to the earlier one. Large tables are indexed, which changes
    nothing but the speed.

    Parameters
    ----------
    promise : TCloseness
        What every cell is to keep, with the distance "ordered" or "equal".
    k : int, default=3
        Least number of records in a cell.
    candidates : int or None, default=100
        How many records are tried for a cell, nearest first. None tries all, as
        published, which costs O(n) exchanges for a cell that cannot be mended.
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
    n_merged_ : int
        How many cells were merged into another.

    References
    ----------
    .. [1] Soria-Comas, Domingo-Ferrer, Sanchez and Martinez (2015). t-closeness through
       microaggregation: strict privacy with enhanced utility preservation. IEEE Trans.
       Knowl. Data Eng. 27(11), 3098-3110, algorithm 2.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> pay = [1, 1, 2, 1, 2, 2]
    >>> close = TCloseness(0.1, distance="equal")
    >>> KAnonymityFirst(close, k=2).fit(X, pay).labels_
    array([0, 1, 0, 2, 1, 2])
    """

    models = (TCloseness,)
    promise: TCloseness

    def __init__(
        self,
        promise: TCloseness,
        k: int = 3,
        *,
        candidates: int | None = 100,
        values: ArrayLike | None = None,
        totals: Totals | None = None,
        categorical_features: Columns | None = None,
        mismatch_units: Units | None = None,
    ) -> None:
        super().__init__(
            promise,
            k,
            values=values,
            totals=totals,
            categorical_features=categorical_features,
            mismatch_units=mismatch_units,
        )
        self.candidates = candidates

    def _plan_rounds(self, values: np.ndarray, totals: np.ndarray) -> Rounds:
        distance = self.promise.distance
        if distance not in ("ordered", "equal"):
            raise ParameterError(
                "promise",
                f"of KAnonymityFirst has the distance 'ordered' or 'equal'. Got "
                f"{distance!r} instead.",
                hint="TClosenessFirst and Enforce take any.",
            )
        candidates = len(values)
        if self.candidates is not None:
            candidates = check_count(self.candidates, 0, "candidates")
        occurs = totals > 0
        totals = totals[occurs].astype(np.float64)
        below = np.cumsum(totals)
        about = Values(
            (np.cumsum(occurs) - 1)[values],
            totals,
            below,
            np.concatenate([[0.0], np.cumsum(below)]),
            distance == "ordered",
        )
        return Rounds(
            k_anonymity_first_rounds,
            indexed_k_anonymity_first_rounds,
            2 * self.k,
            (about, float(self.promise.t), candidates),
        )
