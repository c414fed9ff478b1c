"""What is learnt from a column: of parts as of the whole, and in any order."""

import datetime as dt
import pickle

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal

from microcell import Schema, anonymize
from microcell.columns import ENCODERS, Options, fit_encoder, prepare
from microcell.exceptions import SchemaError
from microcell.recipe import REPRESENTATIVES


def moments(**steps):
    start = dt.datetime(2024, 3, 1)
    return [start + i * dt.timedelta(**steps) for i in (0, 5, 2, 9, 5, 1)]


WORDS = ["b", "a", "c", "a", "d", "b"]
LEVELS = ["d", "c", "b", "a"]
COLUMNS = {  # values and the declared kind
    "integers": ([3, 1, 2, 9, 5, 5], None),
    "floats": ([3.5, 1.0, 2.0, 9.0, 5.0, 5.0], None),
    "words": (WORDS, None),
    "an order": (WORDS, LEVELS),
    "an order of numbers": ([3, 1, 2, 9, 5, 5], "ordinal"),
    "codes": (["E11", "E112", "I1", "E11", "I10", "I"], "prefix"),
    "codes of one length": (["037", "038", "100", "037", "101", "037"], "prefix"),
    "days": (moments(days=1), None),
    "minutes": (moments(minutes=1), None),
    "one fine value": (
        [*moments(hours=1)[:5], dt.datetime(2024, 3, 1, 1, 1, 1, 7)],
        None,
    ),
}
LIBRARIES = {
    "polars": lambda values: pl.Series("a", values),
    "pandas": lambda values: pd.Series(values, name="a"),
    "pyarrow": lambda values: pa.chunked_array([pa.array(values)]),
}


@pytest.fixture(params=LIBRARIES)
def column(request):
    def make(values):
        native = LIBRARIES[request.param](values)
        return nw.from_native(native, series_only=True).alias("a")

    return make


def learnt(encoder, series):
    """All that an encoder shows of itself."""
    codes = encoder.encode(series)
    return encoder.to_dict(), codes.tolist(), encoder.decode(codes).to_list()


@pytest.mark.parametrize("name", COLUMNS)
def test_parts_merge_to_what_the_whole_teaches(column, name):
    values, kind = COLUMNS[name]
    # a part of two integers would be taken for codes
    kind = kind or fit_encoder(column(values)).kind
    whole = column(values)
    expected = learnt(fit_encoder(whole, kind), whole)
    for cut in (1, 3, 5):
        one, other = (fit_encoder(part, kind) for part in (whole[:cut], whole[cut:]))
        assert learnt(one.merge(other), whole) == expected
        assert learnt(other.merge(one), whole) == expected


@pytest.mark.parametrize("name", COLUMNS)
def test_an_encoder_can_be_sent_away_and_knows_no_order_of_records(column, name):
    values, kind = COLUMNS[name]
    series, turned = column(values), column(values[::-1])
    encoder = fit_encoder(series, kind)
    assert len(encoder.like) == 0  # its name and type, and nobody's value
    expected = learnt(encoder, series)
    assert learnt(pickle.loads(pickle.dumps(encoder)), series) == expected
    assert learnt(fit_encoder(turned, kind), series) == expected


@pytest.mark.parametrize("name", COLUMNS)
def test_what_is_written_of_a_number_is_read_as_it(column, name):
    values, kind = COLUMNS[name]
    series = column(values)
    encoder = fit_encoder(series, kind)
    numbers = encoder.encode(series)
    assert_array_equal([encoder.number(encoder.text(n)) for n in numbers], numbers)
    if encoder.kind != "nominal":
        ends = np.column_stack([numbers.min() + 0 * numbers, numbers])
        texts = encoder.decode_intervals(ends).to_list()
        assert_array_equal([encoder.middle(t) for t in texts], ends.mean(axis=1))
    assert encoder.middle("[x, y]") is None


def test_means_of_integers_are_rounded_only_if_both_parts_say_so(column):
    parts = [
        fit_encoder(column([1, 2, 4]), "numeric", Options(how))
        for how in ("round", "mean")
    ]
    values = np.array([1.5, 2.6])
    assert parts[0].merge(parts[0]).decode(values).to_list() == [2, 3]
    assert parts[0].merge(parts[1]).decode(values).to_list() == [1.5, 2.6]


def test_a_part_with_fractions_makes_a_column_of_fractions(column):
    whole, fractions = fit_encoder(column([1, 2, 4])), fit_encoder(column([1.5, 2.0]))
    for merged in (whole.merge(fractions), fractions.merge(whole)):
        assert merged.like.dtype.is_float()
        assert merged.text(3.0) == "3.0"


def test_an_encoder_holds_no_records(column):
    numbers = column(list(range(1000)))
    assert len(pickle.dumps(fit_encoder(numbers))) < 3000
    words = column(["a", "b"] * 5000)
    assert len(fit_encoder(words).values) == 2


def test_a_method_that_releases_no_codes_is_found(column):
    encoder = fit_encoder(column(["a", "b", "c"]))
    with pytest.raises(SchemaError, match="no codes of its categories"):
        encoder.decode(np.array([0.5, 1.0]))


def test_every_encoder_says_the_kind_that_it_is_found_by():
    assert [encoder.kind for encoder in ENCODERS.values()] == list(ENCODERS)


def test_what_is_published_by_default_fits_the_kind():
    for kind, encoder in ENCODERS.items():
        assert REPRESENTATIVES[encoder.representative].fits(kind)


def test_measured_values_have_an_order_and_trees_have_none():
    for encoder in ENCODERS.values():
        assert encoder.ordered or not encoder.measured
        assert encoder.measured or not (encoder.numbers or encoder.moments)
        assert not (encoder.tree and encoder.ordered)
        assert bool(encoder.limit_help) == encoder.ordered


def test_parts_of_a_table_encoded_apart_are_the_table():
    """What an engine does: learn from parts, merge, encode each part alike."""
    data = {name: values for name, (values, _) in COLUMNS.items()}
    kinds = {n: k for n, (_, k) in COLUMNS.items() if k}
    table, schema = pl.DataFrame(data), Schema(list(data), kinds=kinds)
    whole = prepare(table, schema)
    kinds["integers"] = "numeric"  # two values are a code in the whole only
    of_part = Schema(list(data), kinds=kinds)
    halves = [prepare(half, of_part) for half in (table[:3], table[3:])]
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
