"""k-anonymous microaggregation: releases of tables about people, verified.

Names are loaded when they are first used, so that `import microcell` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from microcell.compose._by_block import ByBlock
    from microcell.compose._by_stratum import ByStratum
    from microcell.compose._by_unit import ByUnit
    from microcell.compose._microaggregator import Microaggregator
    from microcell.exceptions import PrivacyError, SchemaError
    from microcell.inspection import Inspection, inspect, inspect_file
    from microcell.learning._trained_on_release import (
        ReleaseClassifier,
        ReleaseRegressor,
    )
    from microcell.methods import METHODS
    from microcell.recipe._recipe import Recipe
    from microcell.recipe._schema import Schema
    from microcell.release._anonymize import anonymize, apply_recipe
    from microcell.release._check import check_file
    from microcell.release._files import anonymize_file, measure_files
    from microcell.release._measure import measure
    from microcell.release._release import Release
    from microcell.selection._compare import compare
    from microcell.selection._tune import tune
    from microcell.selection._tuned import NoCandidate

__version__ = "0.1.0"

_HOMES = {
    "anonymize": "microcell.release",
    "anonymize_file": "microcell.release",
    "apply_recipe": "microcell.release",
    "ByBlock": "microcell.compose._by_block",
    "ByStratum": "microcell.compose._by_stratum",
    "ByUnit": "microcell.compose._by_unit",
    "check_file": "microcell.release",
    "compare": "microcell.selection",
    "Inspection": "microcell.inspection",
    "inspect": "microcell.inspection",
    "inspect_file": "microcell.inspection",
    "METHODS": "microcell.methods",
    "measure": "microcell.release",
    "measure_files": "microcell.release",
    "Microaggregator": "microcell.compose._microaggregator",
    "NoCandidate": "microcell.selection",
    "PrivacyError": "microcell.exceptions",
    "Recipe": "microcell.recipe",
    "Release": "microcell.release",
    "ReleaseClassifier": "microcell.learning",
    "ReleaseRegressor": "microcell.learning",
    "Schema": "microcell.recipe",
    "SchemaError": "microcell.exceptions",
    "tune": "microcell.selection",
}

__all__ = [
    "METHODS",
    "ByBlock",
    "ByStratum",
    "ByUnit",
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


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'microcell' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
