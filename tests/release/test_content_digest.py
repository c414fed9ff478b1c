import hashlib
from decimal import Decimal

import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each

from microcell.release._content_digest import content_digest

rows = st.lists(
    st.tuples(
        st.none() | st.integers(-3, 3),
        st.none() | st.text('a"\n,', max_size=3),
    ),
    min_size=1,
    max_size=8,
)
SCHEMA = {"n": pl.Int64, "t": pl.String}


def slow_digest(records):
    """The words of the docstring, for integers and text."""
    lines = ["Int64 'n'\n", "String 't'\n", "\n"]
    least_first = sorted(
        records,
        key=lambda r: [(v is not None, v) if v is not None else (False,) for v in r],
    )
    for number, text in least_first:
        quoted = "" if text is None else '"' + text.replace('"', '""') + '"'
        lines.append(f"{'' if number is None else number},{quoted}\n")
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@given(records=rows)
def test_same_as_its_words(records):
    frame = pl.DataFrame(records, schema=SCHEMA, orient="row")
    assert content_digest(frame) == slow_digest(records)


@given(records=rows, seed=st.randoms())
def test_the_order_of_records_does_not_matter(records, seed):
    frame = pl.DataFrame(records, schema=SCHEMA, orient="row")
    seed.shuffle(records)
    again = pl.DataFrame(records, schema=SCHEMA, orient="row")
    assert content_digest(frame) == content_digest(again)


@for_each(
    "other",
    [
        pl.DataFrame({"a": [1, 2], "b": [b"x", None]}),
        pl.DataFrame({"a": [1.0, 2.0], "c": [b"x", None]}),
        pl.DataFrame({"a": [1, 3], "c": [b"x", None]}),
        pl.DataFrame({"a": [1, 2], "c": ["78", None]}),
        pl.DataFrame({"a": [1, 2], "c": [b"x", b""]}),
        pl.DataFrame({"c": [b"x", None], "a": [1, 2]}),
        pl.DataFrame({"a": [Decimal("1"), Decimal("2")], "c": [b"x", None]}),
    ],
)
def test_names_types_and_values_matter(other):
    assert content_digest(other) != content_digest(
        pl.DataFrame({"a": [1, 2], "c": [b"x", None]})
    )
