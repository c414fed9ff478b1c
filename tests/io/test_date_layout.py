"""Dates by format: read as Python reads them, written as they came."""

import datetime as dt

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each

from microcell.exceptions import InputError
from microcell.io import (
    check_format,
    date_layout,
    implied_format,
    moments_of,
    proposed_formats,
)

FORMATS = [
    "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%y", "%Y%m%d", "%d.%m.%Y %H:%M", "%Y-%m", "%Y",
    "%H:%M", "%H:%M:%S", "%H:%M:%S.%f", "%Y-%m-%dT%H:%M:%S%z", "%I:%M %p", "%d %b %Y",
    "%B %d, %Y", "%d%m%y%H%M", "100%% %Y", "%Y-%m-%d %H:%M:%S.%f", "%y/%m/%d %I.%M%p",
]  # fmt: skip
zones = st.integers(-14 * 4, 14 * 4).map(
    lambda quarters: dt.timezone(dt.timedelta(minutes=15 * quarters))
)
moments = st.datetimes(
    dt.datetime(1969, 1, 1), dt.datetime(2068, 12, 31), timezones=zones
)


def as_python(moment):
    """A value of polars, as `strptime` would give it."""
    if isinstance(moment, dt.datetime):
        return moment
    if isinstance(moment, dt.time):
        return dt.datetime.combine(dt.date(1900, 1, 1), moment)
    return dt.datetime.combine(moment, dt.time())


@settings(max_examples=200)
@given(
    format=st.sampled_from(FORMATS), values=st.lists(moments, min_size=1, max_size=5)
)
def test_the_same_as_python_reads(format, values):
    texts = [value.strftime(format) for value in values]
    assert check_format("a", format) == format
    read = moments_of(pl.Series(texts), format)
    expected = [dt.datetime.strptime(text, format) for text in texts]
    assert [as_python(moment) for moment in read] == expected


@settings(max_examples=200)
@given(
    format=st.sampled_from(FORMATS),
    values=st.lists(moments, min_size=1, max_size=5),
    unpadded=st.booleans(),
)
def test_what_is_written_is_read_again(format, values, unpadded):
    texts = [value.strftime(format) for value in values]
    if unpadded and "%Y%m" not in format and "%d%m" not in format:
        shorter = format.replace("%m", "%-m").replace("%d", "%-d")
        texts = [value.strftime(shorter.replace("%H", "%-H")) for value in values]
    series = pl.Series(texts)
    layout, read = date_layout(series, format), moments_of(series, format)
    written = layout.written(read)
    assert moments_of(written, format).to_list() == read.to_list()
    if "%z" not in format and "%f" not in format:
        assert written.to_list() == texts
    for text in written:
        assert layout.text(layout.number(text)) == text


@for_each(
    ("format", "words"),
    [
        ("%d.%m.", "has no year"),
        ("%m-%d %H:%M", "has no year"),
        ("%d.%Y", "day without a month"),
        ("%M:%S", "has no hour"),
        ("%H:%S", "has no minute"),
        ("%I:%M", "without %p"),
        ("%Y-%m %H:%M", "time of no day"),
        ("%H:%M%z", "offset"),
        ("%Y-%m-%d%z", "offset"),
        ("%d.%m.%Y %y", "twice"),
        ("%d.%d.%Y", "twice"),
        ("%Y-%j", "has %j"),
        ("%x", "has %x"),
        ("born", "has no field"),
        ("", "has no field"),
        ("%", "has %"),
        ("%H:%M:%f", "fraction"),
        (7, "is no text"),
    ],
)
def test_formats_that_lose_or_say_nothing(format, words):
    with pytest.raises(InputError, match="column 'born'") as caught:
        check_format("born", format)
    assert words in str(caught.value)
    assert caught.value.option == "dates" and caught.value.column == "born"


@for_each(
    ("text", "format"),
    [
        ("31.4.2024", "%d.%m.%Y"),
        ("2024-13", "%Y-%m"),
        ("25:00", "%H:%M"),
        ("10:61", "%H:%M"),
        ("13:05 pm", "%I:%M %p"),
        ("0:05 am", "%I:%M %p"),
        ("20240230", "%Y%m%d"),
        ("2024111", "%Y%m%d"),
        ("2024-01-01 10:00+99:99", "%Y-%m-%d %H:%M%z"),
        ("1.2.24", "%d.%m.%Y"),
        ("1.2.2024 ", "%d.%m.%Y"),
        ("\u0661.2.2024", "%d.%m.%Y"),
    ],
)
def test_texts_that_are_no_dates(text, format):
    assert moments_of(pl.Series([text]), format).to_list() == [None]
    with pytest.raises(ValueError, match="no date"):
        date_layout(pl.Series(["x"]), format).number(text)


def test_two_digit_years_are_those_of_python():
    years = moments_of(pl.Series(["68", "69", "00", "99"]), "%y").dt.year().to_list()
    assert years == [2068, 1969, 2000, 1999]


def test_several_offsets_become_utc():
    texts = pl.Series(["2024-07-01T10:00:00+02:00", "2024-01-01T10:00:00+01:00"])
    layout = date_layout(texts, "%Y-%m-%dT%H:%M:%S%z")
    assert layout.mixed
    written = layout.written(moments_of(texts, layout.format)).to_list()
    assert written == ["2024-07-01T08:00:00+00:00", "2024-01-01T09:00:00+00:00"]


@for_each(
    ("texts", "declared", "format"),
    [
        (["31.12.2024", "1.2.2024"], False, "%d.%m.%Y"),
        (["31.12.2024 10:30"], False, "%d.%m.%Y %H:%M"),
        (["2024-12-31T10:30:00+02:00"], False, "%Y-%m-%dT%H:%M:%S.%f%z"),
        (["2024-12-31 10:30-0330"], False, "%Y-%m-%d %H:%M%z"),
        (["10:30"], False, None),
        (["10:30"], True, "%H:%M"),
        (["31/12/2024"], True, None),
        (["31.12.24"], True, None),
    ],
)
def test_formats_that_need_no_word(texts, declared, format):
    assert implied_format(pl.Series(texts), declared) == format


@for_each(
    ("texts", "formats"),
    [
        (["01/02/2024", "03/04/2024"], ["%d/%m/%Y", "%m/%d/%Y"]),
        (["01/02/2024", "13/04/2024"], ["%d/%m/%Y"]),
        (["01/02/2024", "04/13/2024"], ["%m/%d/%Y"]),
        (["01/02/2024", "?", "04/13/2024"], ["%m/%d/%Y"]),
        (["10:30", "9:45"], ["%H:%M"]),
        (["2024-10"], ["%Y-%m"]),
        (["Dec 31, 2024"], ["%b %d, %Y"]),
        (["soon", "later"], []),
    ],
)
def test_formats_that_are_proposed(texts, formats):
    assert proposed_formats(pl.Series(texts)) == formats
