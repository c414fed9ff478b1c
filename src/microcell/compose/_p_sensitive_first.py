"""p-sensitive cells, built so that the last places are kept for missing values."""

import numpy as np

from microcell.compose._p_sensitive_first_kernel import (
    indexed_p_sensitive_first_rounds,
    p_sensitive_first_rounds,
)
from microcell.compose._promised_cells import PromisedCells
from microcell.exceptions import ParameterError
from microcell.partition import Rounds
from microcell.privacy import LDiversity, PSensitivity


class PSensitiveFirst(PromisedCells):
    """Cells of k records with p confidential values, of those nearest [1]_.

    A cell is built around the free record farthest from the centroid of the free ones.
    It takes the nearest records, but skips those whose value it has as soon as the
    places left are all needed for values that it lacks. The last k to 2k - 1 records
    are a cell. Where fewer than p values are left, a cell takes all of them, and cells
    are merged. Ties go to the earlier record. Large tables are indexed, which changes
    nothing but the speed.

    Parameters
    ----------
    promise : PSensitivity or LDiversity
        What every cell is to keep; no more values than k.
    k : int, default=3
        Least number of records in a cell.
    values : array-like of shape (n_samples,), optional
        Codes of the confidential attribute; by default `y`.
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
    .. [1] Truta and Vinay (2006). Privacy protection: p-sensitive k-anonymity
       property. ICDE Workshops, 94. The way to build cells is ours.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> ill = [0, 0, 1, 1, 0, 1]
    >>> PSensitiveFirst(PSensitivity(2), k=2).fit(X, ill).labels_
    array([0, 1, 0, 1, 2, 2])
    """

    models = (PSensitivity, LDiversity)

    def _plan_rounds(self, values: np.ndarray, totals: np.ndarray) -> Rounds:
        p = int(self.promise.level)
        if p > self.k:
            raise ParameterError(
                "k",
                f"must be at least the {p} values that a cell is to have. Got {self.k} "
                "instead.",
                hint="Raise k, or promise fewer values.",
            )
        return Rounds(
            p_sensitive_first_rounds,
            indexed_p_sensitive_first_rounds,
            2 * self.k,
            (values, np.bincount(values, minlength=totals.size), p),
        )
