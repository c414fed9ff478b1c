"""Progress of long work: parts report, whoever wants to know listens.

Kernels work in slices, and between two slices a part calls `report`. Nothing is shown
unless a caller listens, and an interrupt is noticed between slices.
"""

from contextlib import contextmanager
from contextvars import ContextVar

_listener = ContextVar("microcell_progress", default=None)


@contextmanager
def listen(callback):
    """Call `callback(done, total)` whenever a part reports.

    Examples
    --------
    >>> with listen(lambda done, total: print(f"{done} of {total} records")):
    ...     report(3, 10)
    3 of 10 records
    """
    token = _listener.set(callback)
    try:
        yield
    finally:
        _listener.reset(token)


def report(done, total):
    """Say that `done` of `total` records are in cells."""
    callback = _listener.get()
    if callback is not None:
        callback(done, total)


@contextmanager
def part_of(already_done, total):
    """Let reports inside count as a part of a larger table.

    Examples
    --------
    >>> with listen(lambda done, total: print(f"{done} of {total} records")):
    ...     with part_of(5, 20):
    ...         report(3, 10)
    8 of 20 records
    """
    outer = _listener.get()
    if outer is None:
        yield
        return
    with listen(lambda done, _: outer(already_done + done, total)):
        yield
