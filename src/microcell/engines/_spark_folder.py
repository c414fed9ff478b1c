"""Folders that workers write together and that appear whole, or not at all.

Spark writes beside the target, under a name that says what it is; what is there is
read back and verified, and only then gets its name.
"""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path
from urllib.parse import urlsplit

from pyarrow import fs

from microcell import _progress
from microcell.engines._spark import OnSpark, errors_of_workers
from microcell.exceptions import InputError, Option, OutputExistsError
from microcell.release import Release

RENAMED = ("", "file", "hdfs", "viewfs")  # stores in which a folder can be renamed


class StagedFolder:
    """A folder beside the target, until it is published.

    It joins an `Outbox`: files appear with it, and no signal comes between.

    Parameters
    ----------
    target : path
        A folder, or the address of one as in ``"hdfs://host/folder"``.
    overwrite : bool, default=False
        Whether a folder that exists may be replaced.

    Attributes
    ----------
    name : str
        The target.
    address : str
        Where to write.

    Examples
    --------
    >>> import tempfile
    >>> parent = Path(tempfile.mkdtemp())
    >>> with StagedFolder(parent / "release") as staged:
    ...     Path(staged.address).mkdir()
    ...     _ = Path(staged.address, "part-0").write_text("whole")
    ...     before = (parent / "release").exists()
    ...     staged.publish()
    >>> before, [path.name for path in parent.rglob("*")]
    (False, ['release', 'part-0'])
    """

    def __init__(self, target: str | Path, overwrite: bool = False) -> None:
        self.name = str(target).rstrip("/")
        self.overwrite = overwrite
        self._store, self._path = store_of(self.name)
        mark = secrets.token_hex(4)
        self._staged = f"{self._path}.unverified-{mark}"
        self._replaced = f"{self._path}.replaced-{mark}"
        self.address = f"{self.name}.unverified-{mark}"
        if self._is_there(self._path) and not overwrite:
            raise _exists(self.name)

    def __enter__(self) -> StagedFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def publish(self) -> None:
        """Give the folder its name; what had it before is removed after that."""
        there = self._is_there(self._path)
        if there and not self.overwrite:
            raise _exists(self.name)
        if there:
            self._store.move(self._path, self._replaced)
        try:
            self._store.move(self._staged, self._path)
        except BaseException:
            if there:
                self._store.move(self._replaced, self._path)
            raise
        if there:
            self._remove(self._replaced)

    def close(self) -> None:
        """Remove what was not published."""
        self._remove(self._staged)

    def _is_there(self, path: str) -> bool:
        return self._store.get_file_info(path).type != fs.FileType.NotFound

    def _remove(self, path: str) -> None:
        found = self._store.get_file_info(path).type
        if found == fs.FileType.File:
            self._store.delete_file(path)
        elif found == fs.FileType.Directory:
            with contextlib.suppress(FileNotFoundError):
                self._store.delete_dir(path)


def store_of(address: str) -> tuple[fs.FileSystem, str]:
    """The store of a folder and its path in it.

    Examples
    --------
    >>> store_of("/data/release")
    (<pyarrow._fs.LocalFileSystem object at ...>, '/data/release')
    >>> store_of("s3://bucket/release")
    Traceback (most recent call last):
    ...
    microcell.exceptions.InputError: 's3' has no folders that can be renamed, so a
    release would be seen there before it is verified. ...
    """
    scheme = urlsplit(address).scheme
    if scheme not in RENAMED:
        raise InputError(
            f"{scheme!r} has no folders that can be renamed, so a release would be "
            "seen there before it is verified.",
            option="output",
            hint="Write it to hdfs:// or a folder first and copy it, or write "
            "Release.table yourself.",
        )
    if scheme:
        return fs.FileSystem.from_uri(address)
    return fs.LocalFileSystem(), str(Path(address).absolute())


def written(kept: OnSpark, staged: StagedFolder) -> Release:
    """Write what Spark keeps, and count what was written; Spark forgets it then."""
    try:
        _progress.report(0, None, "writing")
        with errors_of_workers():
            kept.table.write.parquet(staged.address)
        back = kept.kept.sparkSession.read.parquet(staged.address)
        if back.schema != kept.table.schema:
            raise RuntimeError(
                f"Columns were written as {kept.table.schema.simpleString()} and read "
                f"back as {back.schema.simpleString()}. Nothing is published."
            )
        return kept.release(back)
    finally:
        kept.free()


def _exists(name: str) -> OutputExistsError:
    return OutputExistsError(
        f"{name} exists.",
        option="overwrite",
        hint=[
            "Choose another name, or overwrite it with ",
            Option("overwrite", True),
            ".",
        ],
    )
