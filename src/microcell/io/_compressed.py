"""Bytes of a file, compressed or not: gzip and Zstandard, read and written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from microcell.io._unpacked import CHUNK, Counted

MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}


def compression_of(path: str | Path) -> str | None:
    """How a file is compressed, by its first bytes; None if it is not.

    Examples
    --------
    >>> import gzip, tempfile
    >>> path = Path(tempfile.mkdtemp()) / "t.csv"
    >>> _ = path.write_bytes(gzip.compress(b"a,b"))
    >>> compression_of(path)
    'gzip'
    """
    with open(path, "rb") as file:
        start = file.read(4)
    return next((how for magic, how in MAGIC.items() if start.startswith(magic)), None)


def open_bytes(path: str | Path, *, whole: bool = False) -> Any:
    """A stream of a file's bytes, decompressed as they are read.

    One that gives far more than a table of its size, or, if the whole of it is to be
    in memory, more than that has room for, ends in an error.
    """
    how = compression_of(path)
    stream = pa.input_stream(str(path), compression=how)
    return stream if how is None else Counted(stream, path, whole)


def unpacked_size(path: str | Path, most: int) -> int:
    """Bytes that a file unpacks to, counted until they are more than `most`.

    What a compressed file says of its size can be wrong, so it is unpacked for this.

    Examples
    --------
    >>> import gzip, tempfile
    >>> path = Path(tempfile.mkdtemp()) / "t.csv.gz"
    >>> _ = path.write_bytes(gzip.compress(1000 * b"a,b"))
    >>> unpacked_size(path, 10**6)
    3000
    """
    how = compression_of(path)
    if how is None:
        return Path(path).stat().st_size
    count = 0
    with pa.input_stream(str(path), compression=how) as stream:
        while count <= most and (data := stream.read(CHUNK)):
            count += len(data)
    return count


def create_bytes(path: str | Path, compression: str | None) -> Any:
    """A stream that writes a file, compressing as it goes."""
    return pa.output_stream(str(path), compression=compression)
