"""CSV and other delimited text, read strictly and to the letter.

Three readers have a part: Arrow's reads, because it refuses records with too few or
too many fields (polars fills them up); the standard library's counts again where there
are quotes, because it alone refuses one that does not close; polars, which holds all
tables, writes.
"""

from __future__ import annotations

import codecs
import csv
import io
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

from microcell._memory import give_back
from microcell.exceptions import InputError, Option
from microcell.io._compressed import (
    COMPRESSIONS,
    compression_of,
    create_bytes,
    open_bytes,
)
from microcell.io._delimiter import detect_delimiter
from microcell.io._encoding import BLOCK, WIDE, detect_encoding, has_nul, is_utf8
from microcell.io._format import CODED, Dialect, Format, Source, no_text
from microcell.io._header import check_names_columns, check_repeated
from microcell.io._layouts import Layout, as_text

MAX_BLOCK_BYTES = (1 << 31) - 1  # bytes read at a time
WRITTEN_AT_ONCE = 100_000  # records that are encoded at a time
RAGGED = re.compile(r"Expected (\d+) columns, got (\d+)")
UTF8 = ("utf-8", "utf-8-sig")
UNSEEN = {"\t": "a tab"}  # delimiters that print as nothing


def read_text(
    path: str | Path, name: str | Path, dialect: Dialect, own_delimiter: str
) -> Source:
    """All columns as text, exactly as it stands in the file."""
    detected = detected_dialect(path, name, dialect, own_delimiter)
    delimiter, encoding = str(detected.delimiter), str(detected.encoding)
    frame = _read_text(path, name, delimiter, encoding)
    notices = []
    if dialect.delimiter is None and delimiter != own_delimiter:
        shown = UNSEEN.get(delimiter, repr(delimiter))
        notices.append(f"fields of the table are separated by {shown}, as it seems")
    if dialect.encoding is None and encoding != "utf-8":
        notices.append(f"the table is text in {encoding}, as it seems")
    if dialect.encoding is not None and _is_rather_utf8(path, encoding):
        notices.append(
            f"the table is read as text in {encoding}, as was said, but it seems to be "
            "text in UTF-8: look at its letters"
        )
    return Source(frame, detected, notices=tuple(notices))


def _is_rather_utf8(path: str | Path, encoding: str) -> bool:
    """Whether text in UTF-8 is read as another, by an old recipe for example."""
    if encoding in UTF8 or encoding.startswith(WIDE):
        return False
    return is_utf8(path, beyond_ascii=True)


def text_columns(
    path: str | Path, name: str | Path, dialect: Dialect, own_delimiter: str
) -> list[str]:
    """Names of the columns, from the first line."""
    detected = detected_dialect(path, name, dialect, own_delimiter)
    return read_header(path, name, str(detected.delimiter), str(detected.encoding))


def write_text(
    frame: pl.DataFrame,
    path: str | Path,
    layouts: Mapping[str, Layout],
    dialect: Dialect,
    own_delimiter: str,
    compression: str | None = None,
) -> None:
    """Write text; numbers and moments in the layouts they were read in."""
    delimiter = _checked_delimiter(dialect.delimiter or own_delimiter)
    encoding = _text_encoding(dialect.encoding or "utf-8")
    shown = shown_text(frame, layouts)
    # many readers pass over an empty line, which would be a record of one column
    missing = '""' if frame.width == 1 else ""
    said: Any = {"separator": delimiter, "null_value": missing}
    if encoding == "utf-8" and compression is None:
        shown.write_csv(path, **said)
        return
    encoder = codecs.getincrementalencoder(encoding)()
    with create_bytes(path, compression) as file:
        for start in range(0, shown.height or 1, WRITTEN_AT_ONCE):
            part = shown.slice(start, WRITTEN_AT_ONCE)
            text = part.write_csv(include_header=start == 0, **said)
            file.write(encoder.encode(text))


