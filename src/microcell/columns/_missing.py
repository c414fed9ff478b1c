"""Missing values: what marks them, which there are, and which records take part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw
import numpy as np
import pyarrow as pa

from microcell._patterns import EVERY_COLUMN, MAX_EXACT_INTEGER
from microcell.columns._series import arrow_dictionary, arrow_values
from microcell.columns._text_types import MISSING_MARKS, number_or_none
from microcell.exceptions import InputError, SchemaError, sentence

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Marks(NamedTuple):
    """What stands for a missing value.

    Attributes
    ----------
    common : tuple of str
        Texts that do in any column of text.
    own : dict
        Marks of a column; those that are numbers do in a column of numbers too.
    """

    common: tuple = ()
    own: dict = {}  # noqa: RUF012

    def texts(self, name: str) -> tuple[Any, ...]:
        """Texts that stand for a missing value in a column."""
        return tuple(dict.fromkeys([*self.common, *self.own.get(name, ())]))

    def numbers(self, name: str) -> list[Any]:
        """Numbers that stand for a missing value in a column."""
        return numbers_of(self.own.get(name, ()))

    def also(self, text: Any) -> Marks:
        """These marks and one more text."""
        return Marks((text, *self.common), self.own)


def as_marks(marks: Sequence[Any]) -> Marks:
    """Marks of every column, where only texts are given."""
    return marks if isinstance(marks, Marks) else Marks(tuple(marks))


def marks_of(missing_marks: Any, as_text: bool, names: Sequence[str] = ()) -> Marks:
    """The marks of a table; in a text file an empty field always is one.

    Parameters
    ----------
    missing_marks : sequence, mapping or None
        Marks of all the named columns, which replace the usual ones; or those of each
        column, which add to them ("*" stands for all columns).
    as_text : bool
        Whether the usual marks of a text file are meant, if no others are given.
    names : sequence of str
        The quasi-identifiers.

    Examples
    --------
    >>> marks_of(["-"], as_text=True)
    Marks(common=('', '-'), own={})
    >>> marks_of({"age": ["999"]}, as_text=False, names=["age"])
    Marks(common=(), own={'age': ('999',)})
    """
    by_column = _by_column(missing_marks)
    given = by_column.pop(EVERY_COLUMN, None)
    common = tuple(given or ())
    own = {name: (*common, *marks) for name, marks in by_column.items()}
    if common:
        own = dict.fromkeys(names, common) | own
    if not as_text:
        return Marks(common, own)
    usual = MISSING_MARKS if given is None else common
    return Marks(tuple(dict.fromkeys(["", *usual])), own)


def _by_column(missing_marks: Any) -> dict[str, Any]:
    """Marks as they were given, those of all columns under "*"."""
    if missing_marks is None or isinstance(missing_marks, Mapping):
        return dict(missing_marks or {})
    return {EVERY_COLUMN: missing_marks}


def numbers_of(marks: Sequence[Any]) -> list[Any]:
    """The numbers among marks that floats hold exactly.

    Examples
    --------
    >>> numbers_of(["-9", "NA", "99.5"])
    [-9.0, 99.5]
    """
    numbers = [number_or_none(mark) for mark in marks]
    return [n for n in numbers if n is not None and abs(n) <= MAX_EXACT_INTEGER]


def is_marked(
    series: nw.Series[Any], marks: Marks | Sequence[str]
) -> NDArray[Any] | None:
    """Which values a column's marks stand for.

    Parameters
    ----------
    series : narwhals.Series
    marks : Marks or sequence of str

    Returns
    -------
    mask : ndarray of shape (n_samples,) or None
        None if no mark can stand in such a column.
    """
    marks = as_marks(marks)
    texts, numbers = marks.texts(series.name), marks.numbers(series.name)
    if texts and series.dtype == nw.String:
        return series.is_in(list(texts)).fill_null(False).to_numpy()
    if numbers and series.dtype.is_numeric():
        floats = series.cast(nw.Float64())
        return floats.is_in(numbers).fill_null(False).to_numpy()
    return None


def unused_marks(
    frame: Any, read: Any, names: Sequence[str], missing_marks: Any
) -> list[str]:
    """Marks that somebody named and that stand nowhere, for a notice.

    Parameters
    ----------
    frame, read : narwhals.DataFrame
        The table as it came, and with its text read.
    names : sequence of str
        The quasi-identifiers.
    missing_marks : sequence, mapping or None
        As the user gave them.

    Returns
    -------
    notices : list of str
    """
    notices = []
    for column, marks in _by_column(missing_marks).items():
        columns, nowhere = [column], f"does not stand in column {column!r}"
        if column == EVERY_COLUMN:
            columns, nowhere = list(names), "stands in no quasi-identifier"
        for mark in marks:
            one = Marks(own=dict.fromkeys(columns, (mark,)))
            tables = [t[name] for t in (frame, read) for name in columns]
            masks = [is_marked(series, one) for series in tables]
            if mark != "" and not any(m is not None and m.any() for m in masks):
                notices.append(f"the missing mark {mark!r} {nowhere}")
    return notices


def is_missing(series: nw.Series[Any], marks: Sequence[Any] = ()) -> np.ndarray:
    """Which values are missing: null, not a number, or marked so."""
    if arrow_dictionary(series) is not None:  # which may hold a null in its dictionary
        values = pa.chunked_array([arrow_values(series)])
        series = nw.from_native(values, series_only=True).alias(series.name)
    mask = series.is_null().to_numpy()
    marked = is_marked(series, marks)
    if marked is not None:
        mask = mask | marked
    if series.dtype.is_float():
        mask = mask | series.is_nan().fill_null(False).to_numpy()
    return mask.astype(bool)


def records_to_keep(absent: Mapping[str, np.ndarray], missing: str) -> np.ndarray:
    """Which records take part, by what they miss and the policy for it.

    Parameters
    ----------
    absent : dict of ndarray
        Which values of each quasi-identifier are missing.
    missing : str
        The policy; "error" is one if there are any.
    """
    counts = {name: int(mask.sum()) for name, mask in absent.items() if mask.any()}
    if counts and missing == "error":
        raise missing_values(counts)
    gaps = np.logical_or.reduce(list(absent.values()))
    kept: np.ndarray = ~gaps if missing == "drop" else np.ones_like(gaps)
    if not kept.any():
        raise none_left(counts)
    return kept


def missing_values(counts: Mapping[str, int]) -> SchemaError:
    """The error of missing values that nobody spoke of, by column."""
    return SchemaError(
        f"Missing values in the quasi-identifiers: {_listed(counts)}.",
        column=next(iter(counts)),
        option="missing",
        hint=sentence(
            "Say what becomes of them: a category of their own ({missing='category'}), "
            "filled by a model ({missing='impute'}), left out of the means "
            "({missing='ignore'}), or left out with their records ({missing='drop'})."
        ),
    )


def none_left(counts: Mapping[str, int]) -> InputError:
    """The error of a table whose records all miss a value."""
    return InputError(
        f"Every record misses a quasi-identifier, and none is left: {_listed(counts)}.",
        option="missing",
        hint="Leave out columns that are mostly missing.",
    )


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name!r} ({count})" for name, count in counts.items())
