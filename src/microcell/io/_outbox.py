"""Outbox: files that appear whole and together, or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import re
import secrets
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from microcell import _interrupts
from microcell._locks import POSIX, is_of_this_user, lock, sync
from microcell.exceptions import Option, OutputExistsError

MAX_HIDDEN_NAME_BYTES = (
    200  # bytes of a name that leave room for the rest of a hidden one
)


@dataclass
class StagedFile:
    """A file that is written but not yet to be seen."""

    target: Path
    descriptor: int | None  # holds a lock; None where an open file cannot be renamed
    name: Path | None  # None where the file has no name at all
    overwrite: bool  # whether it may replace another

    @property
    def path(self) -> str:
        """Where to write and read it."""
        return str(self.name or f"/proc/self/fd/{self.descriptor}")


class Joined(Protocol):
    """Something else that is published with files, such as a table of a database."""

    name: str

    def publish(self) -> None:
        """Let everybody see it, or raise."""

    def close(self) -> None:
        """Undo what was not published."""


class Outbox:
    """Stage files, then publish all of them.

    A staged file has no name where the system allows it (Linux), so that even a
    killed process leaves nothing behind; elsewhere it has a hidden name in the target's
    folder until it is published or given up. A hidden file that a killed process left
    is removed when its target is staged again.

    Parameters
    ----------
    overwrite : bool, default=False
        Whether a file that exists may be replaced.

    Attributes
    ----------
    published : list of Path
        The files that have their names; all of them or none.

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
        self.published: list[Path] = []
        self._files: list[StagedFile] = []
        self._joined: list[Joined] = []

    def __enter__(self) -> Outbox:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for part in self._joined:
            part.close()
        for file in self._files:
            if file.descriptor is not None:
                os.close(file.descriptor)
            if file.name is not None:
                _remove_hidden(file.name)

    def stage(
        self, path: str | Path, *, overwrite: bool | None = None, private: bool = False
    ) -> str:
        """Return the path at which to write what `path` is to hold.

        Parameters
        ----------
        path : path
        overwrite : bool, optional
            Whether a file that exists may be replaced; by default as the outbox says.
        private : bool, default=False
            Whether only the owner may read the file.
        """
        overwrite = self.overwrite if overwrite is None else overwrite
        target = check_target(path, overwrite)
        if any(file.target == target for file in self._files):
            raise ValueError(f"Two outputs go to the same file {path}.")
        _remove_leftovers(target)
        mode = 0o600 if private else 0o666
        self._files.append(_open_staged(target, overwrite, mode))
        return self._files[-1].path

    def join(self, part: Joined) -> None:
        """Publish something else after the files, which are put back if it fails."""
        self._joined.append(part)

    def publish(self) -> None:
        """Give all staged files their names, in the order in which they were staged.

        The files are on disk before the first gets its name, no signal comes between
        the names, and if one cannot be given, the files that were there before are
        put back.
        """
        for file in self._files:
            if file.descriptor is None:
                sync(file.path)
            else:
                os.fsync(file.descriptor)
        folders = {file.target.parent for file in self._files}
        with _locked(folders), _interrupts.deferred():
            self._publish_together(folders)
            self.published = [file.target for file in self._files]
            _interrupts.written.extend(map(str, self.published))
            _interrupts.written.extend(part.name for part in self._joined)

    def _publish_together(self, folders: set[Path]) -> None:
        kept: list[KeptFile] = []
        done: list[Path] = []
        try:
            for file in self._files:
                if file.overwrite:
                    _give_hidden_name(file)
                    if file.target.exists():
                        kept.append(_keep(file.target))
            for file in self._files:
                self._name(file)
                done.append(file.target)
            for folder in folders:
                sync(folder)
            for part in self._joined:
                part.publish()
        except BaseException:
            _put_back(kept, done)
            raise
        finally:
            for old in kept:
                old.forget()

    def _name(self, file: StagedFile) -> None:
        if file.overwrite and file.name is not None:
            os.replace(file.name, file.target)
            _interrupts.hidden.discard(str(file.name))
            file.name = None
        else:  # linking fails if the target has appeared meanwhile
            _link(file.path, file.target)


@dataclass
class KeptFile:
    """The file that a target held before, until the new ones are all there."""

    target: Path
    name: Path
    descriptor: int | None  # holds the lock that says that the name is in use
    lost: bool = False

    def forget(self) -> None:
        """Remove the hidden name, unless the file could not be put back."""
        if not self.lost:
            _remove_hidden(self.name)
        if self.descriptor is not None:
            os.close(self.descriptor)


def _keep(target: Path) -> KeptFile:
    """Give the file at `target` a second, hidden name."""
    descriptor = None
    with contextlib.suppress(OSError):  # a file that may be replaced, but not read
        if POSIX:
            descriptor = os.open(target, os.O_RDONLY)
            lock(descriptor)
    name = hidden_name(target)
    try:
        os.link(target, name)
    except OSError:  # a file system without links
        os.replace(target, name)
    return KeptFile(target, name, descriptor)


