"""A table as parts that fit into memory and can be read again and again."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import polars as pl
import pyarrow as pa
import pyarrow.parquet

from microcell.exceptions import InputError
from microcell.io import Dialect, Format, format_of
from microcell.io._compressed import compression_of
from microcell.io._parquet import PARQUET, check_types, converted
from microcell.io._text import TEXTS, read_header, settled_dialect
from microcell.io._text_blocks import read_blocks

PART_BYTES = 48 << 20  # of values in a part, about a million records of five numbers
HIDDEN = (".", "_")  # how names begin that are no part of a table
BYTES_OF_TEXT = 24  # at least, of a value whose length is not known
PACKED = 4  # bytes of text for one that is compressed, at a guess


class Part(NamedTuple):
    """A part of a table.

    Attributes
    ----------
    index : int
        Its place among the parts, the same whenever the table is read.
    first : int
        Number of records before it.
    load : callable
        Gives its records, a polars.DataFrame; may be called in another thread.
    """

    index: int
    first: int
    load: Callable[[], pl.DataFrame]


class Parts(Protocol):
    """A table on disk.

    Attributes
    ----------
    files : sequence of Path
        The files that hold it.
    schema : mapping of str to polars.DataType
        Its columns.
    as_text : bool
        Whether its columns are text whose types nobody said.
    n_records : int or None
        Its records, if that is known without reading it.
    notices : tuple of str
        What was found out and the owner should know.
    """

    files: Sequence[Path]
    schema: Mapping[str, Any]
    as_text: bool
    n_records: int | None
    notices: tuple[str, ...]

    def read(
        self, columns: Sequence[str], skip: Collection[int] = ()
    ) -> Iterator[Part]:
        """Parts with some columns, without those whose index is in `skip`."""

    def values_bytes(self, columns: Sequence[str]) -> int:
        """About how many bytes the values of some columns take in memory."""


def open_parts(
    path: str | Path,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    part_bytes: int = PART_BYTES,
) -> Parts:
    """A table in a file, or in all files of a folder, of Parquet or text.

    Files whose names begin with a dot or an underscore are no part of the table.

    Parameters
    ----------
    path : path
        The file or folder.
    delimiter, encoding : str, optional
        Dialect of text; found out by default.
    part_bytes : int
        About how many bytes of values a part holds.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.csv").write_text("age,sex\\n31,f\\n")
    >>> _ = (folder / "b.csv").write_text("age,sex\\n40,m\\n52,f\\n")
    >>> [(p.first, p.load()["age"].to_list()) for p in open_parts(folder).read(["age"])]
    [(0, ['31']), (1, ['40', '52'])]
    """
    files, format = _files(Path(path))
    dialect = Dialect(delimiter, encoding)
    format.refuse_foreign(path, dialect)
    if format is PARQUET:
        return parquet_parts(files, part_bytes)
    return text_parts(files, dialect, part_bytes)


def _files(path: Path) -> tuple[list[Path], Format]:
    """The files of a table in the order of their names, and what they all are."""
    if "\0" in str(path):
        raise InputError(f"A path holds no NUL character. Got {str(path)!r}.")
    if not path.exists():
        raise FileNotFoundError(f"There is no file or folder {path}.")
    files = sorted(_visible(path)) if path.is_dir() else [path]
    if not files:
        raise InputError(f"The folder {path} holds no files of a table.")
    for file in files:
        if not file.is_file():
            raise InputError(f"{file} is not a file. Leave it out.")
        if file.stat().st_size == 0:
            raise InputError(f"{file} is empty.")
    format = format_of(files[0])
    if format not in (PARQUET, *TEXTS):
        raise InputError(
            f"{files[0]} is a file of {format.name}, which is read as a whole.",
            option="engine",
            hint="Write it as Parquet or CSV to read it in parts.",
        )
    for file in files:
        if format_of(file) is not format:
            raise InputError(
                f"The folder {path} holds {files[0].name}, a file of {format.name}, "
                f"and {file.name}, which is none. Name a folder of one table."
            )
    return files, format


def _visible(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(HIDDEN):
                continue
            if not entry.is_dir():
                yield Path(entry.path)
            elif "=" in entry.name:
                raise InputError(
                    f"{entry.path} holds a column in the name of a folder.",
                    hint="Write the table without partitions, with all columns.",
                )
            else:
                yield from _visible(Path(entry.path))


@dataclass(frozen=True)
class Piece:
    """Row groups of one file that are read together, or one that is cut."""

    file: Path
    groups: tuple[int, ...]
    n_records: int
    index: int  # of its first part
    first: int
    at_once: int  # records of a part; fewer than n_records if it is cut

    @property
    def indices(self) -> range:
        """Places of its parts among all."""
        return range(self.index, self.index + -(-self.n_records // self.at_once))


@dataclass(frozen=True)
class ParquetParts:
    """Parquet files of the same columns."""

    files: Sequence[Path]
    schema: Mapping[str, Any]
    n_records: int
    pieces: Sequence[Piece]
    bytes_of: Mapping[str, float]  # bytes of a value of each column, about
    as_text: bool = False
    notices: tuple[str, ...] = ()

    def values_bytes(self, columns: Sequence[str]) -> int:
        """About how many bytes the values of some columns take in memory."""
        return int(self.n_records * sum(self.bytes_of[name] for name in columns))

    def read(
        self, columns: Sequence[str], skip: Collection[int] = ()
    ) -> Iterator[Part]:
        """Parts with some columns, without those whose index is in `skip`."""
        names = list(columns)
        for piece in self.pieces:
            if all(index in skip for index in piece.indices):
                continue
            if len(piece.indices) == 1:
                yield Part(
                    piece.index, piece.first, lambda p=piece: _read_piece(p, names)
                )
                continue
            for index, first, frame in _cut(piece, names):
                if index not in skip:
                    yield Part(index, first, lambda f=frame: f)


def _read_piece(piece: Piece, columns: list[str]) -> pl.DataFrame:
    with _damage_named(piece.file), pa.parquet.ParquetFile(piece.file) as file:
        table = file.read_row_groups(
            list(piece.groups), columns=columns, use_threads=False
        )
        return converted(table.select(columns), piece.file)


def _cut(piece: Piece, columns: list[str]) -> Iterator[tuple[int, int, pl.DataFrame]]:
    """Parts of a row group that is too large to be read at once."""
    index, first, waiting = piece.index, piece.first, None
    with _damage_named(piece.file), pa.parquet.ParquetFile(piece.file) as file:
        for batch in file.iter_batches(
            piece.at_once, list(piece.groups), columns, use_threads=False
        ):
            table = pa.Table.from_batches([batch])
            if waiting is not None:  # a batch may hold fewer than asked for
                table = pa.concat_tables([waiting, table])
            while table.num_rows >= piece.at_once:
                part = table.slice(0, piece.at_once).select(columns)
                yield index, first, converted(part, piece.file)
                table = table.slice(piece.at_once)
                index, first = index + 1, first + piece.at_once
            waiting = table
        if waiting is not None and waiting.num_rows:
            yield index, first, converted(waiting.select(columns), piece.file)


class _damage_named:
    """Say which file cannot be read."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, pa.ArrowNotImplementedError):
            raise InputError(
                f"{self.file} has a column of a type that cannot be read ({error}). "
                "Convert it."
            ) from None
        if isinstance(error, (pa.ArrowException, OSError)):
            if isinstance(error, FileNotFoundError):
                return
            raise InputError(
                f"{self.file} is not a Parquet file, or a damaged one. Write it again."
            ) from None


