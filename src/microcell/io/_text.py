"""CSV and tab-separated text, read strictly and to the letter.

Three readers have a part: Arrow's reads, because it refuses records with too few or
too many fields (polars fills them up); the standard library's counts again where there
are quotes, because it alone refuses one that does not close; polars, which holds all
tables, writes.
"""

from __future__ import annotations

import codecs
import csv
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.csv

from microcell.exceptions import InputError, Option
from microcell.io._format import Dialect, Format
from microcell.io._header import check_names_columns, check_repeated
from microcell.io._layouts import Layout, as_text

BLOCK, LARGEST_BLOCK = 1 << 20, (1 << 31) - 1  # bytes read at a time
SNIFFED = 1 << 16  # bytes in which a file shows that it is not text
RAGGED = re.compile(r"Expected (\d+) columns, got (\d+)")


def read_text(
    path: str | Path, name: str | Path, dialect: Dialect, own_delimiter: str
) -> pl.DataFrame:
    """All columns as text, exactly as it stands in the file."""
    delimiter, encoding = _checked(dialect, own_delimiter)
    return _read_text(path, name, delimiter, encoding)


def text_columns(
    path: str | Path, name: str | Path, dialect: Dialect, own_delimiter: str
) -> list[str]:
    """Names of the columns, from the first line."""
    delimiter, encoding = _checked(dialect, own_delimiter)
    return _read_header(path, name, delimiter, encoding)


def write_text(
    frame: pl.DataFrame, path: str | Path, layouts: Mapping[str, Layout], delimiter: str
) -> None:
    """Write text; numbers and moments in the layouts they were read in."""
    shown_text(frame, layouts).write_csv(path, separator=delimiter)


def shown_text(frame: pl.DataFrame, layouts: Mapping[str, Layout]) -> pl.DataFrame:
    """Values in their layouts; an empty text and a missing value look the same."""
    frame = as_text(frame, layouts)
    return frame.with_columns(pl.col(pl.String).replace("", None))


def no_text(frame: pl.DataFrame) -> dict[str, str]:
    """Columns whose values have no text."""
    kinds = (pl.Binary, pl.Duration, pl.Object)
    return {
        name: "lists, structures, bytes or durations"
        for name, dtype in frame.schema.items()
        if dtype.is_nested() or dtype in kinds
    }


def _checked(dialect: Dialect, own_delimiter: str) -> tuple[str, str]:
    """Delimiter and encoding, the format's own where none is given."""
    delimiter = own_delimiter if dialect.delimiter is None else dialect.delimiter
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0':
        raise InputError(
            "The delimiter must be one character of ASCII, and neither a quote nor a "
            f"line break. Got {delimiter!r}.",
            option="delimiter",
        )
    return delimiter, _text_encoding(
        "utf-8" if dialect.encoding is None else dialect.encoding
    )


def _read_text(
    path: str | Path, name: str | Path, delimiter: str, encoding: str
) -> pl.DataFrame:
    header = _read_header(path, name, delimiter, encoding)
    try:
        table = _read_csv(path, header, delimiter, encoding)
    except (pa.ArrowInvalid, UnicodeError) as error:
        raise _reading_error(error, path, name, delimiter, encoding) from None
    if table.column_names != header or set(table.schema.types) != {pa.large_string()}:
        raise InputError(
            f"{name}, line 1: the {len(header)} column names can be read in two ways. "
            "Write them without quotes and line breaks."
        )
    _check_quotes(path, name, delimiter, encoding, table.num_rows)
    frame = pl.DataFrame(table)
    del table
    pa.default_memory_pool().release_unused()  # the text was copied
    return frame


def _text_encoding(encoding: str) -> str:
    """The plain name of an encoding of text; Python also has codecs of other things."""
    try:
        name = codecs.lookup(encoding).name
        "a".encode(name)
    except (LookupError, ValueError):  # of which UnicodeError is one
        raise InputError(
            f"There is no text encoding {encoding!r}.",
            option="encoding",
            hint="Name one, for example utf-8, cp1252 or utf-16.",
        ) from None
    return name


def _read_csv(
    path: str | Path, header: list[str], delimiter: str, encoding: str
) -> pa.Table:
    """All fields as text; a record longer than a block needs larger blocks."""
    size = os.path.getsize(path)
    for block in (BLOCK, min(size, LARGEST_BLOCK)):
        try:
            return pyarrow.csv.read_csv(
                str(path),
                read_options=pyarrow.csv.ReadOptions(
                    block_size=block,
                    encoding=encoding.removesuffix("-sig"),  # it skips a mark itself
                ),
                parse_options=pyarrow.csv.ParseOptions(
                    delimiter=delimiter,
                    newlines_in_values=True,
                    ignore_empty_lines=len(header) > 1,
                ),
                convert_options=pyarrow.csv.ConvertOptions(
                    column_types=dict.fromkeys(header, pa.large_string())
                ),
            )
        except pa.ArrowInvalid as error:
            short = "straddl" in str(error) or "Empty CSV file or block" in str(error)
            if not short or size <= block:
                raise
    raise pa.ArrowInvalid("a record is longer than 2 GB")