def _put_back(kept: list[KeptFile], done: list[Path]) -> None:
    """Undo what was published; say so if that fails too."""
    earlier = {old.target for old in kept}
    failed = []
    for target in done:
        if target not in earlier:
            with contextlib.suppress(OSError):
                target.unlink(missing_ok=True)
    for old in kept:
        try:
            os.replace(old.name, old.target)
        except OSError:
            old.lost = True
            failed.append(f"{old.target} (its earlier contents are in {old.name})")
    if failed:
        raise OSError(
            f"The files could not be published, and {', '.join(failed)} could not be "
            "put back. Rename by hand."
        )


def _give_hidden_name(file: StagedFile) -> None:
    if file.name is None:
        name = hidden_name(file.target)
        _interrupts.hidden.add(str(name))
        _link(file.path, name)
        file.name = name


@contextlib.contextmanager
def _locked(folders: set[Path]) -> Iterator[None]:
    """Let nobody else publish into folders meanwhile, where folders can be locked.

    Two runs with the same targets would else leave some files of each.
    """
    with contextlib.ExitStack() as stack:
        for folder in sorted(folders) if POSIX else ():  # everybody in the same order
            descriptor = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            lock(descriptor, wait=True)
        yield


def check_target(path: str | Path, overwrite: bool) -> Path:
    """The real path of an output, after checking that it can be written.

    A link is followed, so that the file it names is written and the link stays.
    """
    if "\0" in str(path) or not _is_text(path):
        raise ValueError(f"A file cannot be called {str(path)!r}. Choose another name.")
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(f"{path} is a link that leads to itself. Name a file.")
    if len(os.fsencode(target.name)) > 255:
        raise OSError(f"The name of {path} is too long. Choose another.")
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
        raise exists_already(target)
    return target


def exists_already(target: object) -> OutputExistsError:
    """The error for an output that is there and may not be replaced."""
    return OutputExistsError(
        f"{target} exists.",
        option="overwrite",
        hint=[
            "Choose another name, or overwrite it with ",
            Option("overwrite", True),
            ".",
        ],
    )


def _is_text(path: str | Path) -> bool:
    """Whether a path can be written down, in the certificate for one."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def hidden_name(target: Path) -> Path:
    """A name beside `target` that nobody uses."""
    return target.with_name(
        f".{stem_of_hidden(target)}.{secrets.token_hex(8)}.microcell"
    )


def stem_of_hidden(target: Path) -> str:
    encoded = os.fsencode(target.name)
    if len(encoded) <= MAX_HIDDEN_NAME_BYTES:
        return target.name
    return hashlib.sha256(encoded).hexdigest()


def _remove_hidden(name: Path) -> None:
    name.unlink(missing_ok=True)
    _interrupts.hidden.discard(str(name))


def _remove_leftovers(target: Path) -> None:
    """Remove hidden files that a killed process left for the same target.

    Whoever uses a hidden file holds a lock on it, so one that can be locked is
    nobody's. Where there are no such locks it stays.
    """
    if not POSIX:
        return
    ours = re.compile(
        rf"\.{re.escape(stem_of_hidden(target))}\.[0-9a-f]{{16}}\.microcell"
    )
    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if ours.fullmatch(entry.name):
                with contextlib.suppress(OSError):
                    _remove_if_left(entry.path)


def _remove_if_left(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        found = os.fstat(descriptor)
        of_mine = stat.S_ISREG(found.st_mode) and is_of_this_user(found)
        if of_mine and lock(descriptor):
            os.unlink(path)
    finally:
        os.close(descriptor)


def digest_of(key: bytes | None, content: bytes = b"") -> Any:
    """SHA-256 of a content that may go on; HMAC-SHA-256 if there is a key."""
    if key is None:
        return hashlib.sha256(content)
    return hmac.new(key, content, "sha256")


def sha256(path: str | Path, key: bytes | None = None) -> str:
    """Hexadecimal SHA-256 of a file's bytes; HMAC-SHA-256 if there is a key."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, lambda: digest_of(key)).hexdigest()


def _open_staged(target: Path, overwrite: bool, mode: int) -> StagedFile:
    if hasattr(os, "O_TMPFILE") and os.path.isdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # not every file system knows such files
            descriptor = os.open(target.parent, os.O_TMPFILE | os.O_RDWR, mode)
            lock(descriptor)
            return StagedFile(target, descriptor, None, overwrite)
    name = hidden_name(target)
    _interrupts.hidden.add(str(name))
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR
    try:
        descriptor = os.open(name, flags, mode)
    except OSError as error:
        _interrupts.hidden.discard(str(name))
        raise PermissionError(
            f"{target} cannot be written ({error.strerror}). Choose another folder."
        ) from None
    if not POSIX:
        os.close(descriptor)
        return StagedFile(target, None, name, overwrite)
    lock(descriptor)
    if not name.exists():  # taken for a leftover before it was locked
        os.close(descriptor)
        return _open_staged(target, overwrite, mode)
    return StagedFile(target, descriptor, name, overwrite)


def _link(source: str, target: Path) -> None:
    """Give a file another name, which nothing has yet."""
    if not POSIX:
        os.rename(source, target)  # which replaces nothing there
        return
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
