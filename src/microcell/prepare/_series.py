"""What only dataframe libraries know: series made like another, and dictionaries."""

import narwhals as nw
import numpy as np
import polars as pl
import pyarrow as pa

from microcell.base import SchemaError


def series_like(original, values, dtype):
    """A series with the name and library of `original` and new values.

    pandas has several families of data types; a float stays in its family.

    Parameters
    ----------
    original : narwhals.Series
    values : ndarray or list
    dtype : narwhals data type
    """
    new = nw.new_series(original.name, values, dtype, backend=original.implementation)
    if original.implementation.is_pandas() and original.dtype == dtype:
        family = original.to_native().dtype
        return nw.from_native(new.to_native().astype(family), series_only=True)
    if original.implementation.is_pandas() and dtype.is_float():
        family = original.to_native().dtype
        native = new.to_native()
        if str(family).endswith("[pyarrow]"):
            return nw.from_native(native.astype("double[pyarrow]"), series_only=True)
        if not isinstance(family, np.dtype):  # Int64 and its like allow missing values
            return nw.from_native(native.astype("Float64"), series_only=True)
    return new


def dictionary(series):
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
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
        raise SchemaError(
            f"Column {series.name!r} has values that cannot be told apart as "
            "categories. Convert it to text."
        ) from None
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return codes, encoded.dictionary.to_pylist()


def arrow_values(series):
    """The values as one Arrow array; a dictionary is written out."""
    array = series.to_arrow()
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if pa.types.is_dictionary(array.type):  # its dictionary may hold unused values
        array = array.dictionary_decode()
    return array


def ordered_categories(series):
    """Categories of a data type that orders them, lowest first; else None."""
    if series.dtype == nw.Enum:
        return list(series.dtype.categories)
    if series.implementation.is_pyarrow():
        kind = series.to_native().type
        if pa.types.is_dictionary(kind) and kind.ordered:
            return (
                series.to_native().unify_dictionaries().chunk(0).dictionary.to_pylist()
            )
    return None


def without_unused_categories(series):
    """The series with a data type that names only categories that occur in it.

    A category that nobody has in the release would still tell that somebody had it.
    """
    order = ordered_categories(series)
    if series.dtype != nw.Categorical and order is None:
        return series
    native = series.to_native()
    if series.implementation.is_pandas():
        new = native.cat.remove_unused_categories()
    elif series.implementation.is_polars():
        if order is None:
            new = native.cast(pl.String).cast(pl.Categorical)
        else:
            used = set(native.unique().cast(pl.String).to_list())
            kept = pl.Enum([value for value in order if value in used])
            new = native.cast(pl.String).cast(kept)
    else:
        new = _compact_dictionary(native, order)
    return nw.from_native(new, series_only=True).alias(series.name)


def _compact_dictionary(native, order):
    array = native.combine_chunks()
    encoded = array.dictionary_decode().dictionary_encode()
    if order is not None:
        used = [
            value for value in order if value in set(encoded.dictionary.to_pylist())
        ]
        places = {value: place for place, value in enumerate(used)}
        where = np.array([places[v] for v in encoded.dictionary.to_pylist()])
        indices = pa.array(where[encoded.indices.to_numpy(zero_copy_only=False)])
        indices = indices.cast(native.type.index_type)
        words = pa.array(used, native.type.value_type)
        encoded = pa.DictionaryArray.from_arrays(indices, words, ordered=True)
    return pa.chunked_array([encoded])


def first_rows(codes):
    """The first record of each code 0 to m - 1; -1 for a code that does not occur."""
    first = np.full(codes.max(initial=-1) + 1, -1)
    first[codes[::-1]] = np.arange(codes.shape[0])[::-1]
    return first
