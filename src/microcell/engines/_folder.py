"""A folder of Parquet files that appears whole or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from microcell.engines._shard_files import modes_of_new
from microcell.engines._work import Work, sync
from microcell.exceptions import InputError
from microcell.io import check_target, exists_already

PART_NAME = re.compile(r"part-\d{5,}\.parquet")


def part_name(place: int) -> str:
    """What a file of a release is called.

    Examples
    --------
    >>> part_name(7)
    'part-00007.parquet'
    """
    return f"part-{place:05d}.parquet"


def check_folder(path: str | Path, overwrite: bool) -> Path:
    """The real path of a folder to be released, after checking that it can be.

    What is to be replaced must be a release: a folder of other things is kept.
    """
    try:
        return check_target(path, overwrite)
    except IsADirectoryError:
        target = Path(os.path.realpath(path))
    if not os.access(target.parent, os.W_OK):
        raise PermissionError(
            f"The folder {target.parent} cannot be written to. Choose another."
        )
    if not overwrite:
        raise exists_already(target)
    foreign = [name for name in os.listdir(target) if not PART_NAME.fullmatch(name)]
    if foreign:
        raise InputError(
            f"{target} holds other things than a release ({foreign[0]!r}), so it is "
            "not overwritten.",
            option="output",
            hint="Choose another name, or remove it.",
        )
    return target


class StagedFolder:
    """Files of a folder that is published by one rename; joins an `Outbox`."""

    def __init__(self, work: Work, files: Sequence[Path], overwrite: bool) -> None:
        self.name = str(work.target)
        self._work = work
        self._overwrite = overwrite
        self._made = work.folder("release")
        for old in self._made.iterdir():  # of a killed run
            old.unlink()
        for place, file in enumerate(files):
            try:
                os.link(file, self._made / part_name(place))
            except OSError:  # a file system without links
                os.rename(file, self._made / part_name(place))

    def publish(self) -> None:
        """Let everybody see it."""
        if self._work.target.exists() and not self._overwrite:  # since the start
            raise exists_already(self._work.target)
        of_folder, of_file = modes_of_new(self._work.path)
        for file in self._made.iterdir():
            os.chmod(file, of_file)
            sync(file)
        os.chmod(self._made, of_folder)
        sync(self._made)
        self._work.publish_folder(self._made)

    def close(self) -> None:
        """What was not published goes with the work folder."""
