"""A table whose columns are all text has no types, whichever library holds it."""

import narwhals as nw
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import config

from microcell import Schema, anonymize
from microcell.columns import is_text_table, read_text_table

TEXTS = {"age": ["31", "33", "60", "62"], "sex": ["f", "f", "m", "m"]}


def test_a_table_of_text_alone_is_read(make):
    release = anonymize(make(TEXTS), Schema(["age", "sex"]), k=2)
    assert release.kinds == {"age": "numeric", "sex": "nominal"}
    table = nw.from_native(release.table, eager_only=True)
    assert table["age"].to_list() == [32.0, 32.0, 61.0, 61.0]


def test_one_column_with_a_type_says_that_text_is_meant(make):
    table = make({**TEXTS, "id": [1, 2, 3, 4]})
    release = anonymize(table, Schema(["age", "sex"], others="drop"), k=2)
    assert release.kinds == {"age": "nominal", "sex": "nominal"}


def test_is_text_table(make):
    assert is_text_table(nw.from_native(make(TEXTS), eager_only=True))
    mixed = make({**TEXTS, "id": [1, 2, 3, 4]})
    assert not is_text_table(nw.from_native(mixed, eager_only=True))


def test_columns_that_are_not_named_or_not_there_are_left_alone(make):
    frame = nw.from_native(make({**TEXTS, "code": ["1", "2", "3", "4"]}))
    read, layouts = read_text_table(frame, ["age", "nobody"], {}, None)
    assert read["age"].dtype.is_integer() and read["code"].dtype == nw.String
    assert layouts == {}


def test_marks_are_the_usual_ones_unless_others_are_given(make):
    frame = nw.from_native(make({"age": ["31", "NA", "40", "50"]}))
    read, _ = read_text_table(frame, ["age"], {}, None)
    assert read["age"].is_null().to_list() == [False, True, False, False]
    other = nw.from_native(make({"age": ["31", "?", "40", "50"]}))
    read, _ = read_text_table(other, ["age"], {}, ["?"])
    assert read["age"].is_null().to_list() == [False, True, False, False]


@settings(max_examples=20)
@given(
    st.lists(
        st.sampled_from(["12", "1.5", "x", "2024-12-31", "31.12.2024", "NA"]),
        min_size=1,
        max_size=6,
    )
)
def test_threads_change_nothing(texts):
    frame = nw.from_native(
        pl.DataFrame({f"c{i}": [text, texts[0]] for i, text in enumerate(texts)})
    )

    def read():
        try:
            found, layouts = read_text_table(frame, frame.columns, {})
        except ValueError as error:
            return str(error)
        return found.to_native().to_dicts(), found.schema, layouts

    found = []
    for n_threads in (1, 2):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(config, "NUMBA_NUM_THREADS", n_threads)
            found.append(read())
    assert found[0] == found[1]
