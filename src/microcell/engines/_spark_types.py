"""Spark's types and ours: which columns can travel, and records on their way.

Spark takes what a Python worker sends at its word, so every batch is cast to the
types that were announced. Moments travel as UTC: what a session calls its time zone
changes what is shown, not when something was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import polars as pl
import pyarrow as pa

from microcell.exceptions import SchemaError

ROWS_TOGETHER = 250_000  # records that a stage works on together
ROWS_SENT = 50_000  # records of a batch on its way back
_UTC = pl.Datetime("us", "UTC")
OURS = "__microcell_"  # begins names that cannot travel as they are

_ARROW: dict[Any, pa.DataType] = {
    pl.Boolean: pa.bool_(),
    pl.Int8: pa.int8(),
    pl.Int16: pa.int16(),
    pl.Int32: pa.int32(),
    pl.Int64: pa.int64(),
    pl.UInt8: pa.int16(),  # Spark has no unsigned numbers
    pl.UInt16: pa.int32(),
    pl.UInt32: pa.int64(),
    pl.Float32: pa.float32(),
    pl.Float64: pa.float64(),
    pl.String: pa.string(),
    pl.Categorical: pa.string(),
    pl.Enum: pa.string(),
    pl.Binary: pa.binary(),
    pl.Date: pa.date32(),
}


def polars_types(schema: Any, names: Sequence[str]) -> dict[str, pl.DataType]:
    """Types of the columns that are read, or an error that names one that cannot be.

    Parameters
    ----------
    schema : pyspark.sql.types.StructType
    names : sequence of str
        The columns that are read.
    """
    by_name = {field.name: field.dataType for field in schema.fields}
    return {name: _polars_type(name, by_name[name]) for name in names}


def _polars_type(name: str, dtype: Any) -> pl.DataType:
    from pyspark.sql import types

    plain: dict[type, Any] = {
        types.BooleanType: pl.Boolean(),
        types.ByteType: pl.Int8(),
        types.ShortType: pl.Int16(),
        types.IntegerType: pl.Int32(),
        types.LongType: pl.Int64(),
        types.FloatType: pl.Float32(),
        types.DoubleType: pl.Float64(),
        types.StringType: pl.String(),
        types.CharType: pl.String(),
        types.VarcharType: pl.String(),
        types.BinaryType: pl.Binary(),
        types.DateType: pl.Date(),
        types.TimestampType: _UTC,
        types.TimestampNTZType: pl.Datetime("us"),
    }
    if type(dtype) in plain:
        return plain[type(dtype)]
    if isinstance(dtype, types.DecimalType):
        return pl.Decimal(dtype.precision, dtype.scale)
    raise SchemaError(
        f"Column {name!r} is of Spark's type {dtype.simpleString()}, which cannot be "
        "released.",
        column=name,
        hint="Leave it out, or make columns of what it holds.",
    )


def arrow_type(name: str, dtype: Any) -> pa.DataType:
    """The type of a released column as it travels.

    Examples
    --------
    >>> arrow_type("seen", pl.Datetime("ms", "Europe/Madrid"))
    TimestampType(timestamp[us, tz=UTC])
    >>> arrow_type("city", pl.Categorical())
    DataType(string)
    """
    if isinstance(dtype, pl.Datetime):
        return pa.timestamp("us", tz=None if dtype.time_zone is None else "UTC")
    if isinstance(dtype, pl.Decimal):
        return pa.decimal128(dtype.precision or 38, dtype.scale)
    if type(dtype) not in _ARROW:
        raise SchemaError(
            f"Column {name!r} would be released as {dtype}, which Spark cannot hold.",
            column=name,
        )
    return _ARROW[type(dtype)]


def arrow_schema(frame: pl.DataFrame) -> pa.Schema:
    """The names and types in which a frame's records travel."""
    types = frame.schema.items()
    return pa.schema([(sent_name(n), arrow_type(n, dtype)) for n, dtype in types])


def sent_name(name: str) -> str:
    """A column's name as it travels, which Arrow and Spark can read.

    Arrow has no name with a NUL in it, as our own columns have, and Spark takes a name
    with a dot for a part of a structure.

    Examples
    --------
    >>> sent_name("age"), sent_name("\\0leaf"), own_name(sent_name("wall.clock"))
    ('age', '__microcell_006c656166', 'wall.clock')
    """
    plain = not re.search(r"[\0.`]", name) and not name.startswith(OURS)
    return name if plain else OURS + name.encode().hex()


def own_name(sent: str) -> str:
    """The name of a column that has travelled."""
    if not sent.startswith(OURS):
        return sent
    return bytes.fromhex(sent[len(OURS) :]).decode()


def spark_schema(schema: pa.Schema) -> Any:
    """What Spark calls these types, without anything else that a column may say."""
    from pyspark.sql import types

    return types.StructType(
        [types.StructField(field.name, _spark_type(field.type)) for field in schema]
    )


def _spark_type(dtype: pa.DataType) -> Any:
    from pyspark.sql import types

    if pa.types.is_timestamp(dtype):
        return types.TimestampType() if dtype.tz else types.TimestampNTZType()
    if pa.types.is_decimal(dtype):
        return types.DecimalType(dtype.precision, dtype.scale)
    return {
        pa.bool_(): types.BooleanType(),
        pa.int8(): types.ByteType(),
        pa.int16(): types.ShortType(),
        pa.int32(): types.IntegerType(),
        pa.int64(): types.LongType(),
        pa.float32(): types.FloatType(),
        pa.float64(): types.DoubleType(),
        pa.string(): types.StringType(),
        pa.binary(): types.BinaryType(),
        pa.date32(): types.DateType(),
    }[dtype]


def frames(batches: Iterable[pa.RecordBatch]) -> Iterator[pl.DataFrame]:
    """Records of Spark's small batches, many at once.

    Examples
    --------
    >>> two = pa.RecordBatch.from_pydict({"age": [30, 31]})
    >>> [frame.height for frame in frames([two, two])]
    [4]
    """
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(part.num_rows for part in waiting) >= ROWS_TOGETHER:
            yield _frame(waiting)
            waiting = []
    if waiting:
        yield _frame(waiting)


def _frame(batches: list[pa.RecordBatch]) -> pl.DataFrame:
    table = pa.Table.from_batches(batches)
    fields = [
        field.with_type(pa.timestamp("us", tz="UTC"))
        if pa.types.is_timestamp(field.type) and field.type.tz
        else field
        for field in table.schema
    ]
    frame = pl.from_arrow(table.cast(pa.schema(fields)))
    assert isinstance(frame, pl.DataFrame)
    return frame.rename(own_name)


def batches_of(frame: pl.DataFrame, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Records on their way to Spark, in the types that were announced.

    Examples
    --------
    >>> frame = pl.DataFrame({"age": [30, 31]})
    >>> [batch.schema for batch in batches_of(frame, pa.schema({"age": pa.int32()}))]
    [age: int32]
    """
    frame = frame.rename(sent_name)
    table = frame.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(schema)
    yield from table.to_batches(max_chunksize=ROWS_SENT)
