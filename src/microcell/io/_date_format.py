"""Formats of dates, as `strptime` writes them: what they read, and what they lose."""

from __future__ import annotations

import re
from functools import cache

import polars as pl

from microcell.exceptions import InputError

MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
LONG_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|"
    "december"
)
ONE_OR_TWO = "mdHI"  # fields of one or two digits; of two where no mark ends them
FIELDS = {
    "Y": "[0-9]{4}",
    "y": "[0-9]{2}",
    "m": "[0-9]{1,2}",
    "d": "[0-9]{1,2}",
    "b": f"(?i:{'|'.join(MONTHS)})",
    "B": f"(?i:{LONG_MONTHS})",
    "H": "[0-9]{1,2}",
    "I": "[0-9]{1,2}",
    "p": "(?i:am|pm)",
    "M": "[0-9]{2}",
    "S": "[0-5][0-9]",
    "f": "[0-9]{1,6}",
    "z": "Z|[+-]([01][0-9]|2[0-3]):?[0-5][0-9]",
}
PIVOT = 69  # a year of two digits: 69 is 1969 and 68 is 2068, as Python reads them


@cache
def tokens_of(format: str) -> tuple[tuple[str, str], ...]:
    """Fields and the texts between them: pairs ("field", "d") and ("text", ".").

    Examples
    --------
    >>> tokens_of("%d.%m")
    (('field', 'd'), ('text', '.'), ('field', 'm'))
    """
    tokens = []
    for directive, text in re.findall(r"%(.?)|([^%]+)", format, flags=re.DOTALL):
        if text or directive == "%":
            tokens.append(("text", text or "%"))
        else:
            tokens.append(("field", directive))
    return tuple(tokens)


def fields_of(format: str) -> list[str]:
    """The fields of a format, in its order."""
    return [token for kind, token in tokens_of(format) if kind == "field"]


def check_format(column: str, format: object) -> str:
    """Return the format if dates can be read and written by it without loss.

    Examples
    --------
    >>> check_format("born", "%d.%m.%Y")
    '%d.%m.%Y'
    >>> check_format("born", "%d.%m.")
    Traceback (most recent call last):
    ...
    microcell.exceptions.InputError: The format '%d.%m.' of column 'born' has no year,
    which would be lost. A date has ...
    """
    if not isinstance(format, str):
        raise _refused(column, format, "is no text")
    fields = fields_of(format)
    unknown = next((field for field in fields if field not in FIELDS), None)
    if unknown is not None:
        shown = ", ".join(f"%{field}" for field in FIELDS)
        raise _refused(
            column, format, f"has %{unknown}, which is not among {shown} and %%"
        )
    for words, wrong in _losses(format, fields):
        if wrong:
            raise _refused(column, format, words)
    return format


def _losses(format: str, fields: list[str]) -> list[tuple[str, bool]]:
    """What may be wrong with known fields, each with whether it is."""
    has = {name: name in fields for name in FIELDS}
    year, month = has["Y"] or has["y"], has["m"] or has["b"] or has["B"]
    hour = has["H"] or has["I"]
    day_time = year and month and has["d"]
    several = [sum(fields.count(f) for f in same) > 1 for same in ("Yy", "mbB", "HI")]
    return [
        ("has no field", not fields),
        ("says one thing twice", len(set(fields)) < len(fields) or any(several)),
        ("has no year, which would be lost", (month or has["d"]) and not year),
        ("has a day without a month", has["d"] and not month),
        ("has no hour, which would be lost", (has["M"] or has["S"]) and not hour),
        ("has no minute, which would be lost", has["S"] and not has["M"]),
        ("has hours to 12 (%I) without %p", has["I"] != has["p"]),
        ("has a time of no day", hour and year and not day_time),
        ("has an offset (%z) of no date and time", has["z"] and not (year and hour)),
        (
            "has a fraction that does not follow seconds and a point",
            has["f"] and "%S.%f" not in format,
        ),
    ]


def _refused(column: str, format: object, words: str) -> InputError:
    return InputError(
        f"The format {format!r} of column {column!r} {words}.",
        column=column,
        option="dates",
        hint="A date has a year, or a year and a month, or also a day, and then maybe "
        "a time; a time of day has an hour: %d.%m.%Y, %Y-%m, %d/%m/%y %H:%M, %H:%M.",
    )


@cache
def pattern_of_format(format: str) -> str:
    """The pattern of texts in a format, with a named group for each field."""
    tokens = tokens_of(format)
    parts = []
    for place, (kind, token) in enumerate(tokens):
        if kind == "text":
            fraction = tokens[place + 1 : place + 2] == (("field", "f"),)
            text = token.removesuffix(".") if fraction else token
            parts.append(re.escape(text))
        elif token == "f":  # a whole second may have none
            parts.append(rf"(?:\.(?P<f>{FIELDS['f']}))?")
        else:
            tight = token in ONE_OR_TWO and token not in loose_fields(format)
            parts.append(f"(?P<{token}>{'[0-9]{2}' if tight else FIELDS[token]})")
    return f"^{''.join(parts)}$"


