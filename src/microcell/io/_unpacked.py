"""Files that unpack to far more than they are: refused before a reader gets them.

Deflate makes a thousand bytes of one, Zstandard far more, and what a file says of its
own size can be wrong: so bytes are counted as they are unpacked. What fits easily into
memory is harmless, whatever the ratio; honest tables beyond that are allowed by it.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from microcell._bytes import in_words
from microcell._memory import available_memory
from microcell.exceptions import InputError

HARMLESS_BYTES = 64 << 20  # bytes that may be unpacked whatever they come from
MAX_HONEST_RATIO = 200  # of bytes to packed ones; tables have 5 to 50
SHARE_OF_MEMORY = 4  # one part of so many may be filled at any ratio
DEFLATE_RATIO = 1032  # no stream of deflate gives more
CHUNK = 1 << 20  # bytes that are counted at a time
CELL_BYTES = 32  # of a cell, also of an empty one
MAX_SHEET_ROWS = 1 << 20
SHEET_PART = re.compile(r"(^|/)worksheets/[^/]+\.xml$", re.IGNORECASE)
WIDE_COLUMN = re.compile(rb' r="([A-Z]{2,3})[0-9]')  # of a cell beyond column Z
ROW_OF_CELL = re.compile(rb' r="[A-Z]{1,3}([0-9]{1,7})"')
MAX_REFERENCE_BYTES = 16  # bytes of what these match


def most_unpacked(packed: int) -> int:
    """Bytes that a file of so many may unpack to.

    Examples
    --------
    >>> most_unpacked(10**12) == MAX_HONEST_RATIO * 10**12
    True
    """
    return max(
        HARMLESS_BYTES, available_memory() // SHARE_OF_MEMORY, MAX_HONEST_RATIO * packed
    )


class Counted(io.RawIOBase):
    """A stream of unpacked bytes that ends in an error where there are too many.

    Parameters
    ----------
    stream : file
        Gives unpacked bytes.
    path : path
        The packed file.
    whole : bool, default=False
        Whether all of it is to be in memory at once.
    """

    def __init__(self, stream: Any, path: str | Path, whole: bool = False) -> None:
        self._stream, self._path = stream, Path(path)
        self._packed = self._path.stat().st_size
        self._most = most_unpacked(self._packed)
        if whole:
            self._most = min(self._most, max(HARMLESS_BYTES, available_memory()))
        self._count = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        """As of any file; a file that is read at once is counted by chunks."""
        if size is None or size < 0:
            return b"".join(iter(lambda: self.read(CHUNK), b""))
        data: bytes = self._stream.read(size)
        self._count += len(data)
        if self._count > self._most:
            raise too_much(
                self._path.name,
                self._packed,
                self._most,
                "Unpack it yourself, if you trust it, and give the unpacked file.",
            )
        return data

    def readinto(self, buffer: Any) -> int:
        """As of any file."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the stream behind it too."""
        if not self.closed:
            self._stream.close()
        super().close()


def check_workbook(path: str | Path, name: str | Path) -> None:
    """Refuse a workbook that would fill the memory; nothing is kept of it.

    Its directory says how large its parts are. Sheets are unpacked and counted, because
    it can be wrong, and other parts where they could be too large. A cell far from all
    others is an error too: readers make room for all cells between.

    Parameters
    ----------
    path : path
        Any file; what is no zip archive is left to its reader.
    name : path
        What it is called in errors.
    """
    packed = Path(path).stat().st_size
    memory = max(HARMLESS_BYTES, available_memory())
    most = min(most_unpacked(packed), memory)
    error = too_much(
        name, packed, most, "Save the table as a .csv file, if you trust it."
    )
    try:
        with zipfile.ZipFile(path) as archive, open(path, "rb") as file:
            parts = archive.infolist()
            if sum(part.file_size for part in parts) > most:
                raise error
            count = 0
            for part in parts:
                is_sheet = bool(SHEET_PART.search(part.filename))
                if (
                    not is_sheet
                    and DEFLATE_RATIO * part.compress_size <= HARMLESS_BYTES
                ):
                    continue
                widest = 0
                for chunk in _chunks(file, part):
                    count += len(chunk)
                    if count > most:
                        raise error
                    widest = max(widest, _widest(chunk)) if is_sheet else 0
                if widest * MAX_SHEET_ROWS * CELL_BYTES > memory // 2:
                    _check_area(file, part, name, memory // 2)
    except (zipfile.BadZipFile, zlib.error, struct.error, OSError):
        return  # whoever reads it says what is wrong


def too_much(name: str | Path, packed: int, most: int, hint: str) -> InputError:
    """The error for a file that unpacks to more than it may."""
    return InputError(
        f"{name} has {in_words(packed)} and unpacks to more than {in_words(most)}, "
        "which no table of its size does, or which the memory cannot hold.",
        hint=hint,
    )


def _chunks(file: Any, part: zipfile.ZipInfo) -> Iterator[bytes]:
    """The unpacked bytes of a part, all that there are, and not only those declared.

    Each begins with the end of the one before, so that what lies across is seen.
    """
    file.seek(part.header_offset)
    _, name, extra = struct.unpack("<26sHH", file.read(30))
    file.seek(name + extra, io.SEEK_CUR)
    left, before = part.compress_size, b""
    unpack = zlib.decompressobj(-zlib.MAX_WBITS)
    stored = part.compress_type == zipfile.ZIP_STORED
    while left > 0 and not unpack.eof:
        data = file.read(min(CHUNK, left))
        if not data:
            return
        left -= len(data)
        while data:
            chunk = data if stored else unpack.decompress(data, CHUNK)
            data = b"" if stored else unpack.unconsumed_tail
            yield before + chunk
            before = chunk[-MAX_REFERENCE_BYTES:]


def _widest(chunk: bytes) -> int:
    """The last column that cells are in; 26 of those up to Z."""
    return max(map(_column, {*WIDE_COLUMN.findall(chunk), b"Z"}))


def _column(letters: bytes) -> int:
    """The number of a column.

    Examples
    --------
    >>> _column(b"A"), _column(b"AA"), _column(b"XFD")
    (1, 27, 16384)
    """
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


def _check_area(file: Any, part: zipfile.ZipInfo, name: Any, room: int) -> None:
    """Refuse a sheet whose cells lie so far apart that a table of all is too large."""
    widest, last = 0, 0
    for chunk in _chunks(file, part):
        widest = max(widest, _widest(chunk))
        last = max(last, *map(int, {*ROW_OF_CELL.findall(chunk), b"0"}))
    if widest * last * CELL_BYTES > room:
        raise InputError(
            f"A sheet of {name} has cells up to row {last} and column {widest}, and "
            f"a table of that size takes more than {in_words(room)}.",
            hint="Delete what lies far from the table, or save it as a .csv file.",
        )
