"""A release as people look at it: its facts, one page of them, and pictures."""

from importlib import import_module
from typing import Any

_HOMES = {"facts_of": "_facts"}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'microcell.report' has no attribute {name!r}")
    return getattr(import_module(f"microcell.report.{_HOMES[name]}"), name)
