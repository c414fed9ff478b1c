"""Releases of tables and files: made, written, checked and measured.

Names are loaded when they are first used.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "Release": "_release",
    "anonymize": "_anonymize",
    "anonymize_file": "_files",
    "apply_recipe": "_anonymize",
    "check_file": "_check",
    "measure": "_measure",
    "measure_files": "_files",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'microcell.release' has no attribute {name!r}")
    return getattr(import_module(f"microcell.release.{_HOMES[name]}"), name)
