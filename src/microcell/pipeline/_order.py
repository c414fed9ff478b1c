"""The order of records in a file: by their released values, so that it tells nothing.

The order of the source is known to whoever has another table in that order: a release
that keeps it can be laid beside it, row by row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

SORTED = "files are sorted by their released values"
KEPT = (
    "files keep the order of the source: whoever has a table in that order can lay "
    "them side by side"
)
WORDS = {"sorted": SORTED, "keep": KEPT}


def canonical_order(frame: pl.DataFrame, written: pl.DataFrame) -> np.ndarray:
    """Row numbers that sort a table by its columns, whatever order it came in.

    Tables with the same rows give the same file. Missing values come first, NaN last,
    categories have the order of their text.

    Parameters
    ----------
    frame : polars.DataFrame
        What is released.
    written : polars.DataFrame
        The same as a file shows it: values that it cannot tell apart may not be told
        apart by their order either.

    Returns
    -------
    rows : ndarray of shape (n_records,)

    Examples
    --------
    >>> frame = pl.DataFrame({"age": [60.0, 33.0, 33.0], "ill": ["flu", "gout", None]})
    >>> canonical_order(frame, frame)
    array([2, 1, 0])
    """
    columns = list(zip(frame.iter_columns(), written.iter_columns(), strict=True))
    keys = [_key(values, shown) for values, shown in columns]
    keys += [bits for _, shown in columns if (bits := _bits(shown)) is not None]
    keys += [shown for values, shown in columns if _has_kinds(values, shown)]
    named = pl.DataFrame([key.alias(str(j)) for j, key in enumerate(keys)])
    rows = named.select(pl.arg_sort_by(named.columns)).to_series()
    return rows.to_numpy().astype(np.int64)


def _key(values: pl.Series, shown: pl.Series) -> pl.Series:
    """What a column is sorted by: its values, as far as they are shown."""
    if shown.dtype in (pl.Categorical, pl.Enum):
        return shown.cast(pl.String)
    if shown.dtype == values.dtype:
        return shown
    both = pl.DataFrame([values.alias("value"), shown.alias("shown")])
    return both.select(pl.col("value").min().over("shown")).to_series()


def _has_kinds(values: pl.Series, shown: pl.Series) -> bool:
    """Whether missing values are told apart where they are shown."""
    return bool((values.is_null() & shown.is_not_null()).any())


def _bits(series: pl.Series) -> pl.Series | None:
    """What tells apart floats that compare as equal: 0.0 and -0.0, NaN and NaN."""
    if series.dtype.is_float():
        if not ((series == 0) | series.is_nan()).any():
            return None
        floats = series.to_numpy()
        return pl.Series(floats.view(f"i{floats.itemsize}"))
    apart = _with_text(series.dtype)
    return None if apart == series.dtype else series.cast(apart)


def _with_text(dtype: Any) -> Any:
    """A nested data type with text in the place of floats."""
    if isinstance(dtype, pl.List):
        return pl.List(_with_text(dtype.inner))
    if isinstance(dtype, pl.Array):
        return pl.Array(_with_text(dtype.inner), dtype.size)
    if isinstance(dtype, pl.Struct):
        return pl.Struct([pl.Field(f.name, _with_text(f.dtype)) for f in dtype.fields])
    return pl.String() if dtype.is_float() else dtype
