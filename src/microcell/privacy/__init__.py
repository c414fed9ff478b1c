"""Privacy models: what is promised, and whether the released table keeps it.

A new model is one file here and one line below.
"""

from microcell.privacy._cell_size import CellSize, people_of_cells
from microcell.privacy._classes import (
    ClassCounts,
    class_codes,
    class_sizes,
    count_classes,
    value_codes,
)
from microcell.privacy._differential_privacy import DifferentialPrivacy, seals
from microcell.privacy._finding import BY_CONSTRUCTION, Finding, require
from microcell.privacy._k_anonymity import KAnonymity
from microcell.privacy._p_sensitivity import PSensitivity
from microcell.privacy._promise import CellModel, Promise
from microcell.privacy._view import CellValues, View, cell_values

MODELS = (KAnonymity, CellSize, PSensitivity)
PROMISES = {model.name: model for model in MODELS}  # read by recipe and command line

__all__ = [
    "BY_CONSTRUCTION",
    "PROMISES",
    "CellModel",
    "CellSize",
    "CellValues",
    "ClassCounts",
    "DifferentialPrivacy",
    "Finding",
    "KAnonymity",
    "PSensitivity",
    "Promise",
    "View",
    "cell_values",
    "class_codes",
    "class_sizes",
    "count_classes",
    "people_of_cells",
    "require",
    "value_codes",
    "seals",
]
