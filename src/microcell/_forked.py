"""What does not survive a fork.

polars works with threads, and a forked process has none but the one that forked: its
first polars query waits for the others for ever. Where there are such threads, so that
a child would hang, it is told so instead.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

_TASKS = Path("/proc/self/task")  # of Linux, where fork is the default
_had_threads = _lost = False


def has_polars_threads() -> Any:
    """Whether polars has started its threads in this process."""
    try:
        tasks = list(_TASKS.iterdir())
    except OSError:  # no such folder
        return False
    return any(_name_of(task).startswith("polars-") for task in tasks)


def _name_of(task: Any) -> Any:
    try:
        return (task / "comm").read_text()
    except OSError:  # a thread that has just ended
        return ""


def _look_before_fork() -> None:
    global _had_threads
    _had_threads = has_polars_threads()


def _remember_in_child() -> None:
    global _lost
    _lost = _lost or _had_threads


if hasattr(os, "register_at_fork"):  # elsewhere nothing forks
    os.register_at_fork(before=_look_before_fork, after_in_child=_remember_in_child)


def refuse_polars_after_fork() -> None:
    """Raise RuntimeError in a forked process in which polars would hang."""
    if _lost:
        raise RuntimeError(
            "This process was forked from one that had used polars, which counts "
            "released tables; its threads do not survive a fork, and the work would "
            "hang here. Start processes by 'spawn' or 'forkserver', for example with "
            "multiprocessing.get_context('spawn')."
        )