def _reading_error(
    error: Exception, path: str | Path, name: str | Path, delimiter: str, encoding: str
) -> InputError:
    """What is wrong with a text file, without quoting a record."""
    ragged = RAGGED.search(str(error))
    if ragged:
        expected, found = map(int, ragged.groups())
        line = _ragged_line(path, delimiter, encoding, expected)
        return InputError(
            f"{name}, line {line}: {found} field(s), but the header has {expected}.",
            option="delimiter",
            hint=["Correct the line, or name another ", Option("delimiter"), "."],
        )
    if isinstance(error, UnicodeError) or "UTF8" in str(error):
        return InputError(
            f"{name} is not text in {encoding}.",
            option="encoding",
            hint=[
                "Name its ",
                Option("encoding"),
                ", for example cp1252, or export it as UTF-8.",
            ],
        )
    return InputError(
        f"{name} cannot be read as text in {encoding} with fields separated by "
        f"{delimiter!r} ({str(error).split(':')[0]})."
    )


def _check_quotes(
    path: str | Path, name: str | Path, delimiter: str, encoding: str, n_records: int
) -> None:
    """Refuse quotes that do not close: they would swallow the records after them.

    The fast reader lets them pass, so a file that has quotes is read a second time,
    strictly, and the records are counted.
    """
    with open(path, "rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as text:
        quoted = text.find('"'.encode(encoding.removesuffix("-sig"))[-1:]) >= 0
    if not quoted:
        return
    with _records_of(path, delimiter, encoding) as reader:
        try:
            counted = sum(1 for record in reader if record) - 1
        except csv.Error as error:
            raise InputError(
                f"{name}, line {reader.line_num}: a quote does not close, or text "
                f"follows it ({error}). Correct the record at or before that line."
            ) from None
    if counted != n_records and n_records > 0:
        raise InputError(
            f"{name} has {counted} record(s) if quotes are read strictly, and "
            f"{n_records} if not. Correct its quotes."
        )


@contextmanager
def _records_of(path: str | Path, delimiter: str, encoding: str) -> Iterator[Any]:
    """The standard library's reader: slower, strict, and it knows its line."""
    limit = csv.field_size_limit(2**31 - 1)
    try:
        with open(path, encoding=_marked(encoding), newline="") as text:
            yield csv.reader(text, delimiter=delimiter, strict=True)
    finally:
        csv.field_size_limit(limit)


def _marked(encoding: str) -> str:
    """The encoding that skips a byte order mark if there is one."""
    return "utf-8-sig" if encoding in ("utf-8", "utf-8-sig") else encoding


def _read_header(
    path: str | Path, name: str | Path, delimiter: str, encoding: str
) -> list[str]:
    with open(path, "rb") as file:
        wide = encoding.startswith(("utf-16", "utf-32"))
        if b"\0" in file.read(SNIFFED) and not wide:
            raise InputError(f"{name} is not text, so it is not a CSV file.")
    try:
        with _records_of(path, delimiter, encoding) as reader:
            header: list[str] = next(reader, [])
    except UnicodeError as error:
        raise _reading_error(error, path, name, delimiter, encoding) from None
    except csv.Error as error:
        raise InputError(
            f"{name} cannot be read as fields separated by {delimiter!r}: {error}."
        ) from None
    if not any(header):
        raise InputError(f"{name} has no header: its first line is empty.")
    check_repeated(header, name)
    others = [mark for mark in ";\t|," if mark != delimiter and mark in header[0]]
    if len(header) == 1 and others:
        raise InputError(
            f"{name} has one column if fields are separated by {delimiter!r}, but its "
            f"header holds {others[0]!r}.",
            option="delimiter",
            hint=["Name the ", Option("delimiter"), "."],
        )
    return header


def _ragged_line(path: str | Path, delimiter: str, encoding: str, expected: int) -> int:
    """Line of the first record with another number of fields; a slow second look."""
    with _records_of(path, delimiter, encoding) as reader:
        try:
            for record in reader:
                if record and len(record) != expected:
                    break
        except csv.Error:
            pass  # a quote that does not close, at or before this line
        return int(reader.line_num)


def _format(name: str, suffix: str, delimiter: str) -> Format:
    return Format(
        name=name,
        suffixes=(suffix,),
        typed=False,
        read=partial(read_text, own_delimiter=delimiter),
        columns=partial(text_columns, own_delimiter=delimiter),
        write=partial(write_text, delimiter=delimiter),
        shown=shown_text,
        cannot_hold=no_text,
        check=check_names_columns,
    )


CSV = _format("CSV", ".csv", ",")
TSV = _format("TSV", ".tsv", "\t")
