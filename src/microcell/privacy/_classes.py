"""Equivalence classes of a released table, with counts that can be added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from microcell._forked import refuse_polars_after_fork

PEOPLE = "\0people"  # no column of a file has such a name


@dataclass(frozen=True)
class ClassCounts:
    """How many people share each combination of released values.

    The combinations are kept, so that counts of parts of a table can be added and
    give the counts of the whole, if no person has records in two parts.

    Attributes
    ----------
    frame : polars.DataFrame
        One row for each combination, its count in the last column.

    Examples
    --------
    >>> upper = count_classes(pl.DataFrame({"age": [30, 30]}), ["age"])
    >>> lower = count_classes(pl.DataFrame({"age": [30, 41]}), ["age"])
    >>> (upper + lower).sizes
    array([1, 3])
    """

    frame: pl.DataFrame

    def __add__(self, other: ClassCounts) -> ClassCounts:
        both = pl.concat([self.frame, other.frame], how="vertical_relaxed")
        keys = [name for name in both.columns if name != PEOPLE]
        return ClassCounts(both.group_by(keys).agg(pl.col(PEOPLE).sum()))

    @property
    def sizes(self) -> np.ndarray:
        """Sizes of the classes, in ascending order."""
        return np.sort(self.frame[PEOPLE].to_numpy()).astype(np.int64)


def count_classes(
    table: Any, columns: Sequence[str], units: np.ndarray | None = None
) -> ClassCounts:
    """Count the people of each equivalence class on the table itself.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table.
    columns : sequence of str
        Columns that make records equal; a missing value is a value of its own.
    units : ndarray of shape (n_records,), optional
        Whose record it is; by default every record is a person.
    """
    frame = as_polars(table, columns)
    count = pl.len() if units is None else pl.col(PEOPLE).n_unique()
    if units is not None:
        frame = frame.with_columns(pl.Series(PEOPLE, units))
    counts = frame.group_by(list(columns)).agg(count.alias("\0count"))
    return ClassCounts(counts.rename({"\0count": PEOPLE}))


def class_sizes(
    table: Any, quasi_identifiers: Sequence[str], units: np.ndarray | None = None
) -> np.ndarray:
    """Sizes of the equivalence classes, counted on the table itself.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table.
    quasi_identifiers : sequence of str
        Columns that make records equal; a missing value is a value of its own.
    units : ndarray of shape (n_records,), optional
        Whose record it is, if sizes are to count people and not records.

    Returns
    -------
    sizes : ndarray of shape (n_classes,)
        In ascending order.

    Examples
    --------
    >>> class_sizes(pl.DataFrame({"age": [30, 30, 41], "sex": ["f", "f", "m"]}),
    ...             ["age", "sex"])
    array([1, 2])
    """
    return count_classes(table, quasi_identifiers, units).sizes


def class_codes(table: Any, columns: Sequence[str]) -> np.ndarray:
    """Equivalence class of each record, numbered by its first record.

    Examples
    --------
    >>> class_codes(pl.DataFrame({"age": [41, 30, 41, None]}), ["age"])
    array([0, 1, 0, 2])
    """
    frame = as_polars(table, columns)
    first = frame.with_row_index(PEOPLE).select(
        pl.col(PEOPLE).first().over(list(columns))
    )
    return np.unique(first.to_series().to_numpy(), return_inverse=True)[1]


def value_codes(table: Any, column: str | Sequence[str]) -> np.ndarray:
    """Confidential value of each record, numbered by its first record.

    All that is missing is one value: null, not a number, and an empty text, which a
    text file cannot tell from null. Of several columns the combination is the value.

    Examples
    --------
    >>> value_codes(pl.DataFrame({"ill": ["flu", "", "flu", None]}), "ill")
    array([0, 1, 0, 1])
    """
    names = [column] if isinstance(column, str) else list(column)
    frame = as_polars(table, names)
    return class_codes(
        frame.with_columns(_one_missing(frame[name]) for name in names), names
    )


def _one_missing(values: pl.Series) -> pl.Series:
    if values.dtype == pl.String:
        return values.replace("", None)
    return values.fill_nan(None) if values.dtype.is_float() else values


def as_polars(table: Any, columns: Sequence[str]) -> pl.DataFrame:
    """Columns of a table in the library that counts; categories as their text.

    Categories of two tables may be numbered differently, their text is the same.
    """
    refuse_polars_after_fork()
    frame = nw.from_native(table, eager_only=True).select(*columns).to_polars()
    words = [n for n, t in frame.schema.items() if t in (pl.Categorical, pl.Enum)]
    return frame.with_columns(pl.col(words).cast(pl.String)) if words else frame
