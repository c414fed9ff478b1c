"""Parquet files as parts: small row groups together, large ones cut."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet

from microcell.engines._part import Part, check_columns, loaded
from microcell.exceptions import InputError
from microcell.io import check_types, converted

BYTES_OF_TEXT = 24  # at least, of a value whose length is not known


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
    groups: Sequence[Sequence[int]]  # records of the row groups of each file
    bytes_of: Mapping[str, float]  # bytes of a value of each column, about
    part_bytes: int
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
        for piece in self._pieces(names):
            if all(index in skip for index in piece.indices):
                continue
            if len(piece.indices) == 1:
                read = partial(_read_piece, piece, names)
                yield Part(piece.index, piece.first, piece.n_records, read)
                continue
            for index, first, frame in _cut(piece, names):
                if index not in skip:
                    yield Part(index, first, frame.height, loaded(frame))

    def _pieces(self, columns: list[str]) -> Iterator[Piece]:
        """What is read together if some columns are read."""
        a_record = sum(self.bytes_of[name] for name in columns)
        at_once = max(1, int(self.part_bytes / max(1.0, a_record)))
        index = first = 0
        for file, sizes in zip(self.files, self.groups, strict=True):
            for groups, rows in _gathered_groups(sizes, at_once):
                cut = at_once if rows >= 2 * at_once else rows
                piece = Piece(file, groups, rows, index, first, cut)
                yield piece
                index, first = piece.indices.stop, first + rows


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


@contextmanager
def _damage_named(file: Path) -> Iterator[None]:
    """Say which file cannot be read."""
    try:
        yield
    except FileNotFoundError:
        raise
    except pa.ArrowNotImplementedError as error:
        raise InputError(
            f"{file} has a column of a type that cannot be read ({error}). Convert it."
        ) from None
    except (pa.ArrowException, OSError):
        raise InputError(
            f"{file} is not a Parquet file, or a damaged one. Write it again."
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
        _check_types_same(schema, schemas[0], file, files[0])
    n_records = sum(meta.num_rows for meta in described)
    if n_records == 0:
        raise InputError(f"{files[0]} has columns but no records.")
    bytes_of = _bytes_of_values(schemas[0], described, n_records)
    groups = [
        [meta.row_group(group).num_rows for group in range(meta.num_row_groups)]
        for meta in described
    ]
    schema = dict(converted(schemas[0].empty_table(), files[0]).schema)
    return ParquetParts(files, schema, n_records, groups, bytes_of, part_bytes)


def _gathered_groups(
    sizes: Sequence[int], at_once: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Row groups that follow each other, about `at_once` records together."""
    groups: list[int] = []
    held = 0
    for group, rows in enumerate(sizes):
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


def _check_types_same(
    here: pa.Schema, there: pa.Schema, file: Path, first: Path
) -> None:
    check_columns(here.names, there.names, file, first)
    for name in there.names:
        one, other = here.field(name).type, there.field(name).type
        if one != other:
            raise InputError(
                f"Column {name!r} of {file} is {one}, and of {first} it is {other}.",
                column=name,
                hint="Write all files with the same types.",
            )
