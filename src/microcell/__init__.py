"""k-anonymous microaggregation: releases of tables about people, verified.

Names are loaded when they are first used, so that `import microcell` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from microcell._anonymize import anonymize, apply_recipe
    from microcell._by_block import ByBlock
    from microcell._by_stratum import ByStratum
    from microcell._by_unit import ByUnit
    from microcell._measure import measure
    from microcell._pipeline import Microaggregator
    from microcell._recipe import Recipe
    from microcell._release import Release
    from microcell._schema import Schema
    from microcell.base import PrivacyError, SchemaError
    from microcell.methods import METHODS

__version__ = "0.1.0"

_HOMES = {
    "anonymize": "microcell._anonymize",
    "apply_recipe": "microcell._anonymize",
    "ByBlock": "microcell._by_block",
    "ByStratum": "microcell._by_stratum",
    "ByUnit": "microcell._by_unit",
    "METHODS": "microcell.methods",
    "measure": "microcell._measure",
    "Microaggregator": "microcell._pipeline",
    "PrivacyError": "microcell.base",
    "Recipe": "microcell._recipe",
    "Release": "microcell._release",
    "Schema": "microcell._schema",
    "SchemaError": "microcell.base",
}

__all__ = [
    "METHODS",
    "ByBlock",
    "ByStratum",
    "ByUnit",
    "Microaggregator",
    "PrivacyError",
    "Recipe",
    "Release",
    "Schema",
    "SchemaError",
    "anonymize",
    "apply_recipe",
    "measure",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'microcell' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
