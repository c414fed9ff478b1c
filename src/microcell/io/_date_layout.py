"""How a column of text writes its dates, where it is not in ISO form."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from microcell.io._date_format import (
    fields_of,
    loose_fields,
    moments_of,
    offset_minutes,
    pattern_of_format,
    shifted,
    tokens_of,
)

# Read without a word: nothing else can be meant by them.
DOTTED = ("%d.%m.%Y", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S")
WITH_OFFSET = tuple(
    f"%Y-%m-%d{mark}%H:%M{seconds}%z" for mark in "T " for seconds in (":%S.%f", "")
)
TIMES = ("%H:%M", "%H:%M:%S")  # of a column that is declared a date
# Proposed where they fit, never assumed.
PROPOSED = (
    *(
        f"{day}{time}"
        for day in (
            "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y", "%m-%d-%Y",
            "%d/%m/%y", "%m/%d/%y", "%d.%m.%y", "%y-%m-%d", "%d-%m-%y",
            "%d %b %Y", "%d %B %Y", "%d-%b-%Y", "%b %d, %Y", "%B %d, %Y",
        )
        for time in ("", " %H:%M", " %H:%M:%S", " %I:%M %p")
    ),
    *DOTTED, *TIMES, "%H:%M:%S.%f", "%I:%M %p", "%Y-%m", "%Y/%m", "%m/%Y", "%b %Y",
    "%B %Y",
)  # fmt: skip
MAX_PROPOSED_FORMATS = 2
UTC = "+00:00"


class DateLayout(NamedTuple):
    """How dates, moments or times of day are written.

    Attributes
    ----------
    format : str
        In the notation of `strptime`: what is read.
    shape : str
        In the notation of polars: what is written, with days and months of one digit
        or of two as they came, and with the offset.
    offset : str
        Of all moments, if the format has one.
    mixed : bool
        Whether the column had several offsets; moments are written in UTC then.

    Examples
    --------
    >>> layout = date_layout(pl.Series(["1.2.2024", "12.12.2024"]), "%d.%m.%Y")
    >>> layout.text(layout.number("3.2.2024"))
    '3.2.2024'
    """

    format: str
    shape: str
    offset: str = ""
    mixed: bool = False

    def written(self, moments: pl.Series) -> pl.Series:
        """A column of dates, moments or times as text."""
        if self.offset:
            if moments.dtype.time_zone is not None:  # type: ignore[attr-defined]
                moments = moments.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
            by = int(offset_minutes(pl.Series([self.offset]))[0])
            moments = shifted(moments, by)
        return moments.dt.to_string(self.shape)

    def text(self, stamp: float) -> str:
        """A moment, in microseconds since 1970 or since midnight, as text."""
        moment = pl.Series([int(stamp)]).cast(pl.Datetime("us"))
        of_time = is_of_time(self.format)
        return str(self.written(moment.dt.time() if of_time else moment)[0])

    def number(self, text: str) -> float:
        """Microseconds since 1970 or since midnight; ValueError if it is no date."""
        moment = moments_of(pl.Series([text]), self.format)
        if moment[0] is None:
            raise ValueError("no date of this layout")
        if moment.dtype == pl.Time:
            return float(moment.cast(pl.Int64)[0] // 1000)
        return float(moment.dt.timestamp("us")[0])


def is_of_time(format: str) -> bool:
    """Whether a format is one of times of day."""
    return not set("Yy") & set(fields_of(format))


def date_layout(texts: pl.Series, format: str) -> DateLayout:
    """The layout of texts that are read by a format.

    Parameters
    ----------
    texts : polars.Series
        Without spaces around them; those that do not fit are left out.
    format : str
    """
    fitting = texts.filter(texts.str.contains(pattern_of_format(format)))
    groups = fitting.str.extract_groups(pattern_of_format(format)).struct.unnest()
    offsets = groups["z"].unique().sort() if "z" in groups.columns else pl.Series()
    mixed = offset_minutes(offsets).n_unique() > 1 if len(offsets) else False
    offset = "" if not len(offsets) else UTC if mixed else str(offsets[0])
    return DateLayout(format, _shape(groups, format, offset), offset, mixed)


def _shape(groups: pl.DataFrame, format: str, offset: str) -> str:
    """What writes the texts again, in the notation of polars."""
    bare = [field for field in loose_fields(format) if _without_zero(groups[field])]
    lower = "p" in groups.columns and bool(groups["p"].str.contains("[ap]m").any())
    shape = ""
    for kind, token in tokens_of(format):
        if kind == "text":
            shape += token.replace("%", "%%")
        elif token in bare:
            shape += f"%-{token}"
        elif token == "f":
            shape = shape.removesuffix(".") + _fraction(groups["f"])
        elif token == "z":
            shape += offset
        else:
            shape += "%P" if token == "p" and lower else f"%{token}"
    return shape


def _without_zero(numbers: pl.Series) -> bool:
    """Whether numbers below ten are written with one digit."""
    short = numbers.str.len_bytes().eq(1).any()
    return bool(short and not numbers.str.contains("^0[0-9]").any())


def _fraction(digits: pl.Series) -> str:
    """As many places as the longest fraction has, in steps of three."""
    longest = int(digits.str.len_bytes().max() or 0)  # type: ignore[arg-type]
    return "" if longest == 0 else "%.3f" if longest <= 3 else "%.6f"


def implied_format(known: pl.Series, declared: bool = False) -> str | None:
    """The format that most texts have and that needs no word, or None.

    Parameters
    ----------
    known : polars.Series
        Texts without missing values and spaces around them.
    declared : bool
        Whether the column is declared a date, so that 10:30 is a time of day.
    """
    formats = (*DOTTED, *WITH_OFFSET, *(TIMES if declared else ()))
    shares = {
        format: float(known.str.contains(pattern_of_format(format)).mean() or 0.0)  # type: ignore[arg-type]
        for format in formats
    }
    best = max(formats, key=shares.__getitem__)
    return best if shares[best] >= 0.5 else None


def proposed_formats(known: pl.Series) -> list[str]:
    """Formats to propose: those by which most texts are dates, the best first."""
    fitting = []
    for format in PROPOSED:
        if known.str.contains(pattern_of_format(format)).mean() >= 0.5:  # type: ignore[operator]
            share = float(moments_of(known, format).is_not_null().mean())  # type: ignore[arg-type]
            fitting.append((share, format))
    best = max((share for share, _ in fitting), default=0.0)
    return [f for share, f in fitting if share == best >= 0.5][:MAX_PROPOSED_FORMATS]
