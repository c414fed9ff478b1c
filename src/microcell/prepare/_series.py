"""What only dataframe libraries know: series made like another, and dictionaries."""

import narwhals as nw
import numpy as np
import pyarrow as pa


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
    if original.implementation.is_pandas() and dtype.is_float():
        family = original.to_native().dtype
        native = new.to_native()
        if original.dtype == dtype:
            return nw.from_native(native.astype(family), series_only=True)
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
    array = series.to_arrow()
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if pa.types.is_dictionary(array.type):  # its dictionary may hold unused values
        array = array.dictionary_decode()
    encoded = array.dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return codes, encoded.dictionary.to_pylist()


def first_rows(codes):
    """The first record of each code 0 to m - 1; -1 for a code that does not occur."""
    first = np.full(codes.max(initial=-1) + 1, -1)
    first[codes[::-1]] = np.arange(codes.shape[0])[::-1]
    return first
