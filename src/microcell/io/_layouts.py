"""How a text file writes numbers and moments: as it was read, so it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from microcell._patterns import DATE, MOMENT, UTC_MOMENT
from microcell.io._date_layout import DateLayout
from microcell.io._notes import ColumnNotes
from microcell.io._number_layout import NumberLayout

Layout = str | DateLayout | NumberLayout | ColumnNotes  # text: of moments in ISO form
MOMENTS = (pl.Date, pl.Datetime, pl.Time)


def layouts_of(frame: pl.DataFrame, names: Sequence[str]) -> dict[str, str]:
    """How columns of text write moments in ISO form, for `as_text`.

    Parameters
    ----------
    frame : polars.DataFrame
        As `read_table` returns it.
    names : sequence of str
        Columns to look at.

    Returns
    -------
    layouts : dict
        Of each column that holds dates or moments, in the notation of `strftime`.
        Seconds and their fractions are in it if any value has them.

    Examples
    --------
    >>> frame = pl.DataFrame({"at": ["2024-12-31 10:30", ""], "age": ["31", "33"]})
    >>> layouts_of(frame, ["at", "age"])
    {'at': '%Y-%m-%d %H:%M'}
    """
    layouts = {}
    for name in names:
        if name not in frame.columns or frame[name].dtype != pl.String:
            continue
        texts = frame[name].str.strip_chars()
        texts = texts.filter(texts.str.slice(4, 1) == "-")  # 2024-: the rest is slow
        if texts.str.contains(DATE).any():
            layouts[name] = "%Y-%m-%d"  # for libraries without dates of their own
            continue
        texts = texts.filter(texts.str.contains(f"{MOMENT}|{UTC_MOMENT}"))
        if texts.is_empty():
            continue
        seconds = texts.str.contains(r":[0-9]{2}:").any()
        fine = [texts.str.contains(rf"\.[0-9]{{{n},}}").any() for n in (1, 4)]
        zone = texts.str.extract(r"(Z|\+00:?00)$")[0] or ""
        layouts[name] = _layout(texts[0][10], seconds, 3 * sum(fine), zone)
    return layouts


def as_text(frame: pl.DataFrame, layouts: Mapping[str, Layout]) -> pl.DataFrame:
    """Numbers and moments as text, in the layout they were read in.

    Moments without a layout are written as fine as they are; dates and numbers
    without one are left to the writer of the file.

    Parameters
    ----------
    frame : polars.DataFrame
    layouts : mapping
        Layouts of columns; that of a column that is text already is not needed.

    Examples
    --------
    >>> from datetime import datetime
    >>> frame = pl.DataFrame({"at": [datetime(2024, 12, 31, 10, 30)], "fee": [1234.5]})
    >>> layouts = {"at": "%Y-%m-%d %H:%M", "fee": NumberLayout(",", ".")}
    >>> as_text(frame, layouts).row(0)
    ('2024-12-31 10:30', '1.234,5')
    >>> as_text(frame, {}).row(0)
    ('2024-12-31T10:30', 1234.5)
    """
    return frame.with_columns(
        _written(series, layouts.get(series.name)) for series in frame.iter_columns()
    )


def _written(series: pl.Series, layout: Layout | None) -> pl.Series:
    if series.dtype.is_numeric() and isinstance(layout, NumberLayout):
        return layout.written(series)
    if series.dtype in MOMENTS and isinstance(layout, DateLayout):
        return layout.written(series)
    if series.dtype == pl.Datetime:
        shape = layout if isinstance(layout, str) else _finest(series)
        return series.dt.to_string(shape)
    if series.dtype == pl.Time:
        return _time_as_text(series)
    return series


def _time_as_text(series: pl.Series) -> pl.Series:
    """Times of day to the minute or the second, if all are whole; else as they are."""
    nanoseconds = series.cast(pl.Int64)
    for shape, seconds in (("%H:%M", 60), ("%H:%M:%S", 1)):
        if not (nanoseconds % (seconds * 10**9) != 0).any():
            return series.dt.to_string(shape)
    return series


def _finest(series: pl.Series) -> str:
    """The shortest layout that loses nothing of a column of moments."""
    stamps = series.dt.timestamp("us")
    places = [n for n in (0, 3) if not (stamps % 10 ** (6 - n) != 0).any()]
    seconds = bool((stamps % (60 * 10**6) != 0).any())
    zone = "%:z" if series.dtype.time_zone else ""  # type: ignore[attr-defined]
    return _layout("T", seconds, min(places, default=6), zone)


def _layout(mark: str, seconds: bool, places: int, zone: str) -> str:
    fraction = "" if places == 0 else "%.3f" if places <= 3 else "%.6f"
    return f"%Y-%m-%d{mark}%H:%M{':%S' * seconds}{fraction}{zone}"