def shown_text(frame: pl.DataFrame, layouts: Mapping[str, Layout]) -> pl.DataFrame:
    """Values in their layouts; an empty text and a missing value look the same."""
    frame = as_text(frame, layouts)
    return frame.with_columns(pl.col(pl.String).replace("", None))


def not_of_encoding(frame: pl.DataFrame, dialect: Dialect) -> dict[str, str]:
    """Columns whose values have no text, or none in the encoding of the file."""
    reasons = no_text(frame)
    encoding = _text_encoding(dialect.encoding or "utf-8")
    if encoding in UTF8 or encoding.startswith(WIDE):
        return reasons
    for series in frame.iter_columns():
        texts = series.cast(pl.String) if series.dtype in CODED else series
        values = texts.unique().to_list() if texts.dtype == pl.String else []
        if not _encodes([series.name, *values], encoding):
            reasons[series.name] = f"letters that {encoding} does not have"
    return reasons


def _encodes(texts: list[str | None], encoding: str) -> bool:
    try:
        "".join(text or "" for text in texts).encode(encoding)
    except UnicodeError:
        return False
    return True


def detected_dialect(
    path: str | Path, name: str | Path, dialect: Dialect, own_delimiter: str
) -> Dialect:
    """Delimiter and encoding, found out where none is given."""
    if dialect.delimiter is not None:
        _checked_delimiter(dialect.delimiter)
    if dialect.encoding is not None:
        _text_encoding(dialect.encoding)
    try:
        if dialect.encoding is None:
            encoding = detect_encoding(path, name)
        else:
            encoding = _text_encoding(dialect.encoding)
            if not encoding.startswith(WIDE) and has_nul(path):
                raise InputError(f"{name} is not text, so it is not a CSV file.")
        delimiter = dialect.delimiter
        if delimiter is None:
            delimiter = detect_delimiter(
                lambda mark: _records_of(path, mark, encoding), own_delimiter, name
            )
    except UnicodeError as error:
        mark = dialect.delimiter or own_delimiter
        raise reading_error(error, path, name, mark, encoding) from None
    except OSError as error:
        if compression_of(path) is None:
            raise
        raise InputError(f"{name} is a damaged {compression_of(path)} file.") from error
    return Dialect(delimiter, encoding)


def _checked_delimiter(delimiter: str) -> str:
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0':
        raise InputError(
            "The delimiter must be one character of ASCII, and neither a quote nor a "
            f"line break. Got {delimiter!r}.",
            option="delimiter",
        )
    return delimiter


def _read_text(
    path: str | Path, name: str | Path, delimiter: str, encoding: str
) -> pl.DataFrame:
    header = read_header(path, name, delimiter, encoding)
    try:
        table = _read_csv(path, header, delimiter, encoding)
    except (pa.ArrowInvalid, UnicodeError) as error:
        raise reading_error(error, path, name, delimiter, encoding) from None
    check_same_header(table.schema, header, name)
    single = table.num_columns == 1
    check_quotes(path, name, delimiter, encoding, table.num_rows, single)
    tables = [table]
    del table
    return _copied(tables.pop())


def check_same_header(schema: pa.Schema, header: list[str], name: str | Path) -> None:
    """Refuse a first line that two readers read in two ways."""
    if schema.names != header or set(schema.types) != {pa.large_string()}:
        raise InputError(
            f"{name}, line 1: the {len(header)} column names can be read in two ways. "
            "Write them without quotes and line breaks."
        )


def _copied(table: pa.Table) -> pl.DataFrame:
    """The text in polars; column by column, so that it is never all there twice."""
    columns = []
    for name in table.column_names:
        columns.append(pl.Series(name, table.column(0)))
        table = table.remove_column(0)
    give_back()
    return pl.DataFrame(columns)


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
    packed = compression_of(path) is not None
    size = MAX_BLOCK_BYTES if packed else os.path.getsize(path)
    for block in (BLOCK, min(size, MAX_BLOCK_BYTES)):
        try:
            return pyarrow.csv.read_csv(
                open_bytes(path, whole=True) if packed else str(path),
                **reading_options(header, delimiter, encoding, block),
            )
        except pa.ArrowInvalid as error:
            short = "straddl" in str(error) or "Empty CSV file or block" in str(error)
            if not short or size <= block:
                raise
    raise pa.ArrowInvalid("a record is longer than 2 GB")


