"""What the text of a column stands for: numbers, dates or categories.

A text file has no types, and neither has a table whose columns are all text; the text
of a column that is declared numeric or a date is read here too, whatever library it is
in. This is the one place that turns text into types.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl
import pyarrow as pa

from microcell._patterns import (
    BEYOND,
    DATE,
    DAY,
    MAX_EXACT_INTEGER,
    MOMENT,
    NUMBER,
    UTC_MOMENT,
    WHOLE,
    place_and_pattern,
)
from microcell.columns._kinds import ENCODERS
from microcell.exceptions import Option, SchemaError, Words, column_error, sentence
from microcell.io import (
    implied_format,
    moments_of,
    number_layout,
    pattern_of_format,
    proposed_formats,
)
from microcell.kernels.number_text import NumberText, look_at_numbers

HOLDS = "of the release holds"
MISSING_MARKS = ("", "NA", "N/A", "NaN", "nan", "null", "NULL")
CODE_WITH_ZERO = r"^[+-]?0[0-9]"  # 02139 is a code, not the number 2139
DECIMAL_MARKS = (".", ",")
LAYOUTS = (DATE, MOMENT, UTC_MOMENT)  # of dates that are read

# Numbers and dates that people read and that are not read here: as categories they
# would be published as they stand, so a column of them is an error.
CURRENCY = (
    r"\p{Sc}|EUR|USD|GBP|CHF|JPY|CNY|INR|BRL|MXN|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF"
)
MARKED_NUMBER = (
    rf"^\(?([+-]|{CURRENCY}|\s)*[0-9]+([.,'\u2019\s_][0-9]+)*([.,]-)?"
    rf"([eE][+-]?[0-9]+)?\s*(%|‰|{CURRENCY})?\)?$"
)
MONTH = (
    "(?i:jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|"
    "sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)"
)
OTHER_DATE = "|".join(
    (
        r"^[0-9]{1,4}([./-])\s?[0-9]{1,2}[./-]\s?[0-9]{1,4}\b",  # 31.12.2024
        rf"^{DAY}[Tt\s]",  # with an offset, or in another way
        r"^[0-9]{4}[-/](0[1-9]|1[0-2])$",  # 2024-12
        r"^[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?",  # 10:30
        rf"^[0-9]{{1,4}}[\s.-]*{MONTH}\b",  # 31 Dec 2024
        rf"^{MONTH}[\s.]+[0-9]{{1,4}}\b",  # December 31, 2024
    )
)
ANY_DATE = "|".join((*LAYOUTS, OTHER_DATE))
# Share of records from which a column is taken for what they hold.
MIN_SHARE_OF_KIND = 0.5
WAYS_OUT = sentence(
    "If it marks a missing value, name it in {missing_marks}; else correct it, convert "
    "the column first, or declare it nominal to publish it as categories."
)


class Reading(NamedTuple):
    """What is known of the text of a table.

    Attributes
    ----------
    decimal : {".", ","} or None
        The decimal mark of its numbers; None for plain numbers only.
    dates : mapping of str to str
        Formats of columns with dates, as `strptime` writes them.
    """

    decimal: str | None = None
    dates: Mapping[str, str] = {}

    def kind(self, name: str, kinds: Any) -> Any:
        """The declared kind of a column; one that has a format is a date."""
        return kinds.get(name, "date" if name in self.dates else None)


PLAIN = Reading()


def read_text(
    series: nw.Series[Any],
    kind: str | None,
    missing_marks: Sequence[str] = (),
    records: np.ndarray | None = None,
    *,
    decimal: str | None = None,
    format: str | None = None,
) -> nw.Series[Any]:
    """A text column as what it is declared to be, or seems to stand for.

    Parameters
    ----------
    series : narwhals.Series
        Text, of any library.
    kind : str, sequence or None
        The declared kind.
    missing_marks : sequence of str
        Texts that stand for a missing value.
    records : ndarray of shape (n_samples,), optional
        Number of each record in the table, for errors; by default from 1.
    decimal : {".", ","}, optional
        The decimal mark. Then numbers may have thousands marks and percent signs too.
    format : str, optional
        How dates are written; the column is one of dates then.

    Returns
    -------
    series : narwhals.Series
        Of the same library; the same object if it stays text.
    """
    text = _as_text(series)
    typed = _typed(text, kind, missing_marks, records, decimal, format)
    if typed.dtype == pl.String and typed.equals(text, null_equal=True):
        return series
    native: Any = typed
    if series.implementation.is_pyarrow():
        native = typed.to_frame().to_arrow()[series.name]
    elif series.implementation.is_pandas():  # which has no dates without a time
        native = typed.cast(pl.Datetime("us")) if typed.dtype == pl.Date else typed
        gaps = typed.dtype.is_integer() and typed.null_count() > 0
        of_arrow = gaps or typed.dtype == pl.Time  # numpy has neither
        native = native.to_pandas(use_pyarrow_extension_array=of_arrow)
        native = native.astype("Int64") if gaps else native
        native.index = series.to_native().index
    return nw.from_native(native, series_only=True).alias(series.name)


def known_texts(series: nw.Series[Any], missing_marks: Sequence[str] = ()) -> pl.Series:
    """The texts of a narwhals series that are not missing, without spaces around."""
    text = _as_text(series)
    known = text.filter(~text.is_in(list(missing_marks)).fill_null(True))
    return known.str.strip_chars()


def _as_text(series: nw.Series[Any]) -> pl.Series:
    return pl.Series(series.name, series.to_arrow()).cast(pl.String)


def number_or_none(value: Any) -> float | None:
    """The number that a text stands for.

    Examples
    --------
    >>> number_or_none(" 12 "), number_or_none("1e3"), number_or_none("1_000")
    (12.0, 1000.0, None)
    """
    text = value.strip() if isinstance(value, str) else ""
    return float(text) if re.fullmatch(NUMBER, text) else None


def refuse_first(
    name: str,
    values: Sequence[Any],
    codes: np.ndarray,
    wrong: Iterable[bool],
    which: str,
    records: Any = None,
    *,
    holds: str = "holds",
    hint: Words = "",
    option: str | None = None,
) -> None:
    """Refuse the values of a column that are wrong, by the pattern of the first.

    Parameters
    ----------
    name : str
    values : sequence
        Distinct ones.
    codes : ndarray of shape (n_samples,)
        Place of the value of each record.
    wrong : iterable of bool
        Which values are wrong.
    which : str
        What is wrong with them.
    records : ndarray of shape (n_samples,), optional
        Number of each record in the table; by default from 1.
    """
    first = next((place for place, bad in enumerate(wrong) if bad), None)
    if first is not None:
        row = int(np.argmax(codes == first))
        seen = place_and_pattern(values[first], _number(row, records))
        raise column_error(name, f"{holds} {seen}, {which}", hint, option)


def _number(row: int, records: np.ndarray | None) -> int:
    """Number of a record in the table, from 1."""
    return row + 1 if records is None else int(records[row])


def type_columns(
    frame: pl.DataFrame,
    names: Sequence[str],
    kinds: Mapping[str, Any] | None = None,
    missing_marks: Sequence[str] = MISSING_MARKS,
    mixed: str = "error",
) -> pl.DataFrame:
    """Give the named text columns the data type that their values stand for.

    Other columns stay as they are, so that what is released as it is keeps its text.

    Parameters
    ----------
    frame : polars.DataFrame
        As `read_table` returns it.
    names : sequence of str
        Columns to look at; those that are not in the frame are left to the schema.
    kinds : mapping, optional
        Declared kinds, as in `Schema`.
    missing_marks : sequence of str
        Texts that stand for a missing value.
    mixed : {"error", "text"}
        What becomes of a column that holds mostly numbers or dates, but not only.

    Returns
    -------
    frame : polars.DataFrame

    Examples
    --------
    >>> frame = pl.DataFrame({"age": ["31", "NA"], "zip": ["02139", "90210"]})
    >>> type_columns(frame, ["age", "zip"]).schema
    Schema([('age', Int64), ('zip', String)])
    """
    kinds = kinds or {}
    typed = [
        _typed_or_text(frame[name], missing_marks)
        if mixed == "text"
        else _typed(frame[name], kinds.get(name), missing_marks)
        for name in names
        if name in frame.columns and frame[name].dtype == pl.String
    ]
    return frame.with_columns(typed)


def _typed_or_text(series: pl.Series, missing_marks: Sequence[str]) -> pl.Series:
    """The typed column if its text can be made again from it to the letter."""
    text = series.set(series.is_in(list(missing_marks)), None)
    try:
        typed = _typed(series, None, missing_marks)
    except SchemaError:
        return text
    return typed if typed.cast(pl.String).equals(text, null_equal=True) else text


def _typed(
    series: pl.Series,
    kind: Any,
    missing_marks: Sequence[str],
    records: Any = None,
    decimal: str | None = None,
    format: str | None = None,
) -> pl.Series:
    text = series.set(series.is_in(list(missing_marks)), None)
    encoder = ENCODERS.of(kind)
    stays = kind is not None and not encoder.ordered
    if stays or text.null_count() == len(text):
        return text
    if kind is None and decimal is None and format is None:
        looks = _looks_of(text)
        if looks.numbers:  # as most are that programs write
            return text if looks.zero_led else _cast_numbers(text, None, looks.whole)
    values = text.str.strip_chars()
    known = values.drop_nulls()
    if format is not None:
        return _by_format(values, format, records)
    if encoder.moments:
        return _as_dates(values, records, declared=True)
    if encoder.measured:
        return _as_numbers(values, records, decimal, declared=True)
    seems = what_texts_seem(known, decimal)
    if kind is not None:  # an order: of numbers, or of texts
        numbers = seems == "numbers" and not _orders_text(kind)
        stays = not numbers or _beyond(values, decimal)
        return text if stays else _cast_numbers(values, decimal)
    if seems == "numbers":
        return _cast_numbers(values, decimal)
    if seems == "mostly dates":
        return _as_dates(values, records)
    if seems == "mostly numbers":
        return _as_numbers(values, records, decimal)
    return text


def what_texts_seem(
    known: pl.Series, decimal: str | None = None, counts: np.ndarray | None = None
) -> str:
    """What a column of text holds, if nobody says it.

    Parameters
    ----------
    known : polars.Series
        Texts without missing values and spaces around them: all, or distinct ones.
    decimal : {".", ","}, optional
        The decimal mark of the table.
    counts : ndarray, optional
        Records that have each text, if they are distinct.

    Returns
    -------
    seems : {"numbers", "mostly dates", "mostly numbers", "text"}
        Codes with zeros in front are text.

    Examples
    --------
    >>> what_texts_seem(pl.Series(["12", "?"])), what_texts_seem(pl.Series(["01", "2"]))
    ('mostly numbers', 'text')
    """
    number = NUMBER if decimal is None else number_layout(known, decimal).pattern
    if known.str.contains(number).all():
        return "text" if known.str.contains(CODE_WITH_ZERO).any() else "numbers"
    if _share(known, ANY_DATE, counts) >= MIN_SHARE_OF_KIND:
        return "mostly dates"
    numbers = _share(known, f"{number}|{NUMBER}|{MARKED_NUMBER}", counts)
    return "mostly numbers" if numbers >= MIN_SHARE_OF_KIND else "text"


def _orders_text(kind: Any) -> bool:
    return not isinstance(kind, str) and any(isinstance(value, str) for value in kind)


def _share(known: pl.Series, pattern: str, counts: np.ndarray | None = None) -> float:
    """Share of texts, or of the records that have them, with a pattern."""
    fitting = known.str.contains(pattern).to_numpy()
    return float(np.average(fitting, weights=counts))


def _first(values: pl.Series, wrong: pl.Series, records: Any) -> str:
    """The first value that is wrong: its record, counted from 1, and its pattern."""
    row = int(wrong.fill_null(False).arg_max() or 0)
    return place_and_pattern(values[row], _number(row, records))


def _as_numbers(
    values: pl.Series, records: Any, decimal: str | None, declared: bool = False
) -> pl.Series:
    layout = None if decimal is None else number_layout(values.drop_nulls(), decimal)
    wrong = ~values.str.contains(NUMBER if layout is None else layout.pattern)
    if wrong.any():
        seems = "is declared numeric" if declared else "looks like numbers"
        read = f"Numbers are read as 1234{decimal or '.'}5" + (
            ", all with the same thousands mark and percent sign, or all without."
            if decimal
            else "."
        )
        raise column_error(
            values.name,
            f"{seems} but holds {_first(values, wrong, records)}. {read}",
            [*_decimals(values.drop_nulls(), decimal), *WAYS_OUT],
        )
    return _cast_numbers(values, decimal)


def _looks_of(text: pl.Series) -> NumberText:
    """What the texts of a column look like that are there."""
    arrow = text.drop_nulls().to_arrow().cast(pa.large_string())
    _, offsets, data = arrow.buffers()
    places = np.frombuffer(offsets, np.int64)[arrow.offset :][: len(arrow) + 1]
    letters = np.frombuffer(b"" if data is None else data, np.uint8)
    return look_at_numbers(letters, places)


def _cast_numbers(
    values: pl.Series, decimal: str | None, n_whole: int | None = None
) -> pl.Series:
    """Text that is all numbers, as whole ones if all of them are."""
    if n_whole == 0:
        return values.cast(pl.Float64)
    values = _plain(values, decimal)
    whole = values.str.contains(WHOLE)
    if _too_long(values, whole):
        raise column_error(values.name, BEYOND, "")
    return values.cast(pl.Int64 if whole.all() else pl.Float64)


def _plain(values: pl.Series, decimal: str | None) -> pl.Series:
    """Numbers as programs write them."""
    if decimal is None:
        return values
    return number_layout(values.drop_nulls(), decimal).plain(values)


def _decimals(known: pl.Series, tried: str | None) -> list[str | Option]:
    """The decimal marks by which most of a column is numbers, as ways out.

    One that reads no more of it than the one that was tried is none.
    """
    layouts = {mark: number_layout(known, mark) for mark in DECIMAL_MARKS}
    by_mark = {mark: _share(known, own.pattern) for mark, own in layouts.items()}
    read = _share(known, NUMBER) if tried is None else by_mark[tried]
    fitting = [m for m, share in by_mark.items() if share >= 0.5 and share > read]
    ways = [Option("decimal", mark) for mark in fitting]
    return _ways_out("Say which mark is the decimal one with ", ways)


def _formats(values: pl.Series) -> list[str | Option]:
    """The formats by which most of a column is dates, as ways out."""
    proposed = proposed_formats(values.drop_nulls())
    ways = [Option("dates", {values.name: format}) for format in proposed]
    return _ways_out("Say how it is written with ", ways)


def _ways_out(words: str, ways: Sequence[Option]) -> list[str | Option]:
    """Any of several ways, as the beginning of a hint; nothing if there is none."""
    between: list[str | Option] = []
    for way in ways:
        between += [" or " if between else words, way]
    return [*between, ". "] if between else []


def _beyond(values: pl.Series, decimal: str | None = None) -> bool:
    """Whether there are whole numbers that floats cannot hold."""
    values = _plain(values, decimal)
    return _too_long(values, values.str.contains(WHOLE))


def _too_long(values: pl.Series, whole: pl.Series) -> bool:
    """Whether floats cannot hold some of the numbers that are whole."""
    signed = values.filter(whole.fill_null(False))
    digits = signed.str.strip_chars_start("+-").str.strip_chars_start("0")
    largest = str(MAX_EXACT_INTEGER)
    length = digits.str.len_bytes()
    as_long = digits.filter(length == len(largest))  # which sort as their numbers do
    return bool((length > len(largest)).any() or (as_long > largest).any())


def date_format(known: pl.Series, declared: bool = False) -> str | None:
    """The format of dates that are read without a word, though not in ISO form."""
    if any(_share(known, layout) == 1 for layout in LAYOUTS):
        return None
    implied = implied_format(known, declared)
    if implied is None:
        return None
    share = _share(known, pattern_of_format(implied))
    return implied if share > max(_share(known, layout) for layout in LAYOUTS) else None


def _by_format(values: pl.Series, format: str, records: Any) -> pl.Series:
    """Dates in a format; a text that does not fit, or is no date, is an error."""
    wrong = ~values.str.contains(pattern_of_format(format))
    if wrong.any():
        raise column_error(
            values.name,
            f"holds {_first(values, wrong, records)}, which is not in the format "
            f"{format!r}.",
            [*_formats(values), *WAYS_OUT],
        )
    return _possible(values, moments_of(values, format), records)


def _as_dates(values: pl.Series, records: Any, declared: bool = False) -> pl.Series:
    """Dates or moments, if all values have one layout; else an error."""
    implied = date_format(values.drop_nulls(), declared)
    if implied is not None:
        return _by_format(values, implied, records)
    fitting = [values.str.contains(layout) for layout in LAYOUTS]
    layout = max(range(len(LAYOUTS)), key=lambda place: fitting[place].sum())
    wrong = ~fitting[layout]
    if wrong.any():
        seems = "is declared a date" if declared else "looks like dates"
        raise column_error(
            values.name,
            f"{seems} but holds {_first(values, wrong, records)}. Dates are read if "
            "all are written as 2024-12-31, or all as 2024-12-31 10:30 or "
            "2024-12-31T10:30:00, or all with an offset, or all as 31.12.2024.",
            [*_formats(values), *WAYS_OUT],
        )
    if LAYOUTS[layout] == DATE:
        dates = values.str.to_date("%Y-%m-%d", strict=False)
    else:
        dates = _moments(values, LAYOUTS[layout] == UTC_MOMENT)
    return _possible(values, dates, records)


def _possible(values: pl.Series, dates: pl.Series, records: Any) -> pl.Series:
    """The dates, if all texts are some; 30 February is none, nor is the year 0."""
    impossible = dates.is_null() & values.is_not_null()
    if dates.dtype != pl.Time:
        impossible = impossible | (dates.dt.year() < 1).fill_null(False)
    if impossible.any():
        raise column_error(
            values.name,
            f"holds {_first(values, impossible, records)}, which is no date.",
            sentence(
                "Correct it, name another format in {dates}, or declare the column "
                "nominal."
            ),
        )
    return dates


def _moments(values: pl.Series, of_utc: bool) -> pl.Series:
    texts = values.str.replace("T", " ").str.replace(r"(Z|\+00:?00)$", "")
    texts = texts.str.replace(r"^(.{16})$", "${1}:00")  # 10:30 is 10:30:00
    moments = texts.str.to_datetime(
        "%Y-%m-%d %H:%M:%S%.f", time_unit="us", strict=False
    )
    return moments.dt.replace_time_zone("UTC") if of_utc else moments
