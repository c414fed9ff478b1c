"""How a text file writes moments: as it was read, so it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from microcell._patterns import DATE, MOMENT, UTC_MOMENT


def layouts_of(frame: pl.DataFrame, names: Sequence[str]) -> dict[str, str]:
    """How columns of text write their moments, for `moments_as_text`.

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


def moments_as_text(frame: pl.DataFrame, layouts: Mapping[str, str]) -> pl.DataFrame:
    """Moments as text: in the layout they were read in, or as fine as they are.

    Parameters
    ----------
    frame : polars.DataFrame
    layouts : mapping of str to str
        As `layouts_of` gives them.

    Examples
    --------
    >>> from datetime import datetime
    >>> frame = pl.DataFrame({"at": [datetime(2024, 12, 31, 10, 30)]})
    >>> moments_as_text(frame, {"at": "%Y-%m-%d %H:%M"}).item()
    '2024-12-31 10:30'
    >>> moments_as_text(frame, {}).item()
    '2024-12-31T10:30'
    """
    moments = [series for series in frame.iter_columns() if series.dtype == pl.Datetime]
    return frame.with_columns(
        series.dt.to_string(layouts.get(series.name) or _finest(series))
        for series in moments
    )


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
