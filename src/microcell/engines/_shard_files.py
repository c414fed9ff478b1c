"""Files of masked shards: written, read back, and put together for the release."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


@dataclass(frozen=True)
class ShardFiles:
    """How shards are written: files of Parquet, or of text with a header each.

    Attributes
    ----------
    format : Format
        Parquet files are together the release; those of text become one.
    suffix : str
        Ending of a shard's file.
    dialect : dict
        Delimiter and encoding of text.
    """

    format: Format
    suffix: str
    dialect: Mapping[str, str] = field(default_factory=dict)

    def write(self, frame: pl.DataFrame, path: Path, layouts: Layouts) -> None:
        """Write a shard."""
        known = {} if self.format.typed else layouts
        write_table(frame, path, format=self.format, layouts=known, **self.dialect)

    def read_back(
        self, frame: pl.DataFrame, path: Path, layouts: Layouts
    ) -> pl.DataFrame:
        """What a file of `frame` holds, after comparing both value by value."""
        known = {} if self.format.typed else layouts
        back = read_source(path, format=self.format, own=True, **self.dialect)
        check_read_back(frame, known, self.format, back, path, path.name)
        return back.frame


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
        return ShardFiles(PARQUET, ".parquet")
    format = format_of(output)
    if format not in TEXTS:
        raise InputError(
            f"{Path(output).name!r} is a file of {format.name}, which is written as a "
            "whole.",
            option="output",
            hint="Name a folder, for files of Parquet, or a .csv file.",
        )
    encoding = dialect.encoding or "utf-8"
    if "aa".encode(encoding) != 2 * "a".encode(encoding):
        raise InputError(
            f"Text in {encoding} begins with a mark, so that files cannot be put "
            "together.",
            option="output_encoding",
            hint="Name another, for example utf-8.",
        )
    delimiter = dialect.delimiter or format.delimiter_after(source_delimiter)
    suffix = "." + format.suffixes[0].split(".")[1]  # not that of .csv.gz
    plain = format_of(f"shard{suffix}")
    return ShardFiles(plain, suffix, {"delimiter": delimiter, "encoding": encoding})


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
