"""Which data types a release may have, and nothing that rides along with them.

A release is written as text or Parquet, read back and compared, so each of its columns
must be one that Arrow knows. Metadata, flags and categories of values that nobody has
would leave with it unseen.
"""

from __future__ import annotations

from typing import Any

import narwhals as nw
import polars as pl
import pyarrow as pa

from microcell.exceptions import SchemaError

NO_SCALARS = (pa.types.is_interval, pa.types.is_decimal256)
SCALARS = (
    pa.types.is_primitive,  # numbers, booleans, dates and times
    pa.types.is_decimal,
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_binary,
    pa.types.is_large_binary,
    pa.types.is_fixed_size_binary,
    pa.types.is_null,
)
LISTS = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
NESTED = (*LISTS, pa.types.is_struct, pa.types.is_map)


def check_releasable(series: nw.Series[Any]) -> None:
    """Refuse a column that cannot be written, or whose type could hide categories.

    Parameters
    ----------
    series : narwhals.Series
    """
    shown = f"Column {series.name!r} has data type {type_name(series)}"
    kind = arrow_type_or_none(series)
    if kind is not None and pa.types.is_dictionary(kind) and not is_nested(kind):
        kind = kind.value_type  # its own unused categories are removed
    if kind is not None and holds_categories(kind):
        raise SchemaError(
            f"{shown}: categories inside of a list or structure, which would name "
            "those that no released record has. Convert them to text, or leave the "
            "column out."
        )
    if kind is None or not is_known(kind):
        raise SchemaError(
            f"{shown}, whose values cannot be written to a file and read back. Convert "
            "it to numbers, text or dates, or leave the column out."
        )


def type_name(series: nw.Series[Any]) -> str:
    """The data type as its own library calls it."""
    native = series.to_native()
    return str(native.type if series.implementation.is_pyarrow() else native.dtype)


def arrow_type_or_none(series: nw.Series[Any]) -> Any:
    """The Arrow type of the values; None if Arrow cannot hold them."""
    if series.implementation.is_polars() and series.to_native().dtype == pl.Object:
        return None  # Arrow would get addresses in memory
    try:
        return series.to_arrow().type
    except (pa.ArrowException, pl.exceptions.PolarsError, TypeError, ValueError):
        return None  # mixed objects, complex and sparse numbers, wide integers


def with_workable_types(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """The table without types that libraries hold, but cannot take apart or group.

    Half floats become floats, views of text and bytes become text and bytes.

    Parameters
    ----------
    frame : narwhals.DataFrame
    """
    views = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    new = []
    for series in frame.iter_columns():
        kind = arrow_type(series)
        if str(series.dtype) == "Float16":
            new.append(series.cast(nw.Float32()))
        elif kind in views:
            native = series.to_native()
            if isinstance(native, pa.ChunkedArray):
                cast = native.cast(views[kind])
            else:
                array = cast_array(native.array, views[kind])
                cast = type(native)(array, index=native.index)
            new.append(nw.from_native(cast, series_only=True).alias(series.name))
    return frame.with_columns(*new)


def arrow_type(series: nw.Series[Any]) -> Any:
    """The Arrow type of a series of pyarrow, or of pandas over Arrow; else None."""
    native = series.to_native()
    if series.implementation.is_pyarrow():
        return native.type
    return getattr(native.dtype, "pyarrow_dtype", None)


def cast_array(array: Any, kind: Any) -> Any:
    """An Arrow array of pandas with another type."""
    return type(array)(pa.chunked_array(array.__arrow_array__()).cast(kind))


def is_nested(kind: Any) -> bool:
    """Whether an Arrow type, or the type of a dictionary's values, holds others."""
    inner = kind.value_type if pa.types.is_dictionary(kind) else kind
    return inner.num_fields > 0 or pa.types.is_dictionary(inner)


def inner_types(kind: Any) -> list[Any]:
    """Types of the values that an Arrow type holds."""
    if pa.types.is_dictionary(kind):
        return [kind.value_type]
    return [kind.field(j).type for j in range(kind.num_fields)]


def holds_categories(kind: Any) -> bool:
    """Whether there is a dictionary in an Arrow type, however deep."""
    return pa.types.is_dictionary(kind) or any(map(holds_categories, inner_types(kind)))


def is_known(kind: Any) -> bool:
    """Whether a table with such values can be written and read back."""
    if any(has(kind) for has in SCALARS):
        return not any(has(kind) for has in NO_SCALARS)
    return any(has(kind) for has in NESTED) and all(map(is_known, inner_types(kind)))


def plain_type(kind: Any) -> Any:
    """An Arrow type without the metadata of its fields.

    Examples
    --------
    >>> kind = pa.list_(pa.field("item", pa.int64(), metadata={"note": "secret"}))
    >>> plain_type(kind).value_field.metadata is None
    True
    """
    fields = [plain_field(kind.field(j)) for j in range(kind.num_fields)]
    if pa.types.is_struct(kind):
        return pa.struct(fields)
    if pa.types.is_map(kind):
        parts = plain_field(kind.key_field), plain_field(kind.item_field)
        return pa.map_(*parts, keys_sorted=kind.keys_sorted)
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(*fields, kind.list_size)
    if pa.types.is_large_list(kind):
        return pa.large_list(*fields)
    return pa.list_(*fields) if pa.types.is_list(kind) else kind


def plain_field(field: Any) -> Any:
    """An Arrow field without metadata, at any depth."""
    return pa.field(field.name, plain_type(field.type), field.nullable)


def bare(frame: Any) -> Any:
    """The native table with its values and names, and nothing else.

    A pandas table gets a new index from 0 and loses `attrs`, flags and the name of its
    columns; Arrow's fields and schemas lose their metadata.

    Parameters
    ----------
    frame : narwhals.DataFrame
    """
    native = frame.to_native()
    if frame.implementation.is_pyarrow():
        fields = [plain_field(field) for field in native.schema]
        return native.cast(pa.schema(fields))
    if frame.implementation.is_pandas():
        arrays = {name: native[name].array for name in frame.columns}
        for name, array in arrays.items():
            if hasattr(array.dtype, "pyarrow_dtype"):
                arrays[name] = cast_array(array, plain_type(array.dtype.pyarrow_dtype))
        return frame.implementation.to_native_namespace().DataFrame(arrays)
    return native
