"""Files of masked shards: written, read back, and put together for the release."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from microcell.exceptions import InputError
from microcell.io import (
    COMPRESSIONS,
    PARQUET,
    TEXTS,
    Dialect,
    Format,
    check_read_back,
    create_bytes,
    format_of,
    open_bytes,
    read_source,
    write_table,
)

BYTES_COPIED = 1 << 20  # at a time

Layouts = Mapping[str, Any]


class ShardFiles(Protocol):
    """How shards are written.

    Attributes
    ----------
    suffix : str
        Ending of a shard's file.
    """

    suffix: str

    def write(self, frame: pl.DataFrame, path: Path, layouts: Layouts) -> None:
        """Write a shard."""

    def read_back(
        self, frame: pl.DataFrame, path: Path, layouts: Layouts
    ) -> pl.DataFrame:
        """What a file of `frame` holds, after comparing both value by value."""

    def read(self, path: Path) -> pl.DataFrame:
        """What a file holds."""


def shard_files(
    output: str | Path, dialect: Dialect, source_delimiter: str | None = None
) -> ShardFiles:
    """How a release is written that goes to `output`: a folder, or a file of text.

    Examples
    --------
    >>> shard_files("release", Dialect()).suffix, shard_files("r.csv", Dialect()).suffix
    ('.parquet', '.csv')
    """
    if not Path(output).suffix or format_of(output) is PARQUET:
        PARQUET.refuse_foreign(output, dialect)
        return ParquetFiles()
    format = format_of(output)
    if format not in TEXTS:
        raise InputError(
            f"{Path(output).name!r} is a file of {format.name}, which is written as a "
            "whole.",
            option="output",
            hint="Name a folder, for files of Parquet, or a .csv file.",
        )
    after = format.delimiter_after(source_delimiter)
    return TextFiles(format, dialect._replace(delimiter=dialect.delimiter or after))


class ParquetFiles:
    """Parquet files, which together are the release."""

    suffix = ".parquet"

    def write(self, frame: pl.DataFrame, path: Path, layouts: Layouts) -> None:
        """Write a shard."""
        frame.write_parquet(path, compression="zstd")

    def read_back(
        self, frame: pl.DataFrame, path: Path, layouts: Layouts
    ) -> pl.DataFrame:
        """What a file of `frame` holds, after comparing both value by value."""
        back = read_source(path, format=PARQUET, own=True)
        check_read_back(frame, {}, PARQUET, back, path, path.name)
        return back.frame

    def read(self, path: Path) -> pl.DataFrame:
        """What a file holds."""
        return read_source(path, format=PARQUET, own=True).frame


class TextFiles:
    """Files of text with a header each, which become one."""

    def __init__(self, format: Format, dialect: Dialect) -> None:
        self.suffix = "." + format.suffixes[0].split(".")[1]  # not that of .csv.gz
        self.plain = format_of(f"shard{self.suffix}")
        self.dialect: dict[str, str] = {
            "delimiter": str(dialect.delimiter),  # the caller says it
            "encoding": dialect.encoding or "utf-8",
        }
        encoding = self.dialect["encoding"]
        if "aa".encode(encoding) != 2 * "a".encode(encoding):
            raise InputError(
                f"Text in {encoding} begins with a mark, so that files "
                "cannot be put together.",
                option="output_encoding",
                hint="Name another, for example utf-8.",
            )

    def write(self, frame: pl.DataFrame, path: Path, layouts: Layouts) -> None:
        """Write a shard."""
        write_table(frame, path, format=self.plain, layouts=layouts, **self.dialect)

    def read_back(
        self, frame: pl.DataFrame, path: Path, layouts: Layouts
    ) -> pl.DataFrame:
        """What a file of `frame` holds, after comparing both value by value."""
        back = read_source(path, format=self.plain, own=True, **self.dialect)
        check_read_back(frame, layouts, self.plain, back, path, path.name)
        return back.frame

    def read(self, path: Path) -> pl.DataFrame:
        """What a file holds."""
        return read_source(path, format=self.plain, own=True, **self.dialect).frame


def append_texts(files: Sequence[Path], target: str, name: str | Path) -> None:
    """Put files of text into one, under one header.

    The hash of what the new file holds is compared with that of what was read from the
    others, so that what was found in them holds for it.

    Parameters
    ----------
    files : sequence of Path
        Files with the same header.
    target : str
        Where to write.
    name : path
        What the file is to be called: its suffix says whether it is compressed.
    """
    header = _header(files[0])
    hashed = hashlib.sha256()
    with create_bytes(target, COMPRESSIONS.get(Path(name).suffix.lower())) as sink:
        for place, file in enumerate(files):
            with open(file, "rb") as source:
                if place and source.read(len(header)) != header:
                    raise InputError(f"{file.name} has another header than the first.")
                while block := source.read(BYTES_COPIED):
                    hashed.update(block)
                    sink.write(block)
    if _hash_of_content(target) != hashed.hexdigest():
        raise OSError(f"{name} does not hold what was written to it.")


def _header(file: Path) -> bytes:
    """The first record of a file, which may have line breaks in quotes."""
    header = b""
    with open(file, "rb") as source:
        while not header or header.count(b'"') % 2:
            line = source.readline()
            if not line:
                break
            header += line
    return header


def _hash_of_content(path: str) -> str:
    """SHA-256 of what a file holds, decompressed."""
    hashed = hashlib.sha256()
    with open_bytes(path) as source:
        while block := source.read(BYTES_COPIED):
            hashed.update(block)
    return hashed.hexdigest()


def modes_of_new(folder: Path) -> tuple[int, int]:
    """Modes that a new folder and a new file have for this user."""
    probe = folder / "modes"
    os.mkdir(probe)
    mode = probe.stat().st_mode & 0o777
    os.rmdir(probe)
    return mode, mode & 0o666
