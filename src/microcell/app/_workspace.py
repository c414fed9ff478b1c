"""The folder of one run of the app: nobody else may read it, and nothing stays."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path

from microcell._locks import is_of_this_user, lock

PREFIX = "microcell-app-"
LOCK = "in-use"
LOCK_SECONDS = 60.0  # seconds in which a folder without a lock may be about to get one


class Workspace:
    """A folder that only its owner may read, removed with all that it holds.

    What earlier runs left behind, because they were killed, is removed first.

    Parameters
    ----------
    parent : path, optional
        Where it is made; by default where temporary files go.

    Examples
    --------
    >>> with Workspace() as workspace:
    ...     oct(workspace.root.stat().st_mode & 0o777)
    '0o700'
    >>> workspace.root.exists()
    False
    """

    def __init__(self, parent: str | Path | None = None) -> None:
        parent = Path(parent or tempfile.gettempdir())
        remove_left_behind(parent)
        self.root = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        # workers do not inherit it, so that the lock ends with this process
        self._lock = os.open(self.root / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        lock(self._lock)

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()

    def folder(self, *names: str) -> Path:
        """A folder in it, made if it is not there."""
        made = self.root
        for name in names:  # the mode is that of the last folder alone
            made = made / name
            made.mkdir(mode=0o700, exist_ok=True)
        return made

    def remove(self) -> None:
        """Remove it with all that it holds."""
        with contextlib.suppress(OSError):
            os.close(self._lock)  # first: an open file may keep the folder there
        empty(self.root)


def for_me_alone(path: str, flags: int) -> int:
    """Open a file that nobody else may read."""
    return os.open(path, flags, 0o600)


def empty(folder: str | Path) -> None:
    """Remove a folder, also while somebody who is about to end still writes to it."""
    for _ in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.lexists(folder):
            return
        time.sleep(0.05)


def remove_left_behind(parent: Path) -> None:
    """Remove folders of runs that are no more; those that are in use stay."""
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(parent)):
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    if _is_left(entry):
                        empty(entry.path)


def _is_left(entry: os.DirEntry[str]) -> bool:
    if not is_of_this_user(entry.stat()):
        return False
    try:
        descriptor = os.open(Path(entry.path) / LOCK, os.O_RDWR)
    except FileNotFoundError:
        return time.time() - entry.stat().st_mtime > LOCK_SECONDS
    try:
        return lock(descriptor)
    finally:
        os.close(descriptor)
