"""A table in a file or a folder, as parts that can be read again and again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from microcell.backend._parquet_parts import parquet_parts
from microcell.backend._part import Parts
from microcell.backend._text_parts import text_parts
from microcell.exceptions import InputError
from microcell.io import Dialect, Format, format_of
from microcell.io._parquet import PARQUET
from microcell.io._text import TEXTS

PART_BYTES = 48 << 20  # of values in a part, about a million records of five numbers
HIDDEN = (".", "_")  # how names begin that are no part of a table


def open_parts(
    path: str | Path,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    part_bytes: int = PART_BYTES,
) -> Parts:
    """A table in a file, or in all files of a folder, of Parquet or text.

    Files whose names begin with a dot or an underscore are no part of the table.

    Parameters
    ----------
    path : path
        The file or folder.
    delimiter, encoding : str, optional
        Dialect of text; found out by default.
    part_bytes : int
        About how many bytes of values a part holds.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.csv").write_text("age,sex\\n31,f\\n")
    >>> _ = (folder / "b.csv").write_text("age,sex\\n40,m\\n52,f\\n")
    >>> [(p.first, p.load()["age"].to_list()) for p in open_parts(folder).read(["age"])]
    [(0, ['31']), (1, ['40', '52'])]
    """
    files, format = _files(Path(path))
    dialect = Dialect(delimiter, encoding)
    format.refuse_foreign(path, dialect)
    if format is PARQUET:
        return parquet_parts(files, part_bytes)
    return text_parts(files, dialect, part_bytes)


def _files(path: Path) -> tuple[list[Path], Format]:
    """The files of a table in the order of their names, and what they all are."""
    if "\0" in str(path):
        raise InputError(f"A path holds no NUL character. Got {str(path)!r}.")
    if not path.exists():
        raise FileNotFoundError(f"There is no file or folder {path}.")
    files = sorted(_visible(path)) if path.is_dir() else [path]
    if not files:
        raise InputError(f"The folder {path} holds no files of a table.")
    for file in files:
        if not file.is_file():
            raise InputError(f"{file} is not a file. Leave it out.")
        if file.stat().st_size == 0:
            raise InputError(f"{file} is empty.")
    format = format_of(files[0])
    if format not in (PARQUET, *TEXTS):
        raise InputError(
            f"{files[0]} is a file of {format.name}, which is read as a whole.",
            option="engine",
            hint="Write it as Parquet or CSV to read it in parts.",
        )
    for file in files:
        if format_of(file) is not format:
            raise InputError(
                f"The folder {path} holds {files[0].name}, a file of {format.name}, "
                f"and {file.name}, which is none. Name a folder of one table."
            )
    return files, format


def _visible(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(HIDDEN):
                continue
            if not entry.is_dir():
                yield Path(entry.path)
            elif "=" in entry.name:
                raise InputError(
                    f"{entry.path} holds a column in the name of a folder.",
                    hint="Write the table without partitions, with all columns.",
                )
            else:
                yield from _visible(Path(entry.path))
