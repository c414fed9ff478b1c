"""Numba's decorator, for systems without a folder to keep compiled code in too.

Numba refuses `cache=True` where it can write nowhere: an installation that is read
only, and no home. Our kernels are then compiled anew in each process. No other folder
is made up, for whoever can write into a cache of compiled code can run code.
"""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba
from numba.core import event

from microcell._progress import is_heard

NOTICE = (
    "Compiled code cannot be kept, for numba has no folder that it may write to, so "
    "each run compiles anew. Name one in the environment variable NUMBA_CACHE_DIR."
)
COMPILES = (
    "microcell compiles its kernels, which takes some seconds up to a minute. Later "
    "runs find them in a cache."
)
_noticed: list[bool] = []
_said: list[bool] = []


def njit(*, cache=True, **options):
    """Compile as `numba.njit` does, and keep the result if it can be kept.

    Examples
    --------
    >>> @njit(cache=False, nogil=True)
    ... def twice(x):
    ...     return 2 * x
    >>> twice(4)
    8
    """

    def compile(function):
        try:
            return numba.njit(cache=cache, **options)(function)
        except RuntimeError as error:
            if "cannot cache" not in str(error):
                raise
        if not _noticed:
            _noticed.append(True)
            warnings.warn(NOTICE, stacklevel=2)
        return numba.njit(cache=False, **options)(function)

    return compile


class _Compiling(event.Listener):
    """Says once that code is compiled, and is not found in the cache."""

    def on_start(self, event: Any) -> None:
        if not _said and not is_heard():
            _said.append(True)
            print(COMPILES, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def said_if_it_compiles() -> Iterator[None]:
    """Say on standard error that the first call compiles, unless progress is shown."""
    with event.install_listener("numba:compile", _Compiling()):
        yield
