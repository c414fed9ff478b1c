"""Whether the first line of a text table names its columns or is a record.

A file without a header would lose a record, and every error that lists the columns
would show one. Only what can be told is refused; no value is ever shown.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from microcell._patterns import pattern_of
from microcell.exceptions import InputError

HEADER_RECORDS = 1000  # records
SHOWN = 8  # fields whose pattern is shown
YEARS = (1900, 2100)
DATE_OR_MOMENT = (
    r"^\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})"
    r"([T ]\d{1,2}:\d{2}.*)?\s*$"
)


def check_repeated(header: Sequence[str], file: str | Path) -> None:
    """Refuse names that repeat; the line may be a record, so none is shown."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(header, start=1):
        places.setdefault(name, []).append(place)
    repeated = next((found for found in places.values() if len(found) > 1), None)
    if repeated:
        shown = pattern_of(header[repeated[0] - 1])
        raise InputError(
            f"{file} has repeated column names: fields {repeated} of line 1 are the "
            f"same (pattern {shown!r}). Rename the columns, or add a header."
        )


def check_names_columns(frame: pl.DataFrame, file: str | Path) -> None:
    """Refuse a first line that looks like the records below it.

    A column of numbers or dates says "record" if its header is one too and looks like
    its values, "names" otherwise. In a table of text alone, a header that is also a
    value of its column says "record".

    Parameters
    ----------
    frame : polars.DataFrame
        Text, with the first line as names.
    file : path
        What the file is called in errors.
    """
    top = frame.head(HEADER_RECORDS)
    verdicts = [_looks_like_its_values(name, top[name]) for name in frame.columns]
    told = [verdict for verdict in verdicts if verdict is not None]
    if told:
        a_record = sum(told) > len(told) / 2 and not _counted_up(frame.columns)
    else:
        alike = _are_values(top)
        a_record = alike >= 2 and alike > frame.width / 2
    if a_record:
        shown = ", ".join(pattern_of(name) for name in frame.columns[:SHOWN])
        more = ", ..." if frame.width > SHOWN else ""
        raise InputError(
            f"{file}, line 1 looks like a record, not like column names (pattern "
            f"{shown}{more}). Add a line with the names of the columns; if it is one, "
            "rename those that look like values."
        )


def _looks_like_its_values(name: str, values: pl.Series) -> bool | None:
    """None for a column that is neither all numbers nor all dates."""
    text = values.str.strip_chars()
    known = text.filter((text != "") & text.is_not_null())
    if known.is_empty():
        return None
    if known.str.contains(DATE_OR_MOMENT).all():
        return bool(pl.Series([name]).str.contains(DATE_OR_MOMENT).all())
    numbers = known.cast(pl.Float64, strict=False).drop_nans()
    if numbers.null_count() > 0 or numbers.is_empty():
        return None
    number = pl.Series([name.strip()]).cast(pl.Float64, strict=False)[0]
    if number is None or number != number:
        return False
    low, high = float(numbers.min()), float(numbers.max())  # type: ignore[arg-type]
    if _is_year(number) and not (_is_year(low) and _is_year(high)):
        return False  # the column of a year
    seen = low <= number <= high
    return seen or pattern_of(name) in set(map(pattern_of, known.unique().head(100)))


def _is_year(number: float) -> bool:
    return number.is_integer() and YEARS[0] <= number <= YEARS[1]


def _counted_up(header: Sequence[str]) -> bool:
    """Whether the numbers in a header are 0, 1, 2 or 2019, 2020: names, not values."""
    numbers = [int(name) for name in header if name.isascii() and name.isdigit()]
    steps = {later - earlier for earlier, later in itertools.pairwise(numbers)}
    return len(steps) == 1 and steps.pop() > 0


def _are_values(top: pl.DataFrame) -> int:
    """Columns whose name is a value of theirs, in records that do not repeat it all."""
    is_name = top.select(pl.col(name) == name for name in top.columns)
    if is_name.width == 0:
        return 0
    kept = is_name.filter(~pl.all_horizontal(pl.all()))
    return sum(bool(column.any()) for column in kept.get_columns())
