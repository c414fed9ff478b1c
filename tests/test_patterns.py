from hypothesis import given
from hypothesis import strategies as st
from marks import for_each

from microcell._patterns import MAX_PATTERN_LENGTH, pattern_of


@for_each(
    ("value", "pattern"),
    [
        ("John Smith 35", "Aaaa Aaaaa 99"),
        ("12345,67", "99999,99"),
        ("Émile Ωmega ß", "Aaaaa Aaaaa a"),
        ("E\u0301mile", "Aaaaa"),  # the mark of an accent is no letter of its own
        ("張偉", "aa"),
        ("\uff11\uff12", "99"),
        ("1\xa0000 €", "9 999 €"),
        ("1e-3\t\x00", "9a-9??"),
        ("0123456789", "99999…"),
        ("", ""),
        (-1.5, "-9.9"),
        (None, "Aaaa"),
    ],
)
def test_patterns(value, pattern):
    assert pattern_of(value) == pattern


@given(text=st.text())
def test_a_pattern_is_short_and_shows_neither_letters_nor_digits(text):
    pattern = pattern_of(text)
    assert len(pattern) <= MAX_PATTERN_LENGTH
    shown = {mark for mark in pattern if mark.isalnum()}
    assert shown <= {"A", "a", "9"}


def test_a_long_value_is_cut():
    pattern = pattern_of("a1" * 1_000_000)
    assert len(pattern) == MAX_PATTERN_LENGTH and pattern.endswith("…")
