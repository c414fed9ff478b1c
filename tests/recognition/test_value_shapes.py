import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each

from microcell.recognition._value_shapes import is_iban, shape_of

SHAPES = {
    "e-mail addresses": ["ann@example.org", "b.c+d@sub.example.co.uk"],
    "UUIDs": ["123e4567-e89b-12d3-a456-426614174000"],
    "web addresses": ["https://example.org/x?y=1", "www.example.org"],
    "IP addresses": ["192.168.0.1", "2001:db8:85a3:0:0:8a2e:370:7334"],
    "IBANs": ["DE89370400440532013000", "GB29 NWBK 6016 1331 9268 19"],
    "phone numbers": ["+49 30 901820", "030 / 901820", "(020) 7946 0018"],
}


@for_each(("shape", "texts"), SHAPES.items())
def test_shapes(shape, texts):
    assert shape_of(pl.Series(texts)) == shape
    for text in texts:
        assert shape_of(pl.Series([f" {text} "])) == shape, text
    assert shape_of(pl.Series([*texts, *["flu", "gout", "none"] * len(texts)])) is None


@for_each(
    "text", ["2024-12-31", "31.12.2024", "12.5", "10:30", "01069", "1 234,5", "E11.9"]
)
def test_what_looks_a_little_like_one(text):
    assert shape_of(pl.Series([text])) is None


@given(account=st.text("0123456789ABCDEF", min_size=11, max_size=26), place=st.data())
def test_check_digits_notice_any_changed_character(account, place):
    digits = next(d for d in range(2, 99) if is_iban(f"DE{d:02d}{account}"))
    right = f"DE{digits:02d}{account}"
    assert is_iban(right)
    j = place.draw(st.integers(4, len(right) - 1))
    other = place.draw(st.sampled_from([c for c in "0123456789" if c != right[j]]))
    if right[j].isdigit():
        assert not is_iban(right[:j] + other + right[j + 1 :])
