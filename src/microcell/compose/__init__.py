"""Estimators made of parts: what masks, and what wraps what masks."""

from microcell.compose._by_block import ByBlock
from microcell.compose._by_stratum import ByStratum
from microcell.compose._by_stratum import joined_strata as joined_strata
from microcell.compose._by_stratum import merge_small as merge_small
from microcell.compose._by_unit import ByUnit
from microcell.compose._centroid_list import dp_centroid_list
from microcell.compose._dissolve_and_split import DissolveAndSplit
from microcell.compose._dp_microaggregator import DPMicroaggregator
from microcell.compose._dp_microaggregator import private_sums as private_sums
from microcell.compose._enforce import Enforce
from microcell.compose._k_anonymity_first import KAnonymityFirst
from microcell.compose._least_loss import LeastLoss as LeastLoss
from microcell.compose._microaggregator import Microaggregator
from microcell.compose._noisy_sums import RESOLUTION as RESOLUTION
from microcell.compose._noisy_sums import from_steps as from_steps
from microcell.compose._noisy_sums import to_steps as to_steps
from microcell.compose._ordered_cut import OrderedCut
from microcell.compose._p_sensitive_first import PSensitiveFirst
from microcell.compose._plan import Plan
from microcell.compose._plan import as_plan as as_plan
from microcell.compose._refine import Refine
from microcell.compose._refinement import Refinement as Refinement
from microcell.compose._t_closeness_first import TClosenessFirst
from microcell.compose._tuned import TunedMicroaggregator
from microcell.compose._units_apart import UnitsApart

__all__ = [
    "ByBlock",
    "ByStratum",
    "ByUnit",
    "DPMicroaggregator",
    "DissolveAndSplit",
    "Enforce",
    "KAnonymityFirst",
    "Microaggregator",
    "OrderedCut",
    "PSensitiveFirst",
    "Plan",
    "Refine",
    "TClosenessFirst",
    "TunedMicroaggregator",
    "UnitsApart",
    "dp_centroid_list",
]
