"""Arrow and Feather files: the same types as Parquet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from microcell.exceptions import InputError
from microcell.io._format import Dialect, Format
from microcell.io._parquet import check_types, converted, reading


def read_arrow(path: str | Path, name: str | Path, dialect: Dialect) -> pl.DataFrame:
    """The table of an Arrow file or stream; Feather (version 2) is such a file."""
    with (
        reading(name, "Arrow"),
        pa.OSFile(str(path)) as file,
        _opened(file, name) as reader,
    ):
        check_types(reader.schema, name)
        return converted(reader.read_all(), name)


def _opened(file: Any, name: str | Path) -> Any:
    try:
        return pa.ipc.open_file(file)
    except pa.ArrowInvalid:
        file.seek(0)
    try:
        return pa.ipc.open_stream(file)
    except (pa.ArrowInvalid, OSError):
        raise InputError(
            f"{name} is not an Arrow file. Feather of version 1 must be written again."
        ) from None


def arrow_columns(path: str | Path, name: str | Path, dialect: Dialect) -> list[str]:
    """Names of the columns, from the schema."""
    with pa.OSFile(str(path)) as file, _opened(file, name) as reader:
        return list(reader.schema.names)


def write_arrow(
    frame: pl.DataFrame, path: str | Path, layouts: Mapping[str, Any], dialect: Dialect
) -> None:
    """Write an Arrow file, in one piece and with types that older readers know."""
    compat = pl.CompatLevel.oldest()
    frame.rechunk().write_ipc(path, compression="lz4", compat_level=compat)


ARROW = Format(
    name="Arrow",
    suffixes=(".arrow", ".feather", ".ipc"),
    typed=True,
    read=read_arrow,
    columns=arrow_columns,
    write=write_arrow,
    reader="pyarrow",
)
