"""Libraries that scikit-learn imports by the way, left until they are used.

`scipy.stats` and `pandas` are more than half of what ``import sklearn`` takes, and most
commands use neither.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

BY_THE_WAY = ("pandas", "scipy.stats")


class Later(ModuleType):
    """Stands for a library that has not been imported, and imports it when used.

    Examples
    --------
    >>> Later("fractions").Fraction(1, 2)
    Fraction(1, 2)
    """

    def __getattr__(self, name: str) -> Any:
        asked_by_imports = name.startswith("__") and name.endswith("__")
        if asked_by_imports and name != "__version__":  # which libraries ask for
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


@contextmanager
def left_for_later(*names: str) -> Iterator[None]:
    """Let modules that are imported inside see stand-ins of these libraries.

    None is left behind: whoever imports one of them afterwards gets the library. One
    that is not installed has no stand-in.

    Examples
    --------
    >>> with left_for_later("tabnanny"):
    ...     import tabnanny
    >>> type(tabnanny).__name__, "tabnanny" in sys.modules
    ('Later', False)
    >>> tabnanny.verbose
    0
    """
    absent = [name for name in names if name not in sys.modules and find_spec(name)]
    placed = {name: Later(name) for name in absent}
    sys.modules.update(placed)
    try:
        yield
    finally:
        for name, stand_in in placed.items():
            if sys.modules.get(name) is stand_in:
                del sys.modules[name]


def import_scikit_learn() -> None:
    """Import what our estimators are made of, and not what it imports by the way."""
    with left_for_later(*BY_THE_WAY):
        import sklearn.base  # noqa: F401
