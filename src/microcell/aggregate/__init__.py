"""Ways to publish a cell."""

from microcell.aggregate._by_column import ByColumn
from microcell.aggregate._centroid import Centroid, cell_means
from microcell.aggregate._interval import Interval
from microcell.aggregate._median import Median
from microcell.aggregate._mode import Mode
from microcell.aggregate._random_rho import RandomRho
from microcell.aggregate._wrap_noise import WrapNoise

# What can be published of numbers, by name.
AGGREGATES = {"mean": Centroid, "median": Median, "interval": Interval}

__all__ = [
    "AGGREGATES",
    "ByColumn",
    "Centroid",
    "Interval",
    "Median",
    "Mode",
    "RandomRho",
    "WrapNoise",
    "cell_means",
]
