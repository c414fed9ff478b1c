"""Samples and values: the same from any parts in any order."""

import numpy as np
import polars as pl
import pytest
from engines.in_parts import added, split
from hypothesis import given
from hypothesis import strategies as st

from microcell.exceptions import SchemaError
from microcell.pipeline import _values
from microcell.pipeline._sample import COUNT, HASH, Sample
from microcell.pipeline._values import Values
from microcell.privacy import LDiversity, TCloseness

ROWS = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from(["a", "b", None])), max_size=60
)


@given(ROWS, st.integers(1, 20), st.integers(1, 5), st.integers(0, 9))
def test_parts_give_the_sample_of_the_whole(rows, size, n_parts, seed):
    frame = pl.DataFrame(rows, schema={"x": pl.Int64, "w": pl.String}, orient="row")
    whole = Sample.of(frame, size)
    parts = added([Sample.of(part, size) for part in split(frame, n_parts, seed)])
    assert parts.rows.equals(whole.rows)
    assert parts.n_records == frame.height
    kept = whole.rows.select("x", "w", COUNT).rows()
    assert len(kept) == min(size, len(set(rows)))
    for x, w, count in kept:
        same = frame.filter(pl.col("x").eq_missing(x) & pl.col("w").eq_missing(w))
        assert count == same.height


def test_rows_with_the_least_hashes_are_kept_of_many():
    frame = pl.DataFrame({"x": np.random.default_rng(0).normal(size=5000)})
    sample = Sample.of(frame, 100)
    everything = Sample.of(frame, 5000).rows
    assert sample.rows.equals(everything.sort(HASH).head(100))
    assert sample.rows["x"].mean() == pytest.approx(0, abs=0.4)


def test_values_are_numbered_alike_in_all_parts():
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"ill": rng.choice(["flu", "gout", "", None], 50).tolist()})
    known = added([Values.of(part, ["ill"]) for part in split(frame, 4)])
    model = LDiversity(2, "ill")
    whole = known.codes(model, frame)
    assert np.array_equal(known.codes(model, frame[7:20]), whole[7:20])
    assert known.totals(model).tolist() == np.bincount(whole).tolist()
    ordered = TCloseness(0.3, "pay", distance="ordered")
    pay = pl.DataFrame({"pay": ["9", "10", "", "9"]})
    values = Values.of(pay, ["pay"])
    assert values.codes(ordered, pay[1:]).tolist() == [1, 2, 0]
    assert values.totals(ordered).tolist() == [2, 1, 1]


def test_too_many_values_are_refused(monkeypatch):
    monkeypatch.setattr(_values, "MAX_COUNTED_VALUES", 3)
    with pytest.raises(SchemaError, match="more than 3 values") as caught:
        Values.of(pl.DataFrame({"pay": [1, 2, 3, 4]}), ["pay"])
    assert caught.value.column == "pay"
