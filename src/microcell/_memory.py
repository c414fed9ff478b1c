"""Memory that a step no longer needs, given back before the next one takes more."""

from __future__ import annotations

import ctypes
import os
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
    sizes = (_free_of_system(), _free_of_group())
    found = [size for size in sizes if size is not None]
    if not found:
        found = [size for size in (_free_of_windows(), _half_of_all()) if size]
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


def _half_of_all() -> int:
    """Half of the memory, where the system (macOS) does not say what is free."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return 0


def _free_of_windows() -> int:
    """What Windows says is free: the third of seven sizes after two short fields."""
    if not hasattr(ctypes, "windll"):
        return 0
    said = (ctypes.c_uint64 * 8)(ctypes.sizeof(ctypes.c_uint64 * 8))
    done = ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(said))
    return int(said[2]) if done else 0
