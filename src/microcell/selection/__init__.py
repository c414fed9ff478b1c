"""Which release to make: recipes compared and tuned on one table.

Names are loaded when they are first used.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "Candidate": "_candidate",
    "Compared": "_compared",
    "Constraint": "_constraints",
    "NoCandidate": "_tuned",
    "Tuned": "_tuned",
    "compare": "_compare",
    "compare_file": "_compare_files",
    "tune": "_tune",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'microcell.selection' has no attribute {name!r}")
    return getattr(import_module(f"microcell.selection.{_HOMES[name]}"), name)
