"""A table of any library, opened: named, distinct columns, and at least one record."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any

import narwhals as nw
import pyarrow as pa

from microcell._forked import refuse_polars_after_fork
from microcell.columns._releasable import with_workable_types
from microcell.exceptions import InputError, SchemaError

OURS = (
    nw.Implementation.PANDAS,
    nw.Implementation.POLARS,
    nw.Implementation.PYARROW,
)
ELSEWHERE = {  # libraries whose tables are not in memory, or of another kind
    "polars": "It is lazy: collect() it first.",
    "dask": "Make it a pandas table with compute() first.",
    "modin": "Make it a pandas table with modin.to_pandas() first.",
    "pyspark": "microcell.spark.anonymize takes Spark's DataFrames.",
}


def as_table(table: Any) -> Any:
    """A table of pandas, polars or pyarrow; of a stream of Arrow it is made here.

    A stream, such as a RecordBatchReader or a relation of DuckDB, may be read once
    only, and may give its rows in another order the next time.

    Examples
    --------
    >>> batches = pa.table({"age": [30, 41]}).to_reader()
    >>> as_table(batches)["age"].to_pylist()
    [30, 41]
    """
    try:
        known = nw.from_native(table, eager_only=True, pass_through=True)
    except nw.exceptions.DuplicateError:
        _check_distinct(_names_of(table))
        raise
    if isinstance(known, nw.DataFrame) and known.implementation in OURS:
        return table
    kind = type(table)
    library = kind.__module__.partition(".")[0]
    if library not in ELSEWHERE and hasattr(table, "__arrow_c_stream__"):
        made = None
        with suppress(pa.ArrowException, ValueError):  # a column is no table
            made = pa.table(table)
        if made is not None:
            return as_table(made)
    name = kind.__name__ if library == "builtins" else f"{library}'s {kind.__name__}"
    raise TypeError(
        "The table must be a pandas, polars or pyarrow dataframe in memory, or a "
        f"stream of Arrow. Got {name} instead. "
        f"{ELSEWHERE.get(library, 'Release a file with anonymize_file.')}"
    )


def _names_of(table: Any) -> list[Any]:
    of_arrow = isinstance(table, pa.Table)
    return list(table.column_names if of_arrow else table.columns)


def _check_distinct(names: list[Any]) -> None:
    repeated = sorted(str(n) for n, times in Counter(names).items() if times > 1)
    if repeated:
        raise SchemaError(
            f"Column names must be unique; the table repeats {repeated}.",
            hint="Rename them, or leave one of each out.",
        )


def open_frame(table: Any) -> nw.DataFrame[Any]:
    """The table as a narwhals dataframe.

    Anything but a dataframe with named, distinct columns and at least one record is
    an error.
    """
    refuse_polars_after_fork()
    table = as_table(table)
    frame = nw.from_native(table, eager_only=True)
    if frame.implementation.is_pandas():
        check_index(table.index)
    columns = _names_of(table)
    strange = [name for name in columns if not isinstance(name, str)]
    if strange:
        raise SchemaError(
            f"Column names must be text. Got {strange[0]!r} among them; rename it."
        )
    if any("\0" in name for name in columns):
        raise SchemaError("A column name holds a NUL character. Rename it.")
    _check_distinct(columns)
    if len(frame) == 0:
        raise InputError("The table has no records.")
    return with_workable_types(frame)


def check_index(index: Any) -> None:
    """Refuse a pandas index that says more than a number of a row.

    It is a column without a role. Plain numbers of rows, as filtering leaves them,
    are not released: the release is numbered anew.
    """
    plain = index.nlevels == 1 and index.name is None
    if not plain or not (index.dtype.kind in "iu" or len(index) == 0):
        raise SchemaError(
            "The table's index has names or values of its own, and no role. Turn it "
            "into columns with reset_index() and give them a role, or leave it out "
            "with reset_index(drop=True)."
        )
