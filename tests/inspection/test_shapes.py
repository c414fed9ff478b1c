"""Shapes of columns show the distribution, and nothing of fewer than k people."""

import datetime as dt
import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from microcell import inspect
from microcell.columns import open_frame
from microcell.inspection._column import look_at
from microcell.inspection._shapes import MAX_BARS, MAX_EVEN_BINS, column_shape


def shape_of(values, k=5, kind=None, people=None, **options):
    frame = open_frame(pl.DataFrame({"x": values}, **options))
    return column_shape(look_at(frame["x"], k, as_text=False), kind, k, people)


def runs(counts):
    """Records of neighbouring bins that are shown alike."""
    return [sum(group) for _, group in itertools.groupby(counts)]


whole = arrays(np.int64, st.integers(1, 120), elements=st.integers(0, 40))
wide = arrays(
    np.float64,
    st.integers(1, 120),
    elements=st.floats(-1e12, 1e12, allow_subnormal=False),
)


@given(x=st.one_of(whole, wide), k=st.integers(2, 7))
def test_no_bin_or_bar_is_of_fewer_than_k(x, k):
    shape = shape_of(x, k)
    if shape["form"] == "categories":
        assert all(bar["count"] >= k for bar in shape["bars"])
        assert shape["other"] == 0 or shape["other"] >= min(k, x.size)
        assert sum(bar["count"] for bar in shape["bars"]) + shape["other"] == x.size
        return
    counts = shape["counts"]
    assert 2 <= len(counts) <= MAX_EVEN_BINS
    assert len(shape["edges"]) == len(counts) + 1
    assert sum(counts) == pytest.approx(x.size, abs=0.1)
    assert min(runs(counts)) >= k - 0.1


@given(x=whole, k=st.integers(2, 7), data=st.data())
def test_what_the_few_at_an_end_have_changes_nothing(x, k, data):
    """Fewer than k records may be moved farther out: nobody sees it."""
    order = np.argsort(x, kind="stable")
    few = data.draw(st.integers(1, k - 1))
    up, down = x.copy(), x.copy()
    up[order[-few:]] += 1000
    down[order[:few]] -= 1000
    before = shape_of(x, k)
    if before["form"] == "numbers":
        assert shape_of(up, k) == before
        assert shape_of(down, k) == before


@given(x=whole, k=st.integers(2, 7))
def test_counts_are_those_of_the_bins_where_all_have_k(x, k):
    shape = shape_of(x, k)
    if shape["form"] == "categories":
        return
    edges = np.array([float(text) for text in shape["edges"]])
    edges[0], edges[-1] = -np.inf, np.inf  # open
    slow = [((x >= a) & (x < b)).sum() for a, b in itertools.pairwise(edges)]
    if min(slow) >= k:
        assert shape["counts"] == slow


def test_edges_are_round_and_even():
    x = np.random.default_rng(0).normal(170.123, 9.87, 1000)
    shape = shape_of(x)
    edges = np.array([float(text) for text in shape["edges"]])
    step = np.diff(edges)
    assert np.allclose(step, step[0]) and step[0] in (1, 2, 5)
    assert (shape["low"], shape["high"]) == (edges[0], edges[-1])
    assert x.min() < shape["low"] and shape["high"] < x.max()


def test_dates_have_bins_of_the_calendar():
    days = [dt.date(1950, 1, 1) + dt.timedelta(days=37 * i) for i in range(400)]
    shape = shape_of(days)
    assert shape["form"] == "dates"
    assert shape["edges"][:2] == ["1950", "1952"] == [shape["low"], "1952"]
    moments = [dt.datetime(2024, 1, 1) + dt.timedelta(minutes=i) for i in range(600)]
    assert shape_of(moments)["form"] == "dates"
    times = [dt.time(i // 60, i % 60) for i in range(600)]
    assert shape_of(times)["edges"][:2] == ["00:00", "01:00"]


def test_categories_are_the_most_frequent():
    values = [f"v{i}" for i in range(30) for _ in range(40 - i)] + ["rare"] * 4
    shape = shape_of(values)
    assert [bar["value"] for bar in shape["bars"]] == [f"v{i}" for i in range(MAX_BARS)]
    assert shape["n_other"] == 19
    assert shape["other"] == sum(40 - i for i in range(MAX_BARS, 30)) + 4


def test_the_only_rare_value_hides_with_another():
    """Who sees all others and their sum would know how many have the one left."""
    shape = shape_of(["a"] * 9 + ["b"] * 7 + ["c"])
    assert [bar["value"] for bar in shape["bars"]] == ["a"]
    assert (shape["other"], shape["n_other"]) == (8, 2)


def test_codes_are_categories_and_constants_have_one_bar():
    assert shape_of([1, 2] * 20, kind="nominal")["bars"][0] == {
        "value": "1",
        "count": 20,
    }
    assert shape_of([7] * 20)["bars"] == [{"value": "7", "count": 20}]
    assert shape_of([None] * 9, schema={"x": pl.Float64})["bars"] == []


def test_records_of_one_person_are_one_person():
    x = np.r_[np.full(6, 97), np.arange(200) % 50]
    people = np.r_[np.zeros(6, np.int64), 1 + np.arange(200)]
    values = ["rare"] * 6 + ["often"] * 200
    assert float(shape_of(x, people=people)["high"]) <= 60
    assert float(shape_of(x)["high"]) >= 90
    assert [b["value"] for b in shape_of(values, people=people)["bars"]] == []
    assert [b["value"] for b in shape_of(values)["bars"]] == ["often", "rare"]


def test_infinite_and_huge_numbers():
    assert shape_of([np.inf] * 3 + list(range(100)))["form"] == "numbers"
    shape = shape_of([np.inf] * 9 + [-np.inf] * 9 + [1.0] * 9)
    assert shape["form"] == "categories"
    counts = shape_of([1e300, -1e300] * 30)["counts"]
    assert counts[0] == 30 and sum(counts) == 60


def test_every_column_that_is_inspected_has_one():
    frame = pl.DataFrame(
        {"age": range(100), "sex": ["f", "m"] * 50, "list": [[1]] * 100}
    )
    found = inspect(frame, shapes=True)
    shapes = {c["name"]: c["shape"] for c in found.to_dict()["columns"]}
    assert shapes["age"]["form"] == "numbers" and shapes["list"] is None
    assert shapes["sex"]["bars"][0]["count"] == 50
