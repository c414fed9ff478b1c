"""Geometry before grouping.

scikit-learn's scalers and decompositions fit here as they are; the scales in `SCALES`
are also exact on columns far from zero.
"""

from microcell.embed._aggregation_functions import QUANTIFIERS as QUANTIFIERS
from microcell.embed._aggregation_functions import (
    BaseAggregationFunction as BaseAggregationFunction,
)
from microcell.embed._aggregation_functions import (
    ChoquetIntegral,
    OrderedWeightedAverage,
    SugenoIntegral,
)
from microcell.embed._collaborative_maps import CollaborativeMaps
from microcell.embed._column_scaler import ColumnScaler
from microcell.embed._cross_fitted import cross_fitted as cross_fitted
from microcell.embed._discriminant_rotation import DISCRIMINANTS as DISCRIMINANTS
from microcell.embed._discriminant_rotation import FACTORS as FACTORS
from microcell.embed._discriminant_rotation import LinearDiscriminantRotation
from microcell.embed._learnt import LearntColumns
from microcell.embed._levels import Levels
from microcell.embed._mismatch import Mismatch
from microcell.embed._moments import Moments
from microcell.embed._observed_scale import ObservedScale
from microcell.embed._principal_component import PrincipalComponentProjection
from microcell.embed._scales import (
    SCALES,
    NoScale,
    QuartileScale,
    RangeScale,
    StandardScale,
)
from microcell.embed._self_organising_map import LAST_RADIUS as LAST_RADIUS
from microcell.embed._self_organising_map import SelfOrganisingMap
from microcell.embed._statistical_dependence import TARGETS as TARGETS
from microcell.embed._statistical_dependence import StatisticalDependence
from microcell.embed._statistical_dependence import is_measured as is_measured
from microcell.embed._statistical_dependence import (
    target_coordinates as target_coordinates,
)
from microcell.embed._z_score_sum import ZScoreSum

__all__ = [
    "SCALES",
    "ChoquetIntegral",
    "CollaborativeMaps",
    "ColumnScaler",
    "LearntColumns",
    "Levels",
    "LinearDiscriminantRotation",
    "Mismatch",
    "Moments",
    "NoScale",
    "ObservedScale",
    "OrderedWeightedAverage",
    "PrincipalComponentProjection",
    "QuartileScale",
    "RangeScale",
    "SelfOrganisingMap",
    "StandardScale",
    "StatisticalDependence",
    "SugenoIntegral",
    "ZScoreSum",
]
