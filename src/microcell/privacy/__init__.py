"""Privacy models: what is promised, and whether the released table keeps it.

A new model is one file here and one line below.
"""

from microcell.privacy._alpha_anonymity import AlphaAnonymity
from microcell.privacy._beta_likeness import BetaLikeness, EnhancedBetaLikeness
from microcell.privacy._cell_size import (
    CellSize,
    below_k,
    people_of_cells,
    weaker_than_k,
)
from microcell.privacy._classes import (
    ClassCounts,
    class_codes,
    class_sizes,
    count_classes,
    value_codes,
)
from microcell.privacy._classes import as_polars as as_polars
from microcell.privacy._delta_disclosure import DeltaDisclosure
from microcell.privacy._delta_presence import DeltaPresence
from microcell.privacy._differential_privacy import DifferentialPrivacy
from microcell.privacy._distances import equal_distances as equal_distances
from microcell.privacy._distances import ordered_distances as ordered_distances
from microcell.privacy._entropy_l_diversity import EntropyLDiversity
from microcell.privacy._finding import (
    BY_CONSTRUCTION,
    WITHSTANDS_NO_REPLAY,
    Finding,
    require,
    unprotected,
)
from microcell.privacy._finding import ON_CELLS as ON_CELLS
from microcell.privacy._k_anonymity import KAnonymity
from microcell.privacy._k_anonymity import holds_by_block as holds_by_block
from microcell.privacy._k_map import KMap
from microcell.privacy._k_over_visits import KOverVisits
from microcell.privacy._l_diversity import LDiversity
from microcell.privacy._p_sensitivity import PSensitivity
from microcell.privacy._population import load_population as load_population
from microcell.privacy._population import match_population as match_population
from microcell.privacy._promise import CellModel, Promise
from microcell.privacy._recursive_diversity import RecursiveDiversity
from microcell.privacy._t_closeness import TCloseness
from microcell.privacy._value_order import has_order, ordered_codes, value_numbers
from microcell.privacy._view import CellValues, View, cell_values, people_of, read_alike
from microcell.privacy._visits import found_in_all as found_in_all

MODELS = (
    KAnonymity,
    CellSize,
    PSensitivity,
    LDiversity,
    EntropyLDiversity,
    RecursiveDiversity,
    TCloseness,
    AlphaAnonymity,
    DeltaDisclosure,
    BetaLikeness,
    EnhancedBetaLikeness,
    KMap,
    DeltaPresence,
    KOverVisits,
)
PROMISES = {model.name: model for model in MODELS}  # read by recipe and command line

__all__ = [
    "BY_CONSTRUCTION",
    "PROMISES",
    "WITHSTANDS_NO_REPLAY",
    "AlphaAnonymity",
    "BetaLikeness",
    "CellModel",
    "CellSize",
    "CellValues",
    "ClassCounts",
    "DeltaDisclosure",
    "DeltaPresence",
    "DifferentialPrivacy",
    "EnhancedBetaLikeness",
    "EntropyLDiversity",
    "Finding",
    "KAnonymity",
    "KMap",
    "KOverVisits",
    "LDiversity",
    "PSensitivity",
    "Promise",
    "RecursiveDiversity",
    "TCloseness",
    "View",
    "cell_values",
    "below_k",
    "weaker_than_k",
    "class_codes",
    "class_sizes",
    "count_classes",
    "has_order",
    "ordered_codes",
    "people_of",
    "people_of_cells",
    "read_alike",
    "require",
    "value_codes",
    "value_numbers",
    "unprotected",
]
