import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from microcell._patterns import NUMBER, WHOLE
from microcell.columns import _text_types
from microcell.columns._text_types import CODE_WITH_ZERO, type_columns
from microcell.kernels.number_text import NumberText, look_at_numbers

NEARLY = st.text("+-.0123456789eE \t\nx\u00a0\u0663", max_size=8)
PLAIN = st.from_regex(r"\A[+-]?([0-9]{1,4}\.?[0-9]{0,3}|\.[0-9]{1,3})\Z") | (
    st.from_regex(r"\A[+-]?[0-9]{1,3}[eE][+-]?[0-9]{1,2}\Z")
)


def looks_of(texts):
    letters = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, letters)])
    return look_at_numbers(np.frombuffer(b"".join(letters), np.uint8), ends)


@given(st.lists(NEARLY | PLAIN, max_size=6))
@example(["1.", ".5", "-.5e7", "+3E-0"])
@example(["."])
@example(["1e"])
@example([""])
@example(["00", "0.5", "-01e4"])
@example([])
def test_one_pass_says_what_the_patterns_say(texts):
    series = pl.Series(texts, dtype=pl.String)
    if not series.str.contains(NUMBER).all():
        assert looks_of(texts) == NumberText(False, 0, False)
        return
    n_whole = series.str.contains(WHOLE).sum()
    zero_led = series.str.contains(CODE_WITH_ZERO).any()
    assert looks_of(texts) == NumberText(True, n_whole, zero_led)


TEXTS = st.lists(st.none() | st.just("NA") | st.just("") | PLAIN | NEARLY, max_size=6)


@given(TEXTS | st.lists(PLAIN, min_size=1) | st.lists(st.none() | PLAIN))
@example(["9007199254740993"])
@example(["-9007199254740992", "NA"])
@example(["1", None, "2.5"])
@example([None, None])
def test_numbers_are_read_as_by_patterns(texts):
    frame = pl.DataFrame({"x": pl.Series(texts, dtype=pl.String)})

    def typed():
        try:
            return type_columns(frame, ["x"])["x"]
        except ValueError as error:
            return str(error)

    with pytest.MonkeyPatch.context() as patch:
        unknown = NumberText(False, 0, False)
        patch.setattr(_text_types, "_looks_of", lambda text: unknown)
        expected = typed()
    found = typed()
    assert type(found) is type(expected)
    if isinstance(found, str):
        assert found == expected
    else:
        assert found.dtype == expected.dtype
        assert found.equals(expected, null_equal=True)


def test_a_slice_of_a_column_is_looked_at_alone():
    column = pl.Series(["x", "1", "2.5", "y"])
    frame = pl.DataFrame({"n": column[1:3]})
    assert type_columns(frame, ["n"])["n"].to_list() == [1.0, 2.5]
