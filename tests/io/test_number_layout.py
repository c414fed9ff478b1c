"""Numbers as people write them: read by a layout, and written by it again."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each

from microcell.io import NumberLayout, number_layout
from microcell.io._number_layout import MARKS

suffixes = st.sampled_from(["", "%", " %", "\u00a0%", "\u202f%"])


@st.composite
def layouts(draw):
    decimal = draw(st.sampled_from([".", ","]))
    thousands = draw(st.sampled_from(["", *MARKS.replace(decimal, "")]))
    least = draw(st.sampled_from([4, 5])) if thousands else 4
    return NumberLayout(decimal, thousands, least, draw(suffixes))


numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False, width=64),
    st.integers(-(10**12), 10**12).map(float),
    st.integers(-(10**9), 10**9).map(lambda n: n / 1000),
)


def slow_written(value, layout):
    """A number written digit by digit."""
    sign, plain = ("-", repr(value)[1:]) if repr(value)[0] == "-" else ("", repr(value))
    whole, point, rest = plain.partition(".")
    if layout.thousands and len(whole) >= layout.least and whole.isdigit():
        groups = []
        while whole:
            whole, group = whole[:-3], whole[-3:]
            groups.insert(0, group)
        whole = layout.thousands.join(groups)
    return sign + whole + (layout.decimal if point else "") + rest + layout.suffix


@given(values=st.lists(numbers, min_size=1, max_size=20), layout=layouts())
def test_what_is_written_is_read_again(values, layout):
    texts = layout.written(pl.Series(values, dtype=pl.Float64))
    assert texts.str.contains(layout.pattern).all()
    assert layout.plain(texts).cast(pl.Float64).to_list() == values
    assert [layout.number(text) for text in texts] == values


@given(values=st.lists(numbers, min_size=1, max_size=20), layout=layouts())
def test_the_layout_is_found_that_wrote_a_column(values, layout):
    texts = layout.written(pl.Series(values, dtype=pl.Float64))
    found = number_layout(texts, layout.decimal)
    assert texts.str.contains(found.pattern).all()
    assert found.plain(texts).cast(pl.Float64).to_list() == values
    assert found.dressed(found.plain(texts)).to_list() == texts.to_list()


plain_numbers = st.integers(-(10**15), 10**15).map(lambda n: n / 1000)


@given(value=plain_numbers, layout=layouts())
def test_the_same_as_digit_by_digit(value, layout):
    assert layout.dress(repr(value)) == slow_written(value, layout)


@for_each(
    ("text", "decimal", "number"),
    [
        ("1,234", ",", 1.234),
        ("1,234", ".", 1234.0),
        ("1.234", ",", 1234.0),
        ("1.234", ".", 1.234),
        ("1.234.567,5", ",", 1234567.5),
        ("12'345.5", ".", 12345.5),
        ("12\u2019345", ".", 12345.0),
        ("1\u202f234,5 %", ",", 1234.5),
        ("-1_000", ".", -1000.0),
        ("+,5", ",", 0.5),
        ("12,5%", ",", 12.5),
    ],
)
def test_known_numbers(text, decimal, number):
    assert number_layout(pl.Series([text]), decimal).number(text) == number


@for_each(
    "texts",
    [
        ["1.234,5", "12.34"],
        ["1.234,5", "1 234,5"],
        ["1.234,5", "12345"],
        ["1.234", "1234", "12.345"],
        ["12 %", "13"],
        ["12 %", "13 %", "12%"],
        ["1.23.456", "1.234"],
        ["1234.567", "1.234"],
        ["1.234.", "1.234"],
        ["1,2,3", "1,2"],
        ["", "1,2"],
        ["1,2\n", "1,2"],
    ],
)
def test_what_contradicts_the_rest_does_not_match(texts):
    layout = number_layout(pl.Series(texts), ",")
    matching = pl.Series(texts).str.contains(layout.pattern)
    assert not matching.all()
    for text, matches in zip(texts, matching, strict=True):
        if not matches:
            with pytest.raises(ValueError, match="layout"):
                layout.number(text)


def test_four_digits_may_go_without_a_mark():
    layout = number_layout(pl.Series(["1234", "12.345", "999"]), ",")
    assert layout.least == 5
    written = [layout.dress(n) for n in ("1234", "12345", "1234567")]
    assert written == ["1234", "12.345", "1.234.567"]
