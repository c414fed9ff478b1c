"""From tables and files to verified releases; names are loaded when first used."""

from importlib import import_module
from typing import Any

_HOMES = {
    "Candidate": "_candidate",
    "Compared": "_compared",
    "Constraint": "_constraints",
    "NoCandidate": "_tuned",
    "Recipe": "_recipe",
    "Release": "_release",
    "ReleaseClassifier": "_trained_on_release",
    "ReleaseRegressor": "_trained_on_release",
    "Schema": "_schema",
    "Tuned": "_tuned",
    "anonymize": "_anonymize",
    "anonymize_file": "_files",
    "apply_recipe": "_anonymize",
    "check_file": "_check",
    "compare": "_compare",
    "compare_file": "_compare_files",
    "measure": "_measure",
    "measure_files": "_files",
    "tune": "_tune",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'microcell.release' has no attribute {name!r}")
    return getattr(import_module(f"microcell.release.{_HOMES[name]}"), name)
