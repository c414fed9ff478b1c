"""Numba's decorator, for systems without a folder to keep compiled code in too.

Numba refuses `cache=True` where it can write nowhere: an installation that is read
only, and no home. Our kernels are then compiled anew in each process. No other folder
is made up, for whoever can write into a cache of compiled code can run code.
"""

import warnings

import numba

NOTICE = (
    "Compiled code cannot be kept, for numba has no folder that it may write to, so "
    "each run compiles anew. Name one in the environment variable NUMBA_CACHE_DIR."
)
_noticed: list[bool] = []


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
