"""What partitioners by self-organising maps share."""

from microcell.base import BasePartitioner, Labels, Records, Target
from microcell.embed import CollaborativeMaps, SelfOrganisingMap
from microcell.exceptions import ParameterError


class MapCells(BasePartitioner):
    """Base of partitioners whose cells are units of a map.

    A part sets `code`, how the maps of views code the records, and writes `_cells(X)`,
    which gives the cells of the coded records and sets `cell_units_`.

    Attributes
    ----------
    map_ : SelfOrganisingMap
        The map of all columns.
    maps_ : CollaborativeMaps or None
        Those of the views.
    cell_units_ : ndarray of shape (n_cells,)
        The unit of the map whose place a cell has.
    """

    code = "unit"
    refinable = False  # cells are places of the map
    cells_of_map = True

    def _partition(self, X: Records, y: Target) -> Labels:
        self.maps_ = None
        if self.views is None and self.beta != 1.0:
            raise ParameterError(
                "beta",
                f"is {self.beta!r}, but without views no maps collaborate.",
                hint="Name the views, or give it to the embedding that coded X.",
            )
        if self.views is not None:
            self.maps_ = CollaborativeMaps(
                self.views,
                beta=self.beta,
                code=self.code,
                shape=self.shape,
                n_epochs=self.n_epochs,
            )
            X = self.maps_.fit_transform(X)
        self.map_ = SelfOrganisingMap(self.shape, n_epochs=self.n_epochs).fit(X)
        return self._cells(X)
