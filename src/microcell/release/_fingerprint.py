"""A digest of a table's columns and values, to know it again."""

from __future__ import annotations

import hashlib
from typing import Any

import narwhals as nw
import pyarrow as pa


def fingerprint(table: Any) -> str:
    """Hexadecimal SHA-256 of a table: names, data types and values in their order.

    Examples
    --------
    >>> import polars as pl
    >>> table = pl.DataFrame({"age": [33.0, 60.0]})
    >>> fingerprint(table) == fingerprint(pl.DataFrame({"age": [33.0, 60.0]}))
    True
    >>> fingerprint(table) == fingerprint(table.with_columns(name=pl.lit("Ann")))
    False
    """
    digest = hashlib.sha256()
    arrow = nw.from_native(table, eager_only=True).to_arrow().combine_chunks()

    class Sink:
        closed = False

        def write(self, data: Any) -> int:
            digest.update(data)
            return len(data)

        def flush(self) -> None:
            pass

    with pa.ipc.new_stream(pa.PythonFile(Sink(), mode="w"), arrow.schema) as stream:
        stream.write_table(arrow)
    return digest.hexdigest()
