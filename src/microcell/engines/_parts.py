"""A table in a file or a folder, as parts that can be read again and again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from microcell.engines._parquet_parts import parquet_parts
from microcell.engines._part import Parts
from microcell.engines._text_parts import text_parts
from microcell.exceptions import InputError
from microcell.io import PARQUET, TEXTS, Dialect, Format, format_of, refuse_logged
from microcell.release import source_format

PART_BYTES = 48 << 20  # of values in a part, about a million records of five numbers
HIDDEN = (".", "_")  # how names begin that are no part of a table


def open_parts(
    path: str | Path,
    *,
    format: str | None = None,
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
    format : str, optional
        What the files are if their suffixes do not say it, as "csv".
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
    files = _files(Path(path))
    found = _format_of_all(files, format)
    dialect = Dialect(delimiter, encoding)
    found.refuse_foreign(path, dialect)
    if found is PARQUET:
        refuse_logged(path)
        return parquet_parts(files, part_bytes)
    return text_parts(files, dialect, found.delimiter, part_bytes)


def _files(path: Path) -> list[Path]:
    """The files of a table, in the order of their names."""
    if "\0" in str(path):
        raise InputError(f"A path holds no NUL character. Got {str(path)!r}.")
    if not path.exists():
        raise FileNotFoundError(f"There is no file or folder {path}.")
    if path.is_dir():
        refuse_logged(path)
    files = sorted(_visible(path)) if path.is_dir() else [path]
    if not files:
        raise InputError(f"The folder {path} holds no files of a table.")
    for file in files:
        if not file.is_file():
            raise InputError(f"{file} is not a file. Leave it out.")
        if file.stat().st_size == 0:
            raise InputError(f"{file} is empty.")
    return files


def _format_of_all(files: list[Path], named: str | None) -> Format:
    """What all files are, if they can be read in parts."""
    formats = [source_format(file, named) or format_of(file) for file in files]
    if formats[0] not in (PARQUET, *TEXTS):
        raise InputError(
            f"{files[0]} is a file of {formats[0].name}, which is read as a whole.",
            option="engine",
            hint="Write it as Parquet or CSV to read it in parts.",
        )
    for file, format in zip(files, formats, strict=True):
        if format is not formats[0]:
            raise InputError(
                f"The folder {file.parent} holds {files[0].name}, a file of "
                f"{formats[0].name}, and {file.name}, which is none. Name a folder of "
                "one table."
            )
    return formats[0]


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
                refuse_logged(entry.path)
                yield from _visible(Path(entry.path))
