"""Locks on files, that end with the process: those of POSIX, or those of Windows."""

from __future__ import annotations

import errno
import os

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

POSIX = fcntl is not None
"""Whether files may be locked, renamed and removed while open, and folders be opened.

Elsewhere a lock keeps others from the bytes, so that it is one of a file of its own."""

NO_SYNC = (errno.EINVAL, errno.ENOTSUP)  # folders that cannot be synced


def lock(descriptor: int, *, wait: bool = False) -> bool:
    """Whether a file could be locked; the lock ends with the descriptor."""
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        else:
            import msvcrt

            mode = msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK
            msvcrt.locking(descriptor, mode, 1)
    except OSError:
        return False
    return True


def sync(path: str | os.PathLike[str]) -> None:
    """Let a file, or the names in a folder, survive a crash of the machine.

    Not every file system syncs folders, and Windows does not even open them.
    """
    folder = os.path.isdir(path)
    if folder and not POSIX:
        return
    # Windows syncs only what may be written
    descriptor = os.open(path, os.O_RDONLY if POSIX else os.O_RDWR)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if not folder or error.errno not in NO_SYNC:
            raise
    finally:
        os.close(descriptor)


def is_of_this_user(found: os.stat_result) -> bool:
    """Whether a file is this user's, where files have owners."""
    return not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
