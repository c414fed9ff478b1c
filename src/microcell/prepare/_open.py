"""A table of any library, opened: named, distinct columns, and at least one record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals as nw

from microcell._forked import refuse_polars_after_fork
from microcell.exceptions import InputError, SchemaError
from microcell.prepare._releasable import with_workable_types

if TYPE_CHECKING:
    pass


def open_frame(table: Any) -> nw.DataFrame[Any]:
    """The table as a narwhals dataframe.

    Anything but a dataframe with named, distinct columns and at least one record is
    an error.
    """
    refuse_polars_after_fork()
    try:
        frame = nw.from_native(table, eager_only=True)
    except TypeError:
        raise TypeError(
            "The table must be a pandas, polars or pyarrow dataframe in memory. "
            f"Got {type(table).__name__} instead; collect a lazy one first, and "
            "release a file with anonymize_file."
        ) from None
    if frame.implementation.is_pandas():
        check_index(table.index)
    of_arrow = frame.implementation.is_pyarrow()
    columns = list(table.column_names if of_arrow else table.columns)
    strange = [name for name in columns if not isinstance(name, str)]
    if strange:
        raise SchemaError(
            f"Column names must be text. Got {strange[0]!r} among them; rename it."
        )
    if any("\0" in name for name in columns):
        raise SchemaError("A column name holds a NUL character. Rename it.")
    repeated = sorted({str(name) for name in columns if columns.count(name) > 1})
    if repeated:
        raise SchemaError(
            f"Column names must be unique; the table repeats {repeated}. Rename them."
        )
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
