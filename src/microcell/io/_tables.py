"""Tables in files: CSV, tab-separated text and Parquet."""

from __future__ import annotations

import codecs
import csv
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl
import pyarrow as pa
import pyarrow.csv

from microcell.io._header import check_names_columns, check_repeated
from microcell.io._parquet import read_parquet

FORMATS = {".csv": ",", ".tsv": "\t", ".parquet": None}  # suffix: its delimiter
BLOCK, LARGEST_BLOCK = 1 << 20, (1 << 31) - 1  # bytes read at a time
SNIFFED = 1 << 16  # bytes in which a file shows that it is not text
RAGGED = re.compile(r"Expected (\d+) columns, got (\d+)")


def format_of(path: str | Path) -> str:
    """The suffix that says how a file is read or written."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(
            f"{Path(path).name!r} has the suffix {suffix!r}. Tables are read from and "
            f"written to {', '.join(FORMATS)}."
        )
    return suffix


def read_table(
    path: str | Path,
    *,
    like: str | Path | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
) -> pl.DataFrame:
    """Read a table; text formats give text, exactly as it stands in the file.

    Parameters
    ----------
    path : path
        The file.
    like : path, optional
        A path whose suffix says the format, if `path` has none. It was written here,
        so its first line is not asked whether it names columns.
    delimiter : str, optional
        What separates fields; by default the format's own.
    encoding : str, default="utf-8"
        Encoding of a text format.

    Returns
    -------
    table : polars.DataFrame
    """
    name = path if like is None else like
    suffix = format_of(name)
    _check_file(path, name)
    if suffix == ".parquet":
        if delimiter is not None or encoding != "utf-8":
            raise ValueError(f"{name} is no text: it has no delimiter and no encoding.")
        return _with_records(read_parquet(path, name), name)
    if delimiter is None:
        delimiter = str(FORMATS[suffix])
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0':
        raise ValueError(
            "The delimiter must be one character of ASCII, and neither a quote nor a "
            f"line break. Got {delimiter!r}."
        )
    frame = _read_text(path, name, delimiter, encoding)
    if like is None:
        check_names_columns(frame, name)
    return frame


def _check_file(path: str | Path, name: str | Path) -> None:
    if "\0" in str(path):
        raise ValueError(f"A path holds no NUL character. Got {str(path)!r}.")
    if not os.path.exists(path):
        if os.path.islink(path):
            raise FileNotFoundError(
                f"{path} is a link to itself or to a file that is not there."
            )
        raise FileNotFoundError(f"There is no file {path}.")
    if not os.path.isfile(path):
        raise IsADirectoryError(
            f"{path} is not a file, but a folder, a pipe or a device. Name a file."
        )
    if os.path.getsize(path) == 0:
        raise ValueError(f"{name} is empty.")


def write_table(
    table: Any, path: str | Path, *, like: str | Path | None = None
) -> None:
    """Write a dataframe; the suffix of `like` (or `path`) says how.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table. An index is not written.
    """
    suffix = format_of(path if like is None else like)
    frame = nw.from_native(table, eager_only=True).to_polars()
    if suffix == ".parquet":
        frame.write_parquet(path)
    else:
        no_text = (pl.Binary, pl.Duration, pl.Object)
        nested = [n for n, t in frame.schema.items() if t.is_nested() or t in no_text]
        if nested:
            raise ValueError(
                f"Columns {nested} hold lists, structures, bytes or durations, which "
                "text cannot. Write a .parquet file, or leave them out."
            )
        frame = frame.with_columns(pl.col(pl.String).replace("", None))
        frame.write_csv(path, separator=str(FORMATS[suffix]))


def _read_text(
    path: str | Path, name: str | Path, delimiter: str, encoding: str
) -> pl.DataFrame:
    encoding = _text_encoding(encoding)
    header = _read_header(path, name, delimiter, encoding)
    try:
        table = _read_csv(path, header, delimiter, encoding)
    except (pa.ArrowInvalid, UnicodeError) as error:
        raise _reading_error(error, path, name, delimiter, encoding) from None
    if table.column_names != header or set(table.schema.types) != {pa.large_string()}:
        raise ValueError(
            f"{name}, line 1: the {len(header)} column names can be read in two ways. "
            "Write them without quotes and line breaks."
        )
    _check_quotes(path, name, delimiter, encoding, table.num_rows)
    frame = pl.DataFrame(table)
    del table
    pa.default_memory_pool().release_unused()  # the text was copied
    return _with_records(frame, name)


def _text_encoding(encoding: str) -> str:
    """The plain name of an encoding of text; Python also has codecs of other things."""
    try:
        name = codecs.lookup(encoding).name
        "a".encode(name)
    except (LookupError, ValueError):  # of which UnicodeError is one
        raise ValueError(
            f"There is no text encoding {encoding!r}. Name one, for example utf-8, "
            "cp1252 or utf-16."
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
) -> ValueError:
    """What is wrong with a text file, without quoting a record."""
    ragged = RAGGED.search(str(error))
    if ragged:
        expected, found = map(int, ragged.groups())
        line = _ragged_line(path, delimiter, encoding, expected)
        return ValueError(
            f"{name}, line {line}: {found} field(s), but the header has {expected}. "
            "Correct the line, or name another delimiter."
        )
    if isinstance(error, UnicodeError) or "UTF8" in str(error):
        return ValueError(
            f"{name} is not text in {encoding}. Name its encoding, for example "
            "cp1252, or export it as UTF-8."
        )
    return ValueError(
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
            raise ValueError(
                f"{name}, line {reader.line_num}: a quote does not close, or text "
                f"follows it ({error}). Correct the record at or before that line."
            ) from None
    if counted != n_records and n_records > 0:
        raise ValueError(
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
            raise ValueError(f"{name} is not text, so it is not a CSV file.")
    try:
        with _records_of(path, delimiter, encoding) as reader:
            header: list[str] = next(reader, [])
    except UnicodeError as error:
        raise _reading_error(error, path, name, delimiter, encoding) from None
    except csv.Error as error:
        raise ValueError(
            f"{name} cannot be read as fields separated by {delimiter!r}: {error}."
        ) from None
    if not any(header):
        raise ValueError(f"{name} has no header: its first line is empty.")
    check_repeated(header, name)
    others = [mark for mark in ";\t|," if mark != delimiter and mark in header[0]]
    if len(header) == 1 and others:
        raise ValueError(
            f"{name} has one column if fields are separated by {delimiter!r}, but its "
            f"header holds {others[0]!r}. Name the delimiter."
        )
    return header


def _with_records(frame: pl.DataFrame, name: str | Path) -> pl.DataFrame:
    if frame.height == 0:
        raise ValueError(f"{name} has a header but no records.")
    return frame


def _ragged_line(path: str | Path, delimiter: str, encoding: str, expected: int) -> int:
    """Line of the first record with another number of fields; a slow second look."""
    with _records_of(path, delimiter, encoding) as reader:
        for record in reader:
            if record and len(record) != expected:
                return int(reader.line_num)
    return 0
