"""Memory that a step no longer needs, given back before the next one takes more."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

UNKNOWN = 4 * 10**9  # bytes, where the system does not say it


def give_back() -> None:
    """Let Arrow return what it holds and does not use to the system.

    polars shares the text that Arrow read; when the last column of it is gone, Arrow
    still keeps the room for more text, which the numbers cannot use.
    """
    pa.default_memory_pool().release_unused()


def available_memory() -> int:
    """Bytes of memory that this process may still take, as the system says.

    Examples
    --------
    >>> available_memory() > 0
    True
    """
    found = [size for size in (_free_of_system(), _free_of_group()) if size is not None]
    return min(found, default=UNKNOWN)


def _free_of_system() -> Any:
    try:
        with open("/proc/meminfo") as lines:
            said = dict(line.split(":", 1) for line in lines)
        return 1024 * int(said["MemAvailable"].split()[0])
    except (OSError, KeyError, ValueError):
        return None


def _free_of_group() -> Any:
    """What the control group of a container leaves."""
    try:
        with open("/sys/fs/cgroup/memory.max") as most:
            limit = int(most.read())
        with open("/sys/fs/cgroup/memory.current") as now:
            return max(limit - int(now.read()), 0)
    except (OSError, ValueError):
        return None