def parquet_parts(files: Sequence[Path], part_bytes: int) -> ParquetParts:
    """Parquet files, their row groups gathered to parts or cut."""
    described = []
    for file in files:
        with _damage_named(file):
            described.append(pa.parquet.read_metadata(file))
    schemas = [meta.schema.to_arrow_schema() for meta in described]
    for file, schema in zip(files, schemas, strict=True):
        check_types(schema, file)
        _check_same(schema, schemas[0], file, files[0])
    n_records = sum(meta.num_rows for meta in described)
    if n_records == 0:
        raise InputError(f"{files[0]} has columns but no records.")
    bytes_of = _bytes_of_values(schemas[0], described, n_records)
    at_once = max(1, int(part_bytes / max(1.0, sum(bytes_of.values()))))
    pieces: list[Piece] = []
    index = first = 0
    for file, meta in zip(files, described, strict=True):
        for groups, rows in _gathered_groups(meta, at_once):
            cut = at_once if rows >= 2 * at_once else rows
            pieces.append(Piece(file, groups, rows, index, first, cut))
            index, first = pieces[-1].indices.stop, first + rows
    empty = converted(schemas[0].empty_table(), files[0])
    return ParquetParts(files, dict(empty.schema), n_records, pieces, bytes_of)


def _gathered_groups(
    meta: pa.parquet.FileMetaData, at_once: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Row groups that follow each other, about `at_once` records together."""
    groups: list[int] = []
    held = 0
    for group in range(meta.num_row_groups):
        rows = meta.row_group(group).num_rows
        if groups and held + rows > at_once:
            yield tuple(groups), held
            groups, held = [], 0
        if rows:
            groups.append(group)
            held += rows
    if groups:
        yield tuple(groups), held


def _bytes_of_values(
    schema: pa.Schema, described: Sequence[pa.parquet.FileMetaData], n_records: int
) -> dict[str, float]:
    """About how many bytes a value of each column takes."""
    stored = dict.fromkeys(schema.names, 0.0)
    for meta in described:
        for group in range(meta.num_row_groups):
            row_group = meta.row_group(group)
            for place in range(row_group.num_columns):
                column = row_group.column(place)
                name = column.path_in_schema.partition(".")[0]
                if name in stored:
                    stored[name] += column.total_uncompressed_size
    sizes = {}
    for field in schema:
        try:
            sizes[field.name] = max(1.0, field.type.bit_width / 8)
        except ValueError:  # text, lists: codes may stand for them in the file
            sizes[field.name] = max(stored[field.name] / n_records, BYTES_OF_TEXT)
    return sizes


def _check_same(one: pa.Schema, other: pa.Schema, file: Path, first: Path) -> None:
    """Refuse a file that has other columns than the first; their order may differ."""
    for name in [*other.names, *one.names]:
        for schema, where, elsewhere in ((one, file, first), (other, first, file)):
            if name not in schema.names:
                raise InputError(
                    f"{where} has no column {name!r}, and {elsewhere} has one.",
                    column=name,
                    hint="Write all files with the same columns.",
                )
        here, there = one.field(name).type, other.field(name).type
        if here != there:
            raise InputError(
                f"Column {name!r} of {file} is {here}, and of {first} it is {there}.",
                column=name,
                hint="Write all files with the same types.",
            )


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
        part_bytes: int,
    ) -> None:
        self.files = files
        self.schema = {name: pl.String() for name in columns}
        self.n_records: int | None = None
        self.dialects = dialects
        self.notices = _noticed(dialects)
        self._part_bytes = part_bytes
        self._checked: set[Path] = set()

    def values_bytes(self, columns: Sequence[str]) -> int:
        """About how many bytes the values of some columns take in memory."""
        size = sum(
            file.stat().st_size * (PACKED if compression_of(file) else 1)
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
                file, file, dialect, self._part_bytes, checked=file in self._checked
            ):
                kept = frame.select(columns)
                n_records = frame.height
                del frame  # the others need not wait with it
                if index not in skip:
                    yield Part(index, first, lambda f=kept: f)
                index, first = index + 1, first + n_records
            self._checked.add(file)
        if first == 0:
            raise InputError(f"{self.files[0]} has a header but no records.")
        self.n_records = first


def text_parts(files: Sequence[Path], dialect: Dialect, part_bytes: int) -> TextParts:
    """Files of text, whose headers must be the same."""
    dialects, columns = [], None
    for file in files:
        settled = settled_dialect(file, file, dialect, format_of(file).delimiter)
        header = read_header(file, file, str(settled.delimiter), str(settled.encoding))
        dialects.append(settled)
        if columns is None:
            columns = header
        for name in [*columns, *header]:
            for there, where, elsewhere in (
                (header, file, files[0]),
                (columns, files[0], file),
            ):
                if name not in there:
                    raise InputError(
                        f"{where} has no column {name!r}, and {elsewhere} has one.",
                        column=name,
                        hint="Write all files with the same columns.",
                    )
    return TextParts(files, columns or [], dialects, part_bytes)


def _noticed(dialects: Sequence[Dialect]) -> tuple[str, ...]:
    others = sorted({str(d.encoding) for d in dialects} - {"utf-8"})
    return tuple(f"the table is read as text in {name}" for name in others)
