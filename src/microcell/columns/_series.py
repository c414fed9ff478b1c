"""What only dataframe libraries know: series made like another, and dictionaries."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
import pyarrow as pa

from microcell.columns._releasable import arrow_type, check_releasable, type_name
from microcell.exceptions import SchemaError


def series_like(original: Any, values: Any, dtype: Any) -> nw.Series[Any]:
    """A series with the name and library of `original` and new values.

    pandas has several families of data types; a float stays in its family.

    Parameters
    ----------
    original : narwhals.Series
    values : ndarray or list
    dtype : narwhals data type
    """
    new = nw.new_series(original.name, values, dtype, backend=original.implementation)
    if not original.implementation.is_pandas():
        return new
    family = original.to_native().dtype
    if original.dtype != dtype:
        if not dtype.is_float() or isinstance(family, np.dtype):
            return new
        # Int64 and its like allow missing values
        of_arrow = str(family).endswith("[pyarrow]")
        family = "double[pyarrow]" if of_arrow else "Float64"
    return nw.from_native(new.to_native().astype(family), series_only=True)


def empty_like(series: nw.Series[Any]) -> nw.Series[Any]:
    """A series of the same name, library and data type without a value.

    A slice would still hold the memory of all values, and Arrow sends it along.
    """
    native = series.to_native()
    if series.implementation.is_pyarrow():
        empty = pa.chunked_array([], native.type)
    elif series.implementation.is_pandas():
        empty = type(native)([], dtype=native.dtype)
    else:
        empty = native.clear()
    return nw.from_native(empty, series_only=True).alias(series.name)


def dictionary(series: nw.Series[Any]) -> tuple[np.ndarray, list[str]]:
    """Codes of the values, numbered as first seen, and the distinct values.

    Parameters
    ----------
    series : narwhals.Series
        Without missing values.

    Returns
    -------
    codes : ndarray of shape (n_samples,)
    values : list
    """
    try:
        encoded = arrow_values(series).dictionary_encode()
    except pa.ArrowException:
        raise SchemaError(
            f"Column {series.name!r} has data type {type_name(series)}, whose values "
            "cannot be told apart as categories. Convert it to text."
        ) from None
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return codes, encoded.dictionary.to_pylist()


def arrow_values(series: nw.Series[Any]) -> Any:
    """The values as one Arrow array; a dictionary is written out."""
    check_releasable(series)
    array = series.to_arrow()
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if pa.types.is_dictionary(array.type):  # its dictionary may hold unused values
        array = array.dictionary_decode()
    return array


def arrow_dictionary(series: nw.Series[Any]) -> Any:
    """The Arrow dictionary array that a series of pyarrow or pandas is; else None."""
    kind = arrow_type(series)
    if kind is None or not pa.types.is_dictionary(kind):
        return None
    native = series.to_native()
    of_arrow = isinstance(native, pa.ChunkedArray)
    return native if of_arrow else pa.chunked_array(native.array.__arrow_array__())


def ordered_categories(series: nw.Series[Any]) -> list[Any] | None:
    """Categories of a data type that orders them, lowest first; else None."""
    coded = arrow_dictionary(series)
    if coded is not None:
        if not coded.type.ordered:
            return None
        return coded.unify_dictionaries().chunk(0).dictionary.to_pylist()
    return list(series.dtype.categories) if isinstance(series.dtype, nw.Enum) else None


def is_ordered(series: Any) -> bool:
    """Whether the data type says that its categories have an order.

    An Enum of polars only lists them: they have an order if somebody says so.
    """
    lists = series.implementation.is_polars() and series.dtype == nw.Enum
    return not lists and ordered_categories(series) is not None


def without_unused_categories(series: nw.Series[Any]) -> nw.Series[Any]:
    """The series with a data type that names only categories that occur in it.

    A category that nobody has in the release would still tell that somebody had it.
    """
    order = ordered_categories(series)
    coded = arrow_dictionary(series)
    native = series.to_native()
    if coded is not None:
        new = compact_dictionary(coded, order)
        if series.implementation.is_pandas():
            new = type(native)(type(native.array)(new), index=native.index)
    elif series.dtype != nw.Categorical and order is None:
        return series
    elif series.implementation.is_pandas():
        new = native.cat.remove_unused_categories()
    elif order is None:
        new = native.cast(pl.String).cast(pl.Categorical)
    else:
        used = set(native.unique().cast(pl.String).to_list())
        kept = pl.Enum([value for value in order if value in used])
        new = native.cast(pl.String).cast(kept)
    return nw.from_native(new, series_only=True).alias(series.name)


def compact_dictionary(coded: Any, order: list[Any] | None = None) -> Any:
    """An Arrow dictionary array whose dictionary holds what occurs, in its order."""
    encoded = coded.combine_chunks().dictionary_decode().dictionary_encode()
    words = encoded.dictionary.to_pylist()
    present = set(words)
    used = [value for value in dict.fromkeys(order or words) if value in present]
    places = {value: place for place, value in enumerate(used)}
    where = pa.array([places[value] for value in words], coded.type.index_type)
    words = pa.array(used, coded.type.value_type)
    rows = where.take(encoded.indices)
    new = pa.DictionaryArray.from_arrays(rows, words, ordered=coded.type.ordered)
    return pa.chunked_array([new])


def spread_out(series: nw.Series[Any], there: np.ndarray) -> nw.Series[Any]:
    """The values of a shorter series where `there` says, and null elsewhere.

    Parameters
    ----------
    series : narwhals.Series
        As many values as `there` has true ones.
    there : ndarray of bool
    """
    places = np.where(there, np.cumsum(there) - 1, 0)
    native = series.to_native()
    if series.implementation.is_polars():
        rows = pl.Series(places, dtype=pl.UInt32).set(pl.Series(~there), None)
        new = native.gather(rows)
    elif series.implementation.is_pyarrow():
        new = native.take(pa.array(places, mask=~there))
    else:
        new = native.reset_index(drop=True).reindex(np.where(there, places, -1))
        new = new.reset_index(drop=True)
    return nw.from_native(new, series_only=True).alias(series.name)


def first_rows(codes: np.ndarray) -> np.ndarray:
    """The first record of each code 0 to m - 1; -1 for a code that does not occur."""
    first = np.full(codes.max(initial=-1) + 1, -1)
    first[codes[::-1]] = np.arange(codes.shape[0])[::-1]
    return first
