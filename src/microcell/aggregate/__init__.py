"""Ways to publish a cell."""

from microcell.aggregate._ancestor import Ancestor
from microcell.aggregate._by_column import ByColumn
from microcell.aggregate._centroid import Centroid, cell_means
from microcell.aggregate._density_peaks import DensityPeaks
from microcell.aggregate._interval import Interval
from microcell.aggregate._map_prototype import MapPrototype
from microcell.aggregate._median import Median
from microcell.aggregate._mode import Mode
from microcell.aggregate._random_rho import RandomRho
from microcell.aggregate._weighted_lvq import WeightedLVQ2
from microcell.aggregate._wrap_noise import WrapNoise

# What can be published of numbers, by name.
AGGREGATES = {"mean": Centroid, "median": Median, "interval": Interval}

__all__ = [
    "AGGREGATES",
    "Ancestor",
    "ByColumn",
    "Centroid",
    "DensityPeaks",
    "Interval",
    "MapPrototype",
    "Median",
    "Mode",
    "RandomRho",
    "WeightedLVQ2",
    "WrapNoise",
    "cell_means",
]