def reading_options(
    header: list[str], delimiter: str, encoding: str, block: int
) -> dict[str, Any]:
    """How Arrow reads text: all fields as they stand in the file."""
    return {
        "read_options": pyarrow.csv.ReadOptions(
            block_size=block,
            encoding=encoding.removesuffix("-sig"),  # it skips a mark itself
        ),
        "parse_options": pyarrow.csv.ParseOptions(
            delimiter=delimiter,
            newlines_in_values=True,
            ignore_empty_lines=len(header) > 1,
        ),
        "convert_options": pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(header, pa.large_string())
        ),
    }


def reading_error(
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


def check_quotes(
    path: str | Path,
    name: str | Path,
    delimiter: str,
    encoding: str,
    n_records: int,
    single: bool,
) -> None:
    """Refuse quotes that do not close: they would swallow the records after them.

    The fast reader lets them pass, so a file that has quotes is read a second time,
    strictly, and the records are counted. An empty line is a record of one column.
    """
    if not _has_quotes(path):
        return
    with _records_of(path, delimiter, encoding) as reader:
        try:
            counted = sum(1 for record in reader if record or single) - 1
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


def _has_quotes(path: str | Path) -> bool:
    """Whether a quote, or a byte that may be part of one, is in the file."""
    if compression_of(path) is None:
        with (
            open(path, "rb") as file,
            mmap(file.fileno(), 0, access=ACCESS_READ) as text,
        ):
            return text.find(b'"') >= 0
    with open_bytes(path) as file:
        while block := file.read(BLOCK):
            if b'"' in block:
                return True
    return False


@contextmanager
def _records_of(path: str | Path, delimiter: str, encoding: str) -> Iterator[Any]:
    """The standard library's reader: slower, strict, and it knows its line."""
    limit = csv.field_size_limit(2**31 - 1)
    encoding = "utf-8-sig" if encoding in UTF8 else encoding  # which skips a mark
    try:
        with (
            open_bytes(path) as file,
            io.TextIOWrapper(file, encoding=encoding, newline="") as text,
        ):
            yield csv.reader(text, delimiter=delimiter, strict=True)
    finally:
        csv.field_size_limit(limit)


def read_header(
    path: str | Path, name: str | Path, delimiter: str, encoding: str
) -> list[str]:
    try:
        with _records_of(path, delimiter, encoding) as reader:
            header: list[str] = next(reader, [])
    except UnicodeError as error:
        raise reading_error(error, path, name, delimiter, encoding) from None
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


def _format(name: str, suffix: str, delimiter: str, packed: str = "") -> Format:
    return Format(
        name=name,
        suffixes=(suffix + packed,),
        typed=False,
        read=partial(read_text, own_delimiter=delimiter),
        columns=partial(text_columns, own_delimiter=delimiter),
        write=partial(
            write_text, own_delimiter=delimiter, compression=COMPRESSIONS.get(packed)
        ),
        shown=shown_text,
        cannot_hold=not_of_encoding,
        check=check_names_columns,
        reader="pyarrow",
        open_to=("delimiter", "encoding"),
        delimiter=delimiter,
    )


TEXTS = tuple(
    _format(f"{name}{words}", suffix, delimiter, packed)
    for packed, words in (("", ""), (".gz", " in gzip"), (".zst", " in Zstandard"))
    for name, suffix, delimiter in (
        ("CSV", ".csv", ","),
        ("TSV", ".tsv", "\t"),
        ("text", ".txt", "\t"),
    )
)