@cache
def loose_fields(format: str) -> tuple[str, ...]:
    """Fields that may have one digit or two, since a mark ends them.

    Examples
    --------
    >>> loose_fields("%Y%m%d %H:%M")
    ('H',)
    """
    tokens = tokens_of(format)
    loose = []
    for place, (kind, token) in enumerate(tokens):
        beside = tokens[max(place - 1, 0) : place] + tokens[place + 1 : place + 2]
        tight = any(kind == "field" and field != "p" for kind, field in beside)
        if kind == "field" and token in ONE_OR_TWO and not tight:
            loose.append(token)
    return tuple(loose)


def moments_of(texts: pl.Series, format: str) -> pl.Series:
    """Texts as dates, moments or times of day; null if they are none.

    Parameters
    ----------
    texts : polars.Series
        Without spaces around them.
    format : str
        One that `check_format` lets pass.

    Returns
    -------
    moments : polars.Series
        Dates if the format has no time, times if it has no date; moments with an
        offset are instants of UTC.

    Examples
    --------
    >>> moments_of(pl.Series(["31.12.2024", "31.4.2024"]), "%d.%m.%Y").to_list()
    [datetime.date(2024, 12, 31), None]
    """
    fields = fields_of(format)
    groups = texts.str.extract_groups(pattern_of_format(format)).struct.unnest()
    day = pl.concat_str(_year(fields), _month(fields), _two("d", fields), separator="-")
    time = pl.concat_str(
        _hour(fields), _two("M", fields, "00"), _two("S", fields, "00"), separator=":"
    )
    fraction = pl.col("f").fill_null("0") if "f" in fields else pl.lit("0")
    moments = (
        groups.select(day + pl.lit(" ") + time + pl.lit(".") + fraction)
        .to_series()
        .alias(texts.name)
        .str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us", strict=False)
    )
    if "z" in fields:
        return shifted(moments, -offset_minutes(groups["z"])).dt.replace_time_zone(
            "UTC"
        )
    if "Y" not in fields and "y" not in fields:
        return moments.dt.time()
    return moments if "H" in fields or "I" in fields else moments.dt.date()


def shifted(moments: pl.Series, minutes: pl.Series | int) -> pl.Series:
    """Moments moved by minutes, one number for all or one for each."""
    by = minutes if isinstance(minutes, pl.Series) else pl.Series([minutes])
    frame = pl.DataFrame({"at": moments}).with_columns(
        by.alias("by") if len(by) == len(moments) else pl.lit(by[0]).alias("by")
    )
    moved = frame.select(pl.col("at") + pl.duration(minutes=pl.col("by")))
    return moved.to_series().alias(moments.name)


def offset_minutes(offsets: pl.Series) -> pl.Series:
    """Minutes east of Greenwich.

    Examples
    --------
    >>> offset_minutes(pl.Series(["Z", "+02:00", "-0330"])).to_list()
    [0, 120, -210]
    """
    signs = offsets.str.starts_with("-").cast(pl.Int64) * -2 + 1
    digits = offsets.str.replace("^Z$", "+0000").str.replace_all("[+:-]", "")
    hours = digits.str.slice(0, 2).cast(pl.Int64)
    return signs * (hours * 60 + digits.str.slice(2, 2).cast(pl.Int64))


def _two(field: str, fields: list[str], default: str = "01") -> pl.Expr:
    return pl.col(field).str.zfill(2) if field in fields else pl.lit(default)


def _year(fields: list[str]) -> pl.Expr:
    if "y" not in fields:
        return pl.col("Y") if "Y" in fields else pl.lit("1970")
    late = pl.col("y").cast(pl.Int64) >= PIVOT
    return pl.when(late).then(pl.lit("19")).otherwise(pl.lit("20")) + pl.col("y")


def _month(fields: list[str]) -> pl.Expr:
    name = next((field for field in "bB" if field in fields), None)
    if name is None:
        return _two("m", fields)
    numbers = {month: f"{place:02d}" for place, month in enumerate(MONTHS, start=1)}
    return pl.col(name).str.to_lowercase().str.slice(0, 3).replace_strict(numbers)


def _hour(fields: list[str]) -> pl.Expr:
    if "I" not in fields:
        return _two("H", fields, "00")
    hour = pl.col("I").cast(pl.Int64)
    later = pl.when(pl.col("p").str.to_lowercase() == "pm").then(12).otherwise(0)
    of_clock = pl.when(hour.is_between(1, 12)).then(hour % 12 + later)
    return of_clock.cast(pl.String).str.zfill(2)
