"""What files of statistical packages say of a column beside its values.

Labels of values and variables, measurement levels, formats, and which values stand for
a missing one. They are learnt when a file is read, kept in the release beside the
layouts of text, and written by a format that can hold them. A label of a value that no
released record has is not written: it would tell that somebody had it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from microcell._patterns import MAX_EXACT_INTEGER

CATEGORICAL = ("nominal", "ordinal")


class ColumnNotes(NamedTuple):
    """What is noted of a column.

    Attributes
    ----------
    dtype : polars data type
        Of the column that it was noted of; what is said of values holds for columns of
        the same type, not for means of integers or for intervals.
    program : str
        Whose file it was: "SPSS", "Stata" or "SAS".
    label : str
        The variable label.
    values : dict
        Labels of values.
    measure : {"nominal", "ordinal", "scale", ""}
        The measurement level; empty if the file does not say it.
    format : str
        How the program shows values.
    missing : tuple
        What stands for a missing value, as the program declares it: pairs of a lowest
        and a highest value.
    kinds : polars.Series or None
        Of each record what stood in the place of a missing value: the code, or the
        letter of Stata's .a to .z; null elsewhere.

    Examples
    --------
    >>> sex = ColumnNotes(pl.Int64, "SPSS", "Sex", {1: "male", 2: "female"}, "nominal")
    >>> sex.of_values(pl.Series("sex", [1, 1, 1])).values
    {1: 'male'}
    """

    dtype: Any
    program: str
    label: str = ""
    values: Mapping[Any, str] = {}
    measure: str = ""
    format: str = ""
    missing: tuple[tuple[Any, Any], ...] = ()
    kinds: pl.Series | None = None

    def at(self, rows: Sequence[int] | np.ndarray) -> ColumnNotes:
        """The notes of some records, by their numbers."""
        if self.kinds is None:
            return self
        return self._replace(kinds=self.kinds[np.asarray(rows)])

    def of_masked(self, categories: bool) -> ColumnNotes:
        """The notes of a masked column, whose gaps are no longer anybody's.

        Labels of values are those of categories; those of numbers have become means.
        """
        values = self.values if categories else {}
        return self._replace(values=values, missing=(), kinds=None)

    def of_values(self, series: pl.Series) -> ColumnNotes:
        """The notes as far as they hold for what is released of the column."""
        if series.dtype != self.dtype:
            return self._replace(values={}, format="", missing=(), kinds=None)
        used = set(series.unique().to_list())
        kinds = self.kinds if self.kinds is not None and self.kinds.count() else None
        missing = self.missing
        if kinds is None:
            missing = ()
        else:
            there = kinds.drop_nulls().unique()
            used |= set(there.to_list())
            missing = tuple(
                (low, high)
                for low, high in missing
                if there.is_between(low, high).any()
            )
        values = {value: text for value, text in self.values.items() if value in used}
        return self._replace(values=values, missing=missing, kinds=kinds)


def notes_in(
    layouts: Mapping[str, Any], frame: pl.DataFrame, program: str
) -> dict[str, ColumnNotes]:
    """The notes among layouts, as far as they hold for the columns of a table.

    Parameters
    ----------
    layouts : mapping
    frame : polars.DataFrame
        What is written.
    program : str
        Whose file it goes to: what another one declared missing is only missing.
    """
    found = {}
    for name in frame.columns:
        notes = layouts.get(name)
        if isinstance(notes, ColumnNotes):
            if notes.program != program:
                notes = notes._replace(format="", missing=(), kinds=None)
            found[name] = notes.of_values(frame[name])
    return found


def kind_noted(series: pl.Series, notes: ColumnNotes) -> str | None:
    """The kind that a column is noted to have; None if the notes do not say it.

    Whole numbers are categories if their measurement level says so, or if every value
    has a label; text and other types speak for themselves.

    Examples
    --------
    >>> codes = pl.Series("region", [1, 2, 2, None])
    >>> kind_noted(codes, ColumnNotes(pl.Int64, "Stata", values={1: "N", 2: "S"}))
    'nominal'
    >>> kind_noted(codes, ColumnNotes(pl.Int64, "Stata", values={1: "low"}))
    """
    if not series.dtype.is_integer():
        return None
    if notes.measure in CATEGORICAL:
        return notes.measure
    if notes.measure == "scale":
        return "numeric"
    labelled = {value for value in notes.values if isinstance(value, int)}
    known = set(series.drop_nulls().unique().to_list())
    return "nominal" if known and known <= labelled else None


def whole_as_integers(series: pl.Series) -> pl.Series:
    """Floats as integers if all are whole, as programs without integers hold them."""
    if not series.dtype.is_float() or series.null_count() == len(series):
        return series
    exact = series.abs() <= MAX_EXACT_INTEGER
    whole = ((series == series.round()) & exact).all()
    return series.cast(pl.Int64) if whole else series
