"""k-TCA: the units of a map of what the maps of views say."""

from typing import Any

import numpy as np

from microcell.partition._found_k import FoundK
from microcell.partition._map_cells import MapCells
from microcell.partition._small_cells import merge_small_cells


class KTCA(FoundK, MapCells):  # type: ignore[override]
    """Cells are the units of a self-organising map (k-TCA) [1]_.

    Views of the columns train maps that collaborate and code each record by its units
    (`CollaborativeMaps`); one more map is trained on the coded records, and its units
    are the cells. As published, k is not chosen but found: about 5 sqrt(n) units share
    n records, so cells have sqrt(n) / 5 of them on average and often one. With `min_k`
    cells are merged, nearest first, until each has that many.

    Columns are not rescaled: embed first. Deterministic. Time grows with n^1.5 d,
    memory is O(n d).

    On the six data sets of [1]_ the Davies-Bouldin rule rejects the collaboration of
    two views at once: cells are then those of maps trained apart.

    Parameters
    ----------
    min_k : int, default=1
        Least number of records in a cell; 1 is as published, and no promise.
    views : int or list of lists of int, or None, default=2
        Views of the columns, see `CollaborativeMaps`. None if the records come coded
        by such an embedding already.
    beta : float, default=1.0
        Weight of what other views say.
    shape : (int, int), optional
        The grid of the maps, by default about 5 sqrt(n) units. A map with more units
        has smaller cells.
    n_epochs : int, default=50
        Epochs of each map.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.
    map_, maps_ : estimators
        The map of all columns, and those of the views.
    cell_units_ : ndarray of shape (n_cells,)
        The unit of the map whose place a cell has; of merged cells that of the one
        with most records.

    References
    ----------
    .. [1] Zouinina, Bennani, Rogovschi and Lyhyaoui (2020). A two-levels data
       anonymization approach. AIAI, 85-95.

    Examples
    --------
    >>> X = [[0.0, 0.1], [0.1, 0.0], [5.0, 5.1], [5.1, 5.0], [9.0, 9.0]]
    >>> KTCA(min_k=2).fit(X).labels_
    array([0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        min_k: int = 1,
        *,
        views: Any = 2,
        beta: float = 1.0,
        shape: Any = None,
        n_epochs: int = 50,
    ) -> None:
        self.min_k = min_k
        self.views = views
        self.beta = beta
        self.shape = shape
        self.n_epochs = n_epochs

    def _cells(self, X: np.ndarray) -> np.ndarray:
        units, labels = np.unique(self.map_.labels_, return_inverse=True)
        cell_of = merge_small_cells(X, labels, self.k)
        # Of the units that became a cell the one with most records comes last.
        by_size = np.argsort(np.bincount(labels)[::-1], kind="stable")
        by_size = len(units) - 1 - by_size
        self.cell_units_ = np.empty(int(cell_of.max()) + 1, dtype=np.int64)
        self.cell_units_[cell_of[by_size]] = units[by_size]
        return cell_of[labels]
