"""Tables in files: CSV, tab-separated text and Parquet."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

FORMATS = {".csv": ",", ".tsv": "\t", ".parquet": None}  # suffix: its delimiter
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
        A path whose suffix says the format, if `path` has none.
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
    if not Path(path).exists():
        raise FileNotFoundError(f"There is no file {path}.")
    if not Path(path).is_file():
        raise IsADirectoryError(f"{path} is not a file.")
    if Path(path).stat().st_size == 0:
        raise ValueError(f"{name} is empty.")
    if suffix == ".parquet":
        if delimiter is not None or encoding != "utf-8":
            raise ValueError(f"{name} is no text: it has no delimiter and no encoding.")
        return _read_parquet(path, name)
    if delimiter is None:
        delimiter = str(FORMATS[suffix])
    if len(delimiter) != 1:
        raise ValueError(f"The delimiter must be one character. Got {delimiter!r}.")
    return _read_text(path, name, delimiter, encoding)


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
        nested = [n for n, t in frame.schema.items() if t.is_nested() or t == pl.Binary]
        if nested:
            raise ValueError(
                f"Columns {nested} hold lists, structures or bytes, which text cannot. "
                "Write a .parquet file, or leave them out."
            )
        frame = frame.with_columns(pl.col(pl.String).replace("", None))
        frame.write_csv(path, separator=str(FORMATS[suffix]))


def _read_parquet(path: str | Path, name: str | Path) -> pl.DataFrame:
    try:
        table = pyarrow.parquet.read_table(str(path))
    except pa.ArrowInvalid:
        raise ValueError(f"{name} is not a Parquet file.") from None
    _check_names(table.column_names, name)
    return _with_records(pl.DataFrame(table), name)


def _read_text(
    path: str | Path, name: str | Path, delimiter: str, encoding: str
) -> pl.DataFrame:
    header = _read_header(path, name, delimiter, encoding)
    try:
        table = pyarrow.csv.read_csv(
            str(path),
            read_options=pyarrow.csv.ReadOptions(encoding=encoding),
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
        ragged = RAGGED.search(str(error))
        if ragged:
            expected, found = map(int, ragged.groups())
            line = _ragged_line(path, delimiter, encoding, expected)
            raise ValueError(
                f"{name}, line {line}: {found} field(s), but the header has "
                f"{expected}. Correct the line, or name another delimiter."
            ) from None
        raise ValueError(
            f"{name} cannot be read as text in {encoding} with fields separated by "
            f"{delimiter!r} ({str(error).split(':')[0]})."
        ) from None
    frame = pl.DataFrame(table)
    del table
    pa.default_memory_pool().release_unused()  # the text was copied
    return _with_records(frame, name)


def _read_header(
    path: str | Path, name: str | Path, delimiter: str, encoding: str
) -> list[str]:
    with open(path, "rb") as file:
        if b"\0" in file.read(SNIFFED) and not encoding.startswith(
            ("utf-16", "utf-32")
        ):
            raise ValueError(f"{name} is not text, so it is not a CSV file.")
    try:
        with open(path, encoding=encoding.replace("utf-8", "utf-8-sig")) as text:
            header = next(csv.reader(text, delimiter=delimiter, strict=True), [])
    except UnicodeDecodeError:
        raise ValueError(
            f"{name} is not text in {encoding}. Name its encoding, for example "
            "cp1252, or export it as UTF-8."
        ) from None
    except LookupError:
        raise ValueError(f"There is no text encoding {encoding!r}.") from None
    except (csv.Error, TypeError) as error:
        raise ValueError(
            f"{name} cannot be read as fields separated by {delimiter!r}: {error}."
        ) from None
    if not any(header):
        raise ValueError(f"{name} has no header: its first line is empty.")
    _check_names(header, name)
    others = [mark for mark in ";\t|," if mark != delimiter and mark in header[0]]
    if len(header) == 1 and others:
        raise ValueError(
            f"{name} has one column if fields are separated by {delimiter!r}, but its "
            f"header holds {others[0]!r}. Name the delimiter."
        )
    return header


def _check_names(names: list[str], file: str | Path) -> None:
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(
            f"{file} has repeated column names: {repeated}. Rename the columns."
        )


def _with_records(frame: pl.DataFrame, name: str | Path) -> pl.DataFrame:
    if frame.height == 0:
        raise ValueError(f"{name} has a header but no records.")
    return frame


def _ragged_line(path: str | Path, delimiter: str, encoding: str, expected: int) -> int:
    """Line of the first record with another number of fields; a slow second look."""
    with open(path, encoding=encoding, newline="") as text:
        reader = csv.reader(text, delimiter=delimiter)
        for record in reader:
            if record and len(record) != expected:
                return reader.line_num
    return 0
