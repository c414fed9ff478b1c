"""Ways to publish a cell."""

from microcell.aggregate._ancestor import Ancestor
from microcell.aggregate._by_column import ByColumn
from microcell.aggregate._centroid import Centroid, cell_means
from microcell.aggregate._density_peaks import DensityPeaks
from microcell.aggregate._interval import Interval
from microcell.aggregate._map_prototype import MapPrototype
from microcell.aggregate._median import Median
from microcell.aggregate._medoid import Medoid
from microcell.aggregate._midpoint import Midpoint
from microcell.aggregate._mode import Mode
from microcell.aggregate._mode import mode_of_cells as mode_of_cells
from microcell.aggregate._observed import Observed
from microcell.aggregate._one_vote import OneVote
from microcell.aggregate._one_vote import votes_of as votes_of
from microcell.aggregate._random_rho import RandomRho
from microcell.aggregate._set import Set, distinct_members
from microcell.aggregate._weighted_lvq import WeightedLVQ2
from microcell.aggregate._wrap_noise import WrapNoise

__all__ = [
    "Ancestor",
    "ByColumn",
    "Centroid",
    "DensityPeaks",
    "Interval",
    "MapPrototype",
    "Median",
    "Medoid",
    "Midpoint",
    "Mode",
    "Observed",
    "OneVote",
    "RandomRho",
    "Set",
    "WeightedLVQ2",
    "WrapNoise",
    "cell_means",
    "distinct_members",
]
