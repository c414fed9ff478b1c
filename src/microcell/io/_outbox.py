"""Outbox: files that appear whole and together, or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType


@dataclass
class StagedFile:
    """A file that is written but not yet to be seen."""

    target: Path
    descriptor: int
    name: Path | None  # None where the file has no name at all

    @property
    def path(self) -> str:
        """Where to write and read it."""
        return str(self.name or f"/proc/self/fd/{self.descriptor}")


class Outbox:
    """Stage files, then publish all of them.

    A staged file has no name where the system allows it (Linux), so that even a
    killed process leaves nothing behind; elsewhere it has a hidden name in the target's
    folder until it is published or given up.

    Parameters
    ----------
    overwrite : bool, default=False
        Whether a file that exists may be replaced.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with Outbox() as outbox:
    ...     staged = outbox.stage(folder / "note.txt")
    ...     _ = Path(staged).write_text("whole")
    ...     before = list(folder.iterdir())
    ...     outbox.publish()
    >>> before, (folder / "note.txt").read_text()
    ([], 'whole')
    """

    def __init__(self, *, overwrite: bool = False) -> None:
        self.overwrite = overwrite
        self._files: list[StagedFile] = []

    def __enter__(self) -> Outbox:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for file in self._files:
            os.close(file.descriptor)
            if file.name is not None:
                file.name.unlink(missing_ok=True)

    def stage(self, path: str | Path) -> str:
        """Return the path at which to write what `path` is to hold."""
        target = check_target(path, self.overwrite)
        if any(file.target == target for file in self._files):
            raise ValueError(f"Two outputs go to the same file {path}.")
        self._files.append(_open_staged(target))
        return self._files[-1].path

    def publish(self) -> None:
        """Give all staged files their names, in the order in which they were staged.

        If one cannot be published, those before it are taken back.
        """
        done: list[Path] = []
        try:
            for file in self._files:
                os.fsync(file.descriptor)
                self._name(file)
                done.append(file.target)
        except BaseException:
            if not self.overwrite:  # a file that was replaced cannot come back
                for target in done:
                    target.unlink(missing_ok=True)
            raise

    def _name(self, file: StagedFile) -> None:
        if self.overwrite:
            if file.name is None:
                hidden = hidden_name(file.target)
                _link(file.path, hidden)
                file.name = hidden
            os.replace(file.name, file.target)
            file.name = None
        else:  # linking fails if the target has appeared meanwhile
            _link(file.path, file.target)


def check_target(path: str | Path, overwrite: bool) -> Path:
    """The real path of an output, after checking that it can be written.

    A link is followed, so that the file it names is written and the link stays.
    """
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(
            f"The folder {target.parent} does not exist, so {target.name} cannot be "
            "written. Create it first."
        )
    if target.is_dir():
        raise IsADirectoryError(f"{target} is a folder. Name a file in it.")
    if target.exists() and not target.is_file():
        raise OSError(f"{target} is a device or a pipe, not a file. Name a file.")
    if not os.access(target.parent, os.W_OK):
        raise PermissionError(
            f"The folder {target.parent} cannot be written to. Choose another."
        )
    if target.exists() and not overwrite:
        raise FileExistsError(f"{target} exists. Choose another name, or overwrite it.")
    return target


def hidden_name(target: Path) -> Path:
    """A name beside `target` that nobody uses."""
    return target.with_name(f".{target.name}.{secrets.token_hex(8)}")


def sha256(path: str | Path) -> str:
    """Hexadecimal SHA-256 of a file's bytes."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _open_staged(target: Path) -> StagedFile:
    if hasattr(os, "O_TMPFILE") and os.path.isdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # not every file system knows such files
            descriptor = os.open(target.parent, os.O_TMPFILE | os.O_RDWR, 0o666)
            return StagedFile(target, descriptor, None)
    name = hidden_name(target)
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR
    try:
        return StagedFile(target, os.open(name, flags, 0o666), name)
    except OSError as error:
        raise PermissionError(
            f"{target} cannot be written ({error.strerror}). Choose another folder."
        ) from None


def _link(source: str, target: Path) -> None:
    folder = os.open(target.parent, os.O_RDONLY)
    try:  # with a folder given, the link is followed to the file without a name
        os.link(
            source,
            target.name,
            src_dir_fd=folder,
            dst_dir_fd=folder,
            follow_symlinks=True,
        )
    finally:
        os.close(folder)
