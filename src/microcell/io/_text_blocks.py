"""Delimited text of any size, in blocks, by the rules of `io/_text.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.csv

from microcell.exceptions import InputError
from microcell.io._compressed import compression_of, open_bytes
from microcell.io._format import Dialect
from microcell.io._header import check_names_columns
from microcell.io._text import (
    check_quotes,
    check_same_header,
    read_header,
    reading_error,
    reading_options,
)

MAX_RECORD_BYTES = 8 << 20  # bytes, which are read at a time


def read_blocks(
    path: str | Path,
    name: str | Path,
    dialect: Dialect,
    columns: Sequence[str],
    at_once: int,
    *,
    checked: bool = False,
) -> Iterator[pl.DataFrame]:
    """Frames of text, each of about `at_once` bytes of the file.

    Parameters
    ----------
    path : path
        The file, which may be compressed.
    name : path
        What it is called in errors.
    dialect : Dialect
        Delimiter and encoding, both detected.
    columns : sequence of str
        Columns to read.
    at_once : int
        Bytes of text of a frame.
    checked : bool, default=False
        Whether its header and quotes were found to be right before.

    Yields
    ------
    frame : polars.DataFrame
        Columns as text, exactly as it stands in the file.
    """
    delimiter, encoding = str(dialect.delimiter), str(dialect.encoding)
    header = read_header(path, name, delimiter, encoding)
    options = reading_options(header, delimiter, encoding, MAX_RECORD_BYTES)
    if checked:  # the others need not be made
        options["convert_options"].include_columns = list(columns)
    n_records = 0
    try:
        with open_bytes(path) as file, pyarrow.csv.open_csv(file, **options) as reader:
            if not checked:
                check_same_header(reader.schema, header, name)
            for table in _tables(reader, name, list(columns), at_once, checked):
                n_records += table.num_rows
                yield pl.DataFrame(table)
    except (pa.ArrowInvalid, UnicodeError) as error:
        if "straddl" in str(error) or "Empty CSV file or block" in str(error):
            raise InputError(
                f"{name} has a record longer than {MAX_RECORD_BYTES >> 20} MB, or a "
                "quote that does not close. Correct it."
            ) from None
        raise reading_error(error, path, name, delimiter, encoding) from None
    except OSError as error:
        if compression_of(path) is None:
            raise
        raise InputError(f"{name} is a damaged {compression_of(path)} file.") from error
    if not checked:
        check_quotes(path, name, delimiter, encoding, n_records, len(header) == 1)


def _tables(
    reader: Any, name: str | Path, columns: list[str], at_once: int, checked: bool
) -> Iterator[pa.Table]:
    """Batches of a reader, joined until some columns hold enough text."""
    waiting: list[pa.RecordBatch] = []
    held = 0
    for batch in reader:
        if not checked and batch.num_rows:
            check_names_columns(pl.DataFrame(batch), name)
            checked = True
        waiting.append(batch.select(columns))
        held += waiting[-1].nbytes
        if held >= at_once:
            yield pa.Table.from_batches(waiting)
            waiting, held = [], 0
    if any(batch.num_rows for batch in waiting):
        yield pa.Table.from_batches(waiting)
