"""Libraries that only some formats need."""

from __future__ import annotations

import importlib
from types import ModuleType

from microcell.exceptions import InputError


def needed(module: str, extra: str, what: str) -> ModuleType:
    """A module that comes with an extra, or an error that names the extra.

    Parameters
    ----------
    module : str
    extra : str
        The extra of microcell that installs it.
    what : str
        The files that cannot be read or written without it.

    Examples
    --------
    >>> needed("math", "numbers", "files of numbers").__name__
    'math'
    >>> needed("no_such_module", "excel", "Excel files")
    Traceback (most recent call last):
    ...
    microcell.exceptions.InputError: Excel files need the module 'no_such_module',
    which is not installed. Install it with pip install 'microcell[excel]'.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        raise InputError(
            f"{what} need the module {module!r}, which is not installed.",
            hint=f"Install it with pip install 'microcell[{extra}]'.",
        ) from None
