"""Files of delimited text as parts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from microcell.engines._part import Part, check_columns, loaded
from microcell.exceptions import InputError
from microcell.io import (
    UNSEEN,
    Dialect,
    compression_of,
    detected_dialect,
    read_blocks,
    read_header,
)

UNPACKED = 4  # bytes of text for one that is compressed, at a guess


class TextParts:
    """Files of delimited text with the same header.

    Their records are counted, and their quotes looked at, when they are first read.
    """

    as_text = True

    def __init__(
        self,
        files: Sequence[Path],
        columns: Sequence[str],
        dialects: Sequence[Dialect],
        notices: tuple[str, ...],
        part_bytes: int,
    ) -> None:
        self.files = files
        self.schema: Mapping[str, Any] = {name: pl.String() for name in columns}
        self.n_records: int | None = None
        self.dialects = dialects
        self.notices = notices
        self._part_bytes = part_bytes
        self._checked: set[Path] = set()

    def values_bytes(self, columns: Sequence[str]) -> int:
        """About how many bytes the values of some columns take in memory."""
        size = sum(
            file.stat().st_size * (UNPACKED if compression_of(file) else 1)
            for file in self.files
        )
        return int(size * len(columns) / len(self.schema))

    def read(
        self, columns: Sequence[str], skip: Collection[int] = ()
    ) -> Iterator[Part]:
        """Parts with some columns, without those whose index is in `skip`."""
        index = first = 0
        for file, dialect in zip(self.files, self.dialects, strict=True):
            for frame in read_blocks(
                file,
                file,
                dialect,
                columns,
                self._part_bytes,
                checked=file in self._checked,
            ):
                if index not in skip:
                    yield Part(index, first, frame.height, loaded(frame))
                index, first = index + 1, first + frame.height
            self._checked.add(file)
        if first == 0:
            raise InputError(f"{self.files[0]} has a header but no records.")
        self.n_records = first


def text_parts(
    files: Sequence[Path], dialect: Dialect, own_delimiter: str, part_bytes: int
) -> TextParts:
    """Files of text, whose headers must be the same."""
    dialects: list[Dialect] = []
    columns: list[str] = []
    for file in files:
        detected = detected_dialect(file, file, dialect, own_delimiter)
        delimiter, encoding = str(detected.delimiter), str(detected.encoding)
        header = read_header(file, file, delimiter, encoding)
        dialects.append(detected)
        columns = columns or header
        check_columns(header, columns, file, files[0])
    notices = _noticed(dialects, dialect, own_delimiter)
    return TextParts(files, columns, dialects, notices, part_bytes)


def _noticed(
    dialects: Sequence[Dialect], given: Dialect, own_delimiter: str
) -> tuple[str, ...]:
    """What was found out about files of text."""
    notices = []
    marks = sorted({str(dialect.delimiter) for dialect in dialects} - {own_delimiter})
    if given.delimiter is None:
        notices += [
            f"fields of the table are separated by {UNSEEN.get(mark, repr(mark))}, as "
            "it seems"
            for mark in marks
        ]
    if given.encoding is None:
        names = sorted({str(dialect.encoding) for dialect in dialects} - {"utf-8"})
        notices += [f"the table is text in {name}, as it seems" for name in names]
    return tuple(notices)
