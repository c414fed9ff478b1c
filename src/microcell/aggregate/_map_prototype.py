"""MapPrototype: the mean of a cell and of its neighbours on the map."""

from typing import Any

import numpy as np

from microcell._capabilities import capabilities_of
from microcell.aggregate._centroid import cell_means
from microcell.base import BaseAggregator, Labels, Records
from microcell.exceptions import InputError


class MapPrototype(BaseAggregator):
    """Release the prototype of each cell's unit on a self-organising map [1]_.

    The prototype is the mean of all records, weighted by how near their units are on
    the map, so that cells are pulled to each other: the loss is larger than with
    `Centroid`. The weights of the map are applied to the original records.

    It needs the map, so it works with `KTCA` and `CTCA` alone, not inside of strata or
    other wrappers.

    References
    ----------
    .. [1] Zouinina, Bennani, Rogovschi and Lyhyaoui (2020). A two-levels data
       anonymization approach. AIAI, 85-95.
    """

    needs_partition = True

    def _aggregate(self, X: Records, labels: Labels, partition: Any) -> Records:
        if not capabilities_of(partition).cells_of_map:
            raise InputError(
                "Prototypes of a map can be released only for cells that are its "
                "units, not for those of strata, units of people or other promises.",
                option="code",
                hint="Give code='mean'.",
            )
        sizes = np.bincount(labels)[:, None]
        places = np.zeros((np.prod(partition.map_.shape_), X.shape[1] + 1))
        means = cell_means(X, labels)
        places[partition.cell_units_] = np.hstack([means * sizes, sizes])
        smoothed = partition.map_.grid_.smooth(places)[partition.cell_units_]
        return (smoothed[:, :-1] / smoothed[:, -1:])[labels]
