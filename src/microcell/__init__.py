"""k-anonymous microaggregation: releases of tables about people, verified.

Names are loaded when they are first used, so that `import microcell` is quick.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)

__all__ = [
    "METHODS",
    "ByBlock",
    "ByStratum",
    "ByUnit",
    "Column",
    "Inspection",
    "Microaggregator",
    "NoCandidate",
    "PrivacyError",
    "Recipe",
    "Release",
    "ReleaseClassifier",
    "ReleaseRegressor",
    "Schema",
    "SchemaError",
    "UnitsApart",
    "anonymize",
    "anonymize_file",
    "apply_recipe",
    "check_file",
    "compare",
    "inspect",
    "inspect_file",
    "measure",
    "measure_files",
    "tune",
]
