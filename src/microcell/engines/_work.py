"""The work folder of a run that may be killed: what is finished is kept, and checked.

It stands beside the target, so that what is made in it is published by a rename, and
is for its owner's eyes only. A run that ends, well or not, removes it, also at Ctrl-C;
one that is killed or told to end leaves it, and the next start goes on from there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
import signal
import stat
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from microcell import _interrupts
from microcell._locks import POSIX, is_of_this_user, lock, sync
from microcell.engines._step_notes import from_text, to_text
from microcell.exceptions import InputError
from microcell.io import sha256, stem_of_hidden

ABANDONED = 86_400  # seconds after which nobody comes back for a folder
ANY_FOLDER = re.compile(r"\..+\.microcell-[0-9a-f]{16}")
FINISHED = ".done"  # ending of the file that says that another is finished
WORK_FORM = 3  # of what is kept; 1 was pickled, 2 counted no people
REPLACED = "replaced"  # what the target held, while it is swapped


class Work:
    """Steps of a run, in a folder that outlives a killed process.

    Parameters
    ----------
    target : Path
        What the run is to publish.
    digest : str
        Hexadecimal digest of all that finished steps depend on.

    Examples
    --------
    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "release"
    >>> with Work(target, 16 * "0") as work:
    ...     file, note = work.finish("a.txt", lambda path: path.write_text("text"))
    ...     work.finished("a.txt") == (file, note), note
    (True, 4)
    >>> list(target.parent.iterdir())
    []
    """

    def __init__(self, target: Path, digest: str) -> None:
        self.target = target
        self.path = target.with_name(
            f".{stem_of_hidden(target)}.microcell-{digest[:16]}"
        )
        said = {"form": WORK_FORM, "target": target.name, "digest": digest}
        self._job = json.dumps(said)
        self._lock: int | None = None

    def __enter__(self) -> Work:
        remove_left(self.target, but=self.path)
        with contextlib.suppress(FileExistsError):
            os.mkdir(self.path, 0o700)
        _check_own(self.path)
        self._lock = _locked(self.path)
        if self._lock is None:
            raise _in_use(self.target)
        _interrupts.at_end.append(self.interrupted)
        try:
            _put_back(self.path)
            self._begin()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.remove()
        _interrupts.at_end.remove(self.interrupted)

    def _begin(self) -> None:
        """Keep what is there if it is of the same job."""
        job = self.path / "job"
        if job.exists() and job.read_text(encoding="utf-8") == self._job:
            return
        for entry in os.scandir(self.path):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            elif entry.name != "lock":
                os.unlink(entry.path)
        _write(job, self._job.encode("utf-8"))

    def folder(self, name: str) -> Path:
        """A folder inside, made if it is not there."""
        path = self.path / name
        with contextlib.suppress(FileExistsError):
            os.mkdir(path, 0o700)
        return path

    def finish(self, name: str, write: Callable[[Path], Any]) -> tuple[Path, Any]:
        """Let `write(path)` make a file; remember that it did and what it returned.

        The file appears under its name when it is whole and hashed. It is not forced
        to the disk: one that a crash of the machine tears has another hash.

        Returns
        -------
        path, note : Path, object
            The file and what `write` returned, which is kept as text.
        """
        final = self.path / name
        begun = final.with_name(final.name + ".begun")
        begun.unlink(missing_ok=True)
        os.close(_created(begun))
        note = write(begun)
        found = {"bytes": begun.stat().st_size, "sha256": sha256(begun), "note": note}
        payload = to_text(found).encode("utf-8")
        os.replace(begun, final)
        _write(
            final.with_name(final.name + FINISHED),
            hashlib.sha256(payload).hexdigest().encode("ascii") + payload,
        )
        return final, note

    def finished(self, name: str) -> tuple[Path, Any] | None:
        """The file and the note of a step, if it is whole; None if it is to be done."""
        path, found = self.path / name, self._said(name)
        try:
            if found is None or path.stat().st_size != found["bytes"]:
                return None
            if sha256(path) != found["sha256"]:
                return None
        except FileNotFoundError:
            return None
        return path, found["note"]

    def sha256(self, name: str) -> str:
        """Hexadecimal SHA-256 of a finished file, when it was finished."""
        found = self._said(name)
        if found is None:
            raise OSError(f"What was said of {name} in {self.path} is lost.")
        return str(found["sha256"])

    def _said(self, name: str) -> dict[str, Any] | None:
        """What was written down when a step was finished, if that is whole."""
        path = self.path / name
        try:
            content = read_own(path.with_name(path.name + FINISHED))
        except FileNotFoundError:
            return None
        payload = content[64:]
        if hashlib.sha256(payload).hexdigest().encode("ascii") != content[:64]:
            return None
        with contextlib.suppress(ValueError):
            found: dict[str, Any] = from_text(payload)
            return found
        return None

    def done(
        self, name: str, write: Callable[[Path], Any], *, kept: bool = True
    ) -> tuple[Path, Any]:
        """A finished step, done now if it is not."""
        found = self.finished(name) if kept else None
        return self.finish(name, write) if found is None else found

    def names(self, folder: str) -> list[str]:
        """Names of steps in a folder that say that they are finished."""
        with contextlib.suppress(FileNotFoundError):
            return sorted(
                f"{folder}/{name.removesuffix(FINISHED)}"
                for name in os.listdir(self.path / folder)
                if name.endswith(FINISHED)
            )
        return []

    def kept(self, folder: str) -> dict[int, tuple[Path, Any]]:
        """Numbered steps in a folder, made if it is not there; broken ones are gone."""
        self.folder(folder)
        steps = {}
        for name in self.names(folder):
            found = self.finished(name)
            if found is None:
                self.drop(name)
            else:
                steps[int(Path(name).stem)] = found
        return steps

    def drop(self, name: str) -> None:
        """Remove a step, the word that it is finished first."""
        path = self.path / name
        path.with_name(path.name + FINISHED).unlink(missing_ok=True)
        path.unlink(missing_ok=True)

    def size(self) -> int:
        """Bytes of all files inside."""
        return sum(
            entry.stat().st_size for entry in self.path.rglob("*") if entry.is_file()
        )

    def publish_folder(self, made: Path) -> None:
        """Give a folder that was made inside the name of the target.

        What the target held is moved aside first and removed after; if a kill comes
        between, the next start puts it back. No signal may come meanwhile.
        """
        aside = self.path / REPLACED
        if self.target.exists():
            os.rename(self.target, aside)
        try:
            os.rename(made, self.target)
        except OSError:
            if aside.exists():
                os.rename(aside, self.target)
            raise
        sync(self.target.parent)

    def interrupted(self, number: int) -> None:
        """Ctrl-C leaves nothing; who ends a job otherwise may want it to go on."""
        if number == signal.SIGINT:
            self.remove()
        else:
            _put_back(self.path)
            _interrupts.unfinished.append(str(self.path))

    def remove(self) -> None:
        """Remove the folder with all that is in it."""
        _put_back(self.path)
        held, self._lock = self._lock, None
        _remove(self.path, held)


def _in_use(target: Path) -> InputError:
    return InputError(
        f"Another run is writing {target.name}.",
        option="output",
        hint="Wait until it has ended, or choose another name.",
    )


def remove_left(target: Path, but: Path | None = None) -> None:
    """Remove what killed runs left: all of a target, old ones of others beside it.

    Parameters
    ----------
    target : Path
    but : Path, optional
        A folder that is to stay.
    """
    same = re.compile(
        rf"\.{re.escape(stem_of_hidden(target))}\.microcell-[0-9a-f]{{16}}"
    )
    with os.scandir(target.parent) as entries:
        found = [Path(e.path) for e in entries if ANY_FOLDER.fullmatch(e.name)]
    for folder in found:
        if not _is_own(folder):
            continue
        of_target = same.fullmatch(folder.name) is not None
        if of_target and _is_of_another_form(folder):
            raise InputError(
                f"{folder} holds the work of a run of another version of microcell, "
                "which this one cannot go on with.",
                option="output",
                hint="Remove the folder, or let that version finish it.",
            )
        if folder == but:
            continue
        with contextlib.suppress(FileNotFoundError):
            if not of_target and time.time() - folder.stat().st_mtime < ABANDONED:
                continue
            held = _locked(folder)
            if held is None:
                if of_target:
                    raise _in_use(target)
                continue
            _put_back(folder)
            _remove(folder, held)


def _is_of_another_form(folder: Path) -> bool:
    """Whether what a folder keeps was written by a version that does it otherwise."""
    with contextlib.suppress(FileNotFoundError):
        said = json.loads((folder / "job").read_text(encoding="utf-8"))
        return bool(said.get("form") != WORK_FORM)
    return False


def _locked(folder: Path) -> int | None:
    """A descriptor that holds the lock of a folder; None if another process does."""
    path = folder / "lock"
    flags = os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(path, flags, 0o600)
    if lock(descriptor):
        with contextlib.suppress(FileNotFoundError):  # removed by who had the lock
            if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                return descriptor
    os.close(descriptor)
    return None


def _put_back(folder: Path) -> None:
    """Give a target back what it held, if a kill came while it was swapped."""
    aside = folder / REPLACED
    with contextlib.suppress(OSError, ValueError, KeyError):
        if aside.exists():
            said = json.loads((folder / "job").read_text(encoding="utf-8"))
            target = folder.with_name(said["target"])
            if not target.exists():
                os.rename(aside, target)


def _remove(folder: Path, held: int | None) -> None:
    """Remove a folder, under another name: nobody writes into it meanwhile.

    Its lock is given up last, but first where an open file would keep the folder.
    """
    with contextlib.ExitStack() as stack:
        if held is not None:
            stack.callback(os.close, held)
        if not POSIX:
            stack.close()
        _move_and_remove(folder)


def _move_and_remove(folder: Path) -> None:
    stem = folder.name.rpartition("-")[0]
    gone = folder.with_name(f"{stem}-{secrets.token_hex(8)}")
    with contextlib.suppress(FileNotFoundError):
        os.rename(folder, gone)
        shutil.rmtree(gone)


def _is_own(folder: Path) -> bool:
    """Whether a folder is this user's and nobody else's."""
    with contextlib.suppress(OSError):
        found = os.lstat(folder)
        private = not found.st_mode & 0o077 or not POSIX  # the folder above says it
        mine = is_of_this_user(found)
        return stat.S_ISDIR(found.st_mode) and mine and private
    return False


def _check_own(folder: Path) -> None:
    if not _is_own(folder):
        raise PermissionError(
            f"{folder} is there, and others than you can read or write it. Remove it."
        )


def read_own(path: Path) -> bytes:
    """What a file holds that this user has written.

    Who may write to the folder above may have put another folder in the place of the
    one that was looked at.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(descriptor, "rb") as file:
        if not is_of_this_user(os.fstat(descriptor)):
            raise PermissionError(f"{path} was written by somebody else. Remove it.")
        return file.read()


def _created(path: Path) -> int:
    """Descriptor of a new file that nobody else can read."""
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)


def _write(path: Path, content: bytes) -> None:
    """A small file, whole or not at all."""
    begun = path.with_name(path.name + ".begun")
    begun.unlink(missing_ok=True)
    with os.fdopen(_created(begun), "wb") as file:
        file.write(content)
    os.replace(begun, path)


def signatures(files: Iterable[Path]) -> list[tuple[str, int, int]]:
    """What tells that a file is still the same: place, size and time of change."""
    found = []
    for file in files:
        at = file.stat()
        found.append((str(file.absolute()), at.st_size, at.st_mtime_ns))
    return found
