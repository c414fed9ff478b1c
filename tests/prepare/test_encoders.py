"""Encoders: learnt once, sent elsewhere, merged from parts, whatever the order."""

import datetime as dt
import pickle

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from microcell import Schema, anonymize
from microcell.exceptions import SchemaError
from microcell.prepare import ENCODERS, fit_encoder, prepare

DAYS = [dt.date(2024, 1, d) for d in (1, 5, 2, 9, 5, 7)]
MOMENTS = [dt.datetime(2024, 1, 1, 10, m) for m in (30, 31, 45, 0, 1, 2)]
COLUMNS = {
    "numeric": ([3, 1, 2, 9, 9, 4], None),
    "floats": ([0.5, 1.5, -2.0, 1e6, 0.0, 3.25], None),
    "date": (DAYS, None),
    "moments": (MOMENTS, None),
    "nominal": (["b", "a", "c", "a", "b", "b"], None),
    "flags": ([True, False, True, True, False, True], None),
    "codes": ([2, 1, 2, 2, 1, 1], None),
    "ordinal": (["mid", "low", "high", "low", "mid", "low"], ["low", "mid", "high"]),
    "ranks": ([4, 1, 3, 3, 1, 4], "ordinal"),
}
LIBRARIES = {
    "polars": pl.DataFrame,
    "pandas": pd.DataFrame,
    "pyarrow": pa.table,
    "categories": lambda data: pd.DataFrame(data).astype("category"),
}


def series_of(values, library):
    frame = nw.from_native(LIBRARIES[library]({"a": values}), eager_only=True)
    return frame["a"]


def listed(series):
    return [v.item() if hasattr(v, "item") else v for v in series.to_list()]


CASES = [
    pytest.param(library, *COLUMNS[name], id=f"{library}-{name}")
    for library in ("polars", "pandas", "pyarrow")
    for name in COLUMNS
    if (library, name) != ("pandas", "date")  # which has no dates without a time
] + [pytest.param("categories", *COLUMNS["nominal"], id="categories-nominal")]


@pytest.mark.parametrize(("library", "values", "kind"), CASES)
def test_what_is_encoded_can_be_said_again(library, values, kind):
    series = series_of(values, library)
    encoder = fit_encoder(series, kind)
    encoded = encoder.encode(series)
    assert encoded.shape == (6,) and encoded.dtype == np.float64
    again = encoder.decode(encoded)
    assert listed(again) == listed(series)
    assert again.implementation == series.implementation
    for value in encoded:
        assert encoder.number(encoder.text(value)) == value


@pytest.mark.parametrize(("library", "values", "kind"), CASES)
def test_an_encoder_survives_another_process(library, values, kind):
    series = series_of(values, library)
    encoder = fit_encoder(series, kind)
    copy = pickle.loads(pickle.dumps(encoder))
    assert copy.to_dict() == encoder.to_dict()
    assert_array_equal(copy.encode(series), encoder.encode(series))
    assert listed(copy.decode(encoder.encode(series))) == listed(series)


@pytest.mark.parametrize(("library", "values", "kind"), CASES)
def test_parts_merge_to_the_whole_in_any_order(library, values, kind):
    series = series_of(values, library)
    whole = fit_encoder(series, kind)
    declared = kind or whole.kind  # a part may look different by itself
    parts = [fit_encoder(part, declared) for part in (series[:3], series[3:])]
    for merged in (parts[0].merge(parts[1]), parts[1].merge(parts[0])):
        assert merged.to_dict() == whole.to_dict()
        assert_array_equal(merged.encode(series), whole.encode(series))
        assert listed(merged.decode(whole.encode(series))) == listed(series)


@pytest.mark.parametrize(("library", "values", "kind"), CASES)
@settings(max_examples=20)
@given(data=st.data())
def test_codes_do_not_depend_on_the_order_of_rows(library, values, kind, data):
    order = data.draw(st.permutations(range(6)))
    series = series_of(values, library)
    moved = series_of([values[i] for i in order], library)
    encoder, other = fit_encoder(series, kind), fit_encoder(moved, kind)
    assert other.to_dict() == encoder.to_dict()
    assert_array_equal(other.encode(series), encoder.encode(series))


def test_an_encoder_holds_no_records():
    numbers = series_of(list(range(1000)), "polars")
    assert len(pickle.dumps(fit_encoder(numbers))) < 3000
    words = series_of(["a", "b"] * 5000, "polars")
    assert len(fit_encoder(words).values) == 2


def test_a_method_that_releases_no_codes_is_found():
    encoder = fit_encoder(series_of(["a", "b", "c"], "polars"))
    with pytest.raises(SchemaError, match="no codes of its categories"):
        encoder.decode(np.array([0.5, 1.0]))


def test_every_kind_of_a_schema_has_an_encoder():
    from microcell.release._schema import KINDS

    assert set(KINDS) == set(ENCODERS)


def test_parts_of_a_table_encoded_apart_are_the_table():
    """What an engine does: learn from parts, merge, encode each part alike."""
    data = {name: values for name, (values, _) in COLUMNS.items()}
    kinds = {n: k for n, (_, k) in COLUMNS.items() if k} | {"codes": "nominal"}
    table, schema = pl.DataFrame(data), Schema(list(data), kinds=kinds)
    whole = prepare(table, schema)
    halves = [prepare(half, schema) for half in (table[:3], table[3:])]
    merged = [a.merge(b) for a, b in zip(*(h.encoders for h in halves), strict=True)]
    rows = [
        np.column_stack([e.encode(half.frame[e.name]) for e in merged])
        for half in halves
    ]
    assert_array_equal(np.vstack(rows), whole.X)


def test_the_order_of_rows_does_not_change_the_release_of_a_row():
    rng = np.random.default_rng(0)
    table = pl.DataFrame(
        {"age": rng.permutation(200) + 0.0, "job": rng.choice(list("zyxabc"), 200)}
    )
    schema = Schema(["age", "job"])
    release = anonymize(table, schema, k=4, method="mondrian")
    order = rng.permutation(200)
    moved = anonymize(table[order], schema, k=4, method="mondrian")
    assert_array_equal(moved.table["age"], release.table["age"].to_numpy()[order])
