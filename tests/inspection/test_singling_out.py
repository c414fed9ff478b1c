import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.columns import open_frame
from microcell.inspection import _singling_out
from microcell.inspection._column import look_at
from microcell.inspection._singling_out import figures_of, singling_out
from microcell.metrics import subset_linkage_risk

tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.tuples(*[st.integers(0, 3) for _ in range(width)]), min_size=2, max_size=25
    )
)


def slow_figures(rows, k):
    """Distinction, separation, uniqueness and records below k, by comparing pairs."""
    n = len(rows)
    pairs = list(itertools.combinations(rows, 2))
    counts = [rows.count(row) for row in rows]
    return (
        len(set(rows)) / n,
        sum(a != b for a, b in pairs) / len(pairs),
        sum(c == 1 for c in counts) / n,
        sum(c < k for c in counts) / n,
    )


def columns_of(rows):
    names = [f"c{j}" for j in range(len(rows[0]))]
    text = pl.DataFrame(rows, schema=names, orient="row").select(
        pl.all().cast(pl.String) + "x"
    )
    frame = open_frame(text)
    return [look_at(frame[name], 5, as_text=True) for name in names]


def shares(figures):
    return (
        figures.distinction,
        figures.separation,
        figures.unique,
        figures.below_k,
    )


@given(rows=tables, k=st.integers(2, 5))
def test_figures_are_those_of_all_pairs(rows, k):
    sizes = np.array([rows.count(row) for row in set(rows)])
    assert shares(figures_of("c", sizes, k)) == pytest.approx(slow_figures(rows, k))


@given(rows=tables)
def test_sets_are_counted_on_the_records(rows):
    found = singling_out(columns_of(rows), 5)
    assert found.n_counted == len(rows) and found.sets
    for figures in found.sets:
        places = [int(name[1:]) for name in figures.columns]
        part = [tuple(row[j] for j in places) for row in rows]
        assert shares(figures) == pytest.approx(slow_figures(part, 5))


@given(rows=tables)
def test_what_columns_add_is_the_mean_over_sets(rows):
    found = singling_out(columns_of(rows), 5)
    width, n = len(rows[0]), len(rows)

    def unique(places):
        part = [tuple(row[j] for j in places) for row in rows]
        return sum(part.count(row) == 1 for row in part) / n

    size = min(3, width)
    for j in range(width):
        others = [c for c in range(width) if c != j]
        means = []
        for known in range(size):
            sets = list(itertools.combinations(others, known))
            means.append(np.mean([unique((*s, j)) - unique(s) for s in sets]))
        assert found.added[f"c{j}"] == pytest.approx(np.mean(means))


def test_contributions_are_those_of_subset_linkage():
    """Of all-distinct records uniqueness and average risk rise from the same sets."""
    rows = [(i, i % 5, i % 3) for i in range(30)]
    frame = pl.DataFrame(rows, schema=["c0", "c1", "c2"], orient="row")
    order = subset_linkage_risk(frame).contributions
    found = singling_out(columns_of(rows), 5).added
    assert max(found, key=found.get) == max(order, key=order.get) == "c0"


def test_a_sample_finds_the_sets_and_all_records_count_them(monkeypatch):
    rng = np.random.default_rng(0)
    rows = [tuple(row) for row in rng.integers(0, 12, (3000, 4)).tolist()]
    exact = singling_out(columns_of(rows), 5)
    monkeypatch.setattr(_singling_out, "WORK", 1)
    monkeypatch.setattr(_singling_out, "MIN_SAMPLED_RECORDS", 800)
    sampled = singling_out(columns_of(rows), 5)
    assert sampled.n_counted == 800 < exact.n_counted == 3000
    of_set = {s.columns: s for s in exact.sets}
    for figures in sampled.sets:
        assert figures == of_set.get(figures.columns, figures)
        places = [int(name[1:]) for name in figures.columns]
        part = [tuple(row[j] for j in places) for row in rows]
        assert figures.unique == sum(part.count(row) == 1 for row in part) / 3000


def test_too_many_columns_are_looked_at_alone(monkeypatch):
    monkeypatch.setattr(_singling_out, "MAX_CANDIDATE_COLUMNS", 2)
    rows = [(i % 2, i % 7, i % 5) for i in range(40)]
    found = singling_out(columns_of(rows), 5)
    assert found.left_out == ("c0",) and set(found.added) == {"c1", "c2"}


def test_no_set_around_one_that_tells_all():
    rows = [(i, i % 7, i % 5) for i in range(40)]
    sets = [s.columns for s in singling_out(columns_of(rows), 5).sets]
    assert ("c0",) in sets and ("c1", "c2") in sets
    assert not any("c0" in s and len(s) > 1 for s in sets)
