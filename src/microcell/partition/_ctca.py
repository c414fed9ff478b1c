"""C-TCA: the units of a map, emptied where they have too few records."""

from typing import Any

import numpy as np

from microcell._centre import in_range
from microcell.kernels.small_units import empty_small_units
from microcell.partition._map_cells import MapCells


class CTCA(MapCells):
    """Cells are units of a self-organising map with at least k records (C-TCA) [1]_.

    As in `KTCA`, but views code a record by the mixture of their units, and in the end
    the unit with the fewest records, the earlier on ties, is emptied as long as it has
    fewer than k: each of its records goes to the nearest unit that has some.

    Columns are not rescaled: embed first. Deterministic. Time grows with n^1.5 d,
    memory is O(n d).

    Parameters
    ----------
    k : int, default=3
        Least number of records in a cell.
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
        The unit of the map that a cell is.

    References
    ----------
    .. [1] Zouinina, Bennani, Rogovschi and Lyhyaoui (2020). A two-levels data
       anonymization approach. AIAI, 85-95.

    Examples
    --------
    >>> X = [[0.0, 0.1], [0.1, 0.0], [5.0, 5.1], [5.1, 5.0], [9.0, 9.0]]
    >>> CTCA(k=2).fit(X).labels_
    array([0, 0, 1, 1, 1])
    """

    code = "mixture"

    def __init__(
        self,
        k: int = 3,
        *,
        views: Any = 2,
        beta: float = 1.0,
        shape: Any = None,
        n_epochs: int = 50,
    ) -> None:
        self.k = k
        self.views = views
        self.beta = beta
        self.shape = shape
        self.n_epochs = n_epochs

    def _cells(self, X: np.ndarray) -> np.ndarray:
        units = self.map_.labels_.copy()
        n_samples = X.shape[0]
        both = in_range(np.vstack([X, self.map_.prototypes_]))
        empty_small_units(both[:n_samples], both[n_samples:], units, self.k)
        self.cell_units_, labels = np.unique(units, return_inverse=True)
        return labels
