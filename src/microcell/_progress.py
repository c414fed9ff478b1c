"""Progress of long work: parts report, whoever wants to know listens.

Kernels work in slices, and between two slices a part calls `report`. Nothing is shown
unless a caller listens, and an interrupt is noticed between slices.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_listener = ContextVar("microcell_progress", default=None)


@contextmanager
def listen(callback: Any) -> Iterator[Any]:
    """Call `callback(done, total, step)` whenever a part reports.

    Examples
    --------
    >>> with listen(lambda done, total, step: print(f"{step}: {done} of {total}")):
    ...     report(3, 10)
    grouping records: 3 of 10
    """
    token = _listener.set(callback)
    try:
        yield
    finally:
        _listener.reset(token)


def report(done: int, total: Any, step: str = "grouping records") -> None:
    """Say how much of a step is done; a total of None is not known."""
    callback = _listener.get()
    if callback is not None:
        callback(done, total, step)


def is_heard() -> bool:
    """Whether somebody shows how far the work is."""
    return _listener.get() is not None


@contextmanager
def part_of(already_done: int, total: int) -> Iterator[Any]:
    """Let reports inside count as a part of a larger table.

    Examples
    --------
    >>> with listen(lambda done, total, step: print(f"{done} of {total}")):
    ...     with part_of(5, 20):
    ...         report(3, 10)
    8 of 20
    """
    outer = _listener.get()
    if outer is None:
        yield
        return
    with listen(lambda done, _, step: outer(already_done + done, total, step)):
        yield
